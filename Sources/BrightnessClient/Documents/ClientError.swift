// SPDX-License-Identifier: Apache-2.0

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
