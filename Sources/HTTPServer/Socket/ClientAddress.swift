// SPDX-License-Identifier: Apache-2.0
internal import CMicroHTTPD
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

    /// Creates the key of a local user: as an IPv6 network `0:1:user::`, which no client has.
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

package struct ClientLimit: Sendable {
    /// The limit; `Int.max` for none.
    package let count: Int
    /// Whether clients of the same machine are exempt: local pages, and a proxy that stands for many clients.
    package let sparesLoopback: Bool

    package init(_ count: Int, sparesLoopback: Bool = false) {
        self.count = count
        self.sparesLoopback = sparesLoopback
    }

    /// The largest finite limit. Rates are computed with it, so it must not overflow.
    package static let largest = 1_000_000

    /// Event streams and WebSockets per client. One person's tabs, or the machines behind one router, open far fewer.
    package static let defaultStreams = ClientLimit(256, sparesLoopback: true)
    /// New connections per client and second. The machines behind one router, or the users of a proxy on another
    /// machine, connect far less often.
    package static let defaultConnects = ClientLimit(1_000, sparesLoopback: true)

    /// Connections per client that are not streams: at most half of one shard's capacity.
    static func defaultConnections(ofShard connections: Int) -> ClientLimit {
        ClientLimit(max(1, min(1_024, connections / 2)), sparesLoopback: true)
    }

    package func counts(_ client: ClientAddress) -> Bool { count < .max && !(sparesLoopback && client.isLoopback) }
}
