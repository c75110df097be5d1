// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// The key by which connections, streams and writes of a client are counted.
///
/// A network prefix, or a user of this machine.
package struct ClientAddress: Hashable, Sendable {
    let network: UInt64

    /// The key of `::1`, and of clients without an IP address.
    static let loopback = ClientAddress(network: 0)

    private init(network: UInt64) { self.network = network }

    /// - Parameters:
    ///   - address: The peer's address.
    ///   - socket: The connected socket. For a Unix socket, the kernel knows the user of the peer's process.
    init(_ address: UnsafePointer<sockaddr>?, on socket: Int32) {
        if Self.isLocal(address), let client = LocalClient(on: socket) {
            self.init(user: client.user)
        } else {
            self.init(address)
        }
    }

    /// Creates the key of a local user, stored as `0:1:user::`, which is not an IPv6 network either.
    init(user: uid_t) { network = 1 << 32 | UInt64(user) }

    static func isLocal(_ address: UnsafePointer<sockaddr>?) -> Bool {
        address.map { Int32($0.pointee.sa_family) == AF_UNIX } ?? false
    }

    /// - Parameter address: An address of any family, as the kernel returned it.
    init(_ address: UnsafePointer<sockaddr>?) {
        network = address.flatMap { NetworkPrefix($0) }?.number ?? 0
    }

    /// Whether it is `127.0.0.0/8`, `::1`, or a user of this machine.
    var isLoopback: Bool { NetworkPrefix(number: network).isLoopback || network >> 32 == 1 }
}
