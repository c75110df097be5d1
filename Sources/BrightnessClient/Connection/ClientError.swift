// SPDX-License-Identifier: Apache-2.0
package import Documents

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
        case .unreachable(let sentence), .usage(let sentence), .failed(let sentence): sentence
        }
    }
}

extension ProblemDocument {
    /// The problem in an answer, or what its status alone states.
    init(status: Int, _ json: JSONNode?) {
        self =
            json.flatMap { ProblemDocument(reading: $0) }
            ?? ProblemDocument("", title: "The server answered with the status \(status)", status: status, detail: "")
        self.status = status
    }

    /// Whether the same request may succeed later: too many requests, or a daemon or panel that is not available now.
    package var isTemporary: Bool { status == 429 || status >= 500 }

    package var sentence: String {
        var sentence = title
        if !detail.isEmpty { sentence += ": \(detail)" }
        if status == 401 { sentence += " (--token-file PATH or the variable BRIGHTNESS_TOKEN names a token.)" }
        return sentence
    }
}
