// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// The network of a client, by which clients are counted: an IPv4 address, or the first 64 bits of an IPv6 address. A
/// client can have every address of its IPv6 network (RFC 4291, section 2.5.4).
package struct NetworkPrefix: Hashable, Sendable {
    /// An IPv4 address is the lower half of the number: `0:0:aabb:ccdd::/64`, not an IPv6 network.
    package let number: UInt64

    /// Returns `nil` for an address that is not one of IP.
    ///
    /// - Parameter address: An address of any family, as the kernel returned it.
    package init?(_ address: UnsafePointer<sockaddr>) {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            number = UInt64(UInt32(bigEndian: raw.load(as: sockaddr_in.self).sin_addr.s_addr))
        case AF_INET6:
            let address = raw.load(as: sockaddr_in6.self).sin6_addr
            number = withUnsafeBytes(of: address) { bytes in
                let (high, low) = (Self.half(of: bytes, 0), Self.half(of: bytes, 8))
                // An IPv4 client of a dual-stack socket, `::ffff:a.b.c.d` (RFC 4291, section 2.5.5.2).
                return high == 0 && low >> 32 == 0xFFFF ? low & 0xFFFF_FFFF : high
            }
        default: return nil
        }
    }

    package init(number: UInt64) { self.number = number }

    /// The network of clients with an address of another family: it has the limits of a remote one. No client's address
    /// begins with it, since it is of multicast.
    package static let unknown = NetworkPrefix(number: .max)

    private static func half(of address: UnsafeRawBufferPointer, _ offset: Int) -> UInt64 {
        UInt64(bigEndian: address.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Whether it is `127.0.0.0/8` or the network of `::1`.
    package var isLoopback: Bool { number == 0 || number >> 24 == 127 }
}
