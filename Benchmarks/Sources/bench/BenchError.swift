// SPDX-License-Identifier: Apache-2.0

/// Why there is no result, in words for the person at the terminal.
enum BenchError: Error, CustomStringConvertible {
    case cannotStart(String, said: String)
    case hasEnded(String, said: String)
    case noProgram(path: String, remedy: String)
    /// The marks between which the result goes are missing.
    case noPlace(path: String)
    case tooFewDescriptors(needed: Int, limit: Int)
    /// Something went wrong in a measurement; with what the server printed.
    case failed(String, reason: any Error, said: String)

    var description: String {
        switch self {
        case .cannotStart(let what, let said): "could not start \(what)\nit said: \(said)"
        case .hasEnded(let what, let said): "\(what) has ended\nit said: \(said)"
        case .noProgram(let path, let remedy): "there is no program at \(path): \(remedy)"
        case .noPlace(let path): "\(path) has no place for the result: the two marks are missing"
        case .tooFewDescriptors(let needed, let limit):
            "\(needed) descriptors are needed and the limit is \(limit): raise it (ulimit -Hn), or use fewer --streams"
        case .failed(let what, let reason, let said): "\(what): \(reason)\nits last words: \(said)"
        }
    }
}
