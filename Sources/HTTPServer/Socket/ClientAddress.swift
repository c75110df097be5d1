// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Whose streams and writes are counted together: an IPv4 address, or the first 64 bits of an IPv6 address, since a client can have
/// all addresses of its network (RFC 4291, section 2.5.4).
package struct ClientAddress: Hashable, Sendable {
    /// An IPv4 address is `::a.b.c.d:0:0:0`, where no IPv6 network is.
    private let network: UInt64

    /// Of `::1`, and of whoever has no IP address.
    static let loopback = ClientAddress(network: 0)

    private init(network: UInt64) { self.network = network }

    /// - Parameter address: As the kernel gave it; of any family.
    init(_ address: UnsafePointer<sockaddr>?) {
        guard let address else {
            self = .loopback
            return
        }
        let raw = UnsafeRawPointer(address)
        // The family is the first field of every kind of address.
        switch Int32(raw.load(as: sa_family_t.self)) {
        case AF_INET:
            network = UInt64(UInt32(bigEndian: raw.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let address = raw.load(as: sockaddr_in6.self).sin6_addr
            network = withUnsafeBytes(of: address) { UInt64(bigEndian: $0.loadUnaligned(as: UInt64.self)) }
        default:
            self = .loopback
        }
    }

    /// `127.0.0.0/8` or `::1`.
    var isLoopback: Bool { network == 0 || network >> 24 == 127 }
}
