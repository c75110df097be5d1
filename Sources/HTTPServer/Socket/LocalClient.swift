// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The user and groups of the process at the other end of a Unix socket, recorded by the kernel at its connect.
///
/// - SeeAlso: `SO_PEERCRED` and `SO_PEERGROUPS` in unix(7)
struct LocalClient {
    let user: uid_t
    private let groups: [gid_t]

    /// - Parameter socket: A connected socket. The result is `nil` if it is not a Unix socket.
    init?(on socket: Int32) {
        // `struct ucred`, which Glibc does not import: process, user, group.
        guard let credentials = Self.numbers(SO_PEERCRED, of: socket, expecting: 3), credentials.count == 3,
            // The user of a socket without a process at its other end.
            credentials[1] != .max
        else { return nil }
        user = credentials[1]
        groups = (Self.numbers(SO_PEERGROUPS, of: socket, expecting: Self.defaultGroups) ?? []) + [credentials[2]]
    }

    /// The number of groups read by the first call. More groups cost a second system call.
    static let defaultGroups = 64

    /// Reads a socket option that is an array of 32-bit numbers.
    ///
    /// - Parameter count: The size of the first buffer. If the array is longer, the kernel reports its length.
    static func numbers(_ option: Int32, of socket: Int32, expecting count: Int) -> [UInt32]? {
        let size = MemoryLayout<UInt32>.size
        var numbers = [UInt32](repeating: 0, count: count)
        var length = socklen_t(count * size)
        guard getsockopt(socket, SOL_SOCKET, option, &numbers, &length) == 0 else {
            let needed = Int(length) / size
            return errno == ERANGE && needed > count ? Self.numbers(option, of: socket, expecting: needed) : nil
        }
        return Array(numbers.prefix(Int(length) / size))
    }

    /// Returns the user's role for a socket file, or for this process if the file does not exist.
    func role(forFileAt path: String?) -> SocketFileRole {
        var status = stat()
        let isThere = path.map { lstat($0, &status) == 0 } ?? false
        if user == 0 || user == (isThere ? status.st_uid : geteuid()) { return .owner }
        return groups.contains(isThere ? status.st_gid : getegid()) ? .group : .other
    }
}

/// The role of a local user for the file of the socket they connected to.
package enum SocketFileRole: Sendable {
    /// The owner of the file, or root.
    case owner
    /// A member of the file's group.
    case group
    case other
}
