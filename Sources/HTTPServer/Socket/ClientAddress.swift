// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The key by which connections, streams and writes of a client are counted.
///
/// An IPv4 address, the first 64 bits of an IPv6 address, or a user of this machine. A client can have every address of
/// its IPv6 network (RFC 4291, section 2.5.4).
package struct ClientAddress: Hashable, Sendable {
    /// An IPv4 address is stored as `::a.b.c.d:0:0:0`, which is not an IPv6 network.
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

    /// Reads the address family, the first field of every address structure.
    private static func family(of address: UnsafeRawPointer) -> Int32 { Int32(address.load(as: sa_family_t.self)) }

    static func isLocal(_ address: UnsafePointer<sockaddr>?) -> Bool {
        address.map { family(of: UnsafeRawPointer($0)) == AF_UNIX } ?? false
    }

    /// - Parameter address: An address of any family, as the kernel returned it.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address else {
            self = .loopback
            return
        }
        let raw = UnsafeRawPointer(address)
        switch Self.family(of: raw) {
        case AF_INET:
            network = UInt64(UInt32(bigEndian: raw.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let address = raw.load(as: sockaddr_in6.self).sin6_addr
            network = withUnsafeBytes(of: address) { bytes in
                let (high, low) = (Self.half(of: bytes, 0), Self.half(of: bytes, 8))
                // An IPv4 client of a dual-stack socket, `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2).
                return high == 0 && low >> 32 == 0xFFFF ? low & 0xFFFF_FFFF : high
            }
        default:
            self = .loopback
        }
    }

    private static func half(of address: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(bigEndian: address.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Whether it is `127.0.0.0/8`, `::1`, or a user of this machine.
    var isLoopback: Bool { network == 0 || network >> 24 == 127 || network >> 32 == 1 }
}
