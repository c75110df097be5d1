// SPDX-License-Identifier: Apache-2.0

/// Why a panel could not be read or written. Paths and error numbers are for the log; clients get a sentence.
package enum DeviceError: Error, Hashable, Sendable {
    /// Unplugged, or never there.
    case absent(path: String)
    /// This process may not; see "Permissions" in the README.
    case permission(path: String)
    /// The file does not hold what the kernel documents.
    case malformed(path: String, text: String)
    case io(path: String, errno: Int32)

    /// After a failed write: whether the panel may have taken it all the same.
    var leavesDoubt: Bool {
        switch self {
        case .absent, .permission: false
        case .malformed, .io: true
        }
    }
}
