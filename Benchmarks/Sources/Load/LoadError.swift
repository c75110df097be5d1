// SPDX-License-Identifier: Apache-2.0

/// Why load could not be made, or its answers not be counted.
package enum LoadError: Error, Equatable, CustomStringConvertible {
    /// A system call failed.
    case system(call: String, errno: Int32)
    /// The server closed a connection that should have stayed open.
    case closed(during: String)
    /// Not the HTTP that was expected; with the bytes it began with.
    case unexpected(answer: String)
    /// Some of the open connections did not get what they should have within the time.
    case stalled(Int, of: Int, seconds: Int)

    package var description: String {
        switch self {
        case .system(let call, let errno): "\(call) failed with errno \(errno)"
        case .closed(let moment): "the server closed a connection \(moment)"
        case .unexpected(let answer): "unexpected answer: \(answer)"
        case .stalled(let missing, let open, let seconds):
            "\(missing) of \(open) open connections got nothing new within \(seconds) s"
        }
    }
}
