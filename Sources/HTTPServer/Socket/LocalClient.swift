// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Who is at the other end of a Unix socket, as the kernel knows it from when they connected.
///
/// - SeeAlso: `SO_PEERCRED` and `SO_PEERGROUPS` in unix(7)
struct LocalClient {
    let user: uid_t
    private let groups: [gid_t]

    /// - Parameter socket: Connected; `nil` if it is no Unix socket.
    init?(on socket: Int32) {
        // `struct ucred`, which Glibc does not show: process, user, group.
        guard let credentials = Self.numbers(SO_PEERCRED, of: socket, atMost: 3), credentials.count == 3,
            credentials[1] != .max
        else { return nil }
        user = credentials[1]
        groups = (Self.numbers(SO_PEERGROUPS, of: socket, atMost: Self.usualGroups) ?? []) + [credentials[2]]
    }

    /// More than nearly everybody is in. Others cost a second system call.
    static let usualGroups = 64

    /// - Parameter count: How many numbers to make room for first. If there are more, the kernel reports how many.
    static func numbers(_ option: Int32, of socket: Int32, atMost count: Int) -> [UInt32]? {
        let size = MemoryLayout<UInt32>.size
        var numbers = [UInt32](repeating: 0, count: count)
        var length = socklen_t(count * size)
        guard getsockopt(socket, SOL_SOCKET, option, &numbers, &length) == 0 else {
            let needed = Int(length) / size
            return errno == ERANGE && needed > count ? Self.numbers(option, of: socket, atMost: needed) : nil
        }
        return Array(numbers.prefix(Int(length) / size))
    }

    /// How they stand to a file; to this process, if there is none.
    func standing(toFileAt path: String?) -> LocalStanding {
        var status = stat()
        let isThere = path.map { lstat($0, &status) == 0 } ?? false
        if user == 0 || user == (isThere ? status.st_uid : geteuid()) { return .owner }
        return groups.contains(isThere ? status.st_gid : getegid()) ? .group : .other
    }
}

/// How somebody of this machine stands to the file of the socket they came by.
package enum LocalStanding: Sendable {
    /// It is theirs, or they are root.
    case owner
    /// They are in its group.
    case group
    case other
}
