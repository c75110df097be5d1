// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// Why a command of the client failed.
package enum ClientError: Error, Equatable {
    /// The daemon answered and refused.
    case refused(ProblemDocument)
    /// There was no answer, or none that the daemon gives. One sentence.
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
        case .unreachable(let sentence), .usage(let sentence), .failed(let sentence): sentence.description
        }
    }
}

extension ProblemDocument {
    /// The problem in an answer, or what its status alone states.
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
        var sentence = name == "invalid-body" ? "" : title
        if !faults.isEmpty { sentence += "\(sentence.isEmpty ? "" : ": ")\(Self.inShell(faults))" }
        if status == 401 {
            sentence += " (--token-file PATH or the variable BRIGHTNESS_TOKEN names a token.)"
        }
        return sentence
    }

    /// Requests that the daemon's details name, and the commands for them.
    private static let commands = [
        ("GET /v1/displays lists every display.", "brightness list shows every display."),
        ("GET /v1/displays lists displays", "brightness list shows displays"),
        (" GET /v1/groups lists every group.", ""),
        ("PUT /v1/power {\"on\":false}", "brightness power off"),
        (
            "GET /v1 and /docs list every path.",
            "The daemon may be of another version, or --server may name another path."
        ),
        (" Send Authorization: Bearer TOKEN.", ""),
    ]

    private static func inShell(_ detail: String) -> String {
        commands.reduce(detail) { $0.replacing($1.0, with: $1.1) }
    }
}
