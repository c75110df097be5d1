// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Why a command of the client failed.
package enum ClientError: Error, Equatable {
    /// The daemon answered and refused.
    case refused(ProblemDocument)
    /// There was no response, or one of another server. One sentence.
    case unreachable(String)
    /// The command makes no sense. One sentence.
    case usage(String)
    /// It cannot be done as things are. One sentence.
    case failed(String)

    package var exitCode: Int32 {
        switch self {
        case .refused, .failed: 1
        case .unreachable: 3
        case .usage: 64
        }
    }

    /// One sentence that states what to do.
    package var sentence: String {
        switch self {
        case .refused(let problem): problem.sentence
        case .unreachable(let sentence), .usage(let sentence), .failed(let sentence): sentence
        }
    }
}

extension ProblemDocument {
    /// The problem in a response, or what its status alone states.
    init(status: Int, _ json: JSONNode?) {
        self =
            json.flatMap { ProblemDocument(reading: $0) }
            ?? ProblemDocument(
                "",
                title: "The server answered with the status \(status)",
                status: status,
                detail: ""
            )
        self.status = status
    }

    /// Whether the same request may succeed later: too many requests, or a daemon or panel that is not available now.
    package var isTemporary: Bool { status == 429 || status >= 500 }

    /// Whether a request that succeeded before may succeed again. A daemon that was restarted has the displays of other
    /// machines and of providers only after some seconds.
    package var isTemporaryAfterSuccess: Bool { isTemporary || name == "display-not-found" }

    /// The problem in the words of the command line.
    package var sentence: String {
        let faults = errors.isEmpty ? detail : errors.map(\.detail).joined(separator: " ")
        let kept = faults.split(separator: ". ").filter { fault in !Self.requestWords.contains { fault.contains($0) } }
            .joined(separator: ". ")
        let remedy: String? =
            switch (name, status) {
            case ("display-not-found", _): "brightness list shows every display."
            case _ where faults.contains("/v1/location"): Self.locationAdvice
            case (_, 401): "--token-file PATH or the variable BRIGHTNESS_TOKEN names a token."
            case (_, 404) where kept.isEmpty: "The daemon may be of another version, or --server may name another path."
            default: nil
            }
        let end = kept.isEmpty || kept.hasSuffix(".") || kept.hasSuffix("?") ? kept : "\(kept)."
        let explanation = [end, remedy ?? ""].filter { !$0.isEmpty }.joined(separator: " ")
        return [name == "invalid-body" ? "" : title, explanation].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    static let locationAdvice = "Sunrise and sunset need a location: brightness location 52.52,13.40 sets it."

    /// Words of sentences that are for clients that send requests of their own, and for the daemon's administrator.
    private static let requestWords = [
        "GET ", "PUT ", "POST ", "PATCH ", "DELETE ", "/v1", "Authorization", "the daemon's --token-file", "{\"",
    ]
}
