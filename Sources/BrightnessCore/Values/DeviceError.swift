// SPDX-License-Identifier: Apache-2.0

/// Why a panel could not be read or written. Paths and error numbers are for the log; clients get a sentence.
package enum DeviceError: Error, Hashable, Sendable {
    /// Unplugged, or never there.
    case absent(path: String)
    /// Switched off. What is asked of it holds, and is written when it is awake; it is not woken for that. `step` is what
    /// it will show then if nobody sets it, where that can be told.
    case asleep(path: String, step: Int? = nil)
    /// This process may not; see "Permissions" in the README.
    case permission(path: String)
    /// It was written as often as it may be in a day.
    case worn(limit: Int)
    /// The file does not hold what the kernel documents.
    case malformed(path: String, text: String)
    case io(path: String, errno: Int32)
    /// Another display of this machine has the id.
    case taken(DisplayID)

    /// After a failed write: whether the panel may have taken it all the same.
    package var leavesDoubt: Bool {
        switch self {
        case .absent, .asleep, .permission, .worn, .taken: false
        case .malformed, .io: true
        }
    }
}
