// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// The address of a client.
struct PeerAddress {
    /// For the log.
    let text: String
    let network: NetworkPrefix

    /// Accepts a connection. Returns `nil` if none waits, or with `errno` if there is no descriptor for it.
    static func accept(_ listener: Int32) -> (socket: Int32, peer: PeerAddress)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let socket = Glibc.accept(listener, address, &length)
                guard socket >= 0 else { return nil }
                let network = NetworkPrefix(address) ?? NetworkPrefix(number: 0)
                return (socket, PeerAddress(text: numericHost(of: address, length) ?? "unknown", network: network))
            }
        }
    }

    /// Whether it is of this machine, also one of IPv4 at a socket of IPv6.
    var isLocal: Bool { text == "::1" || text.hasPrefix("127.") || text.hasPrefix("::ffff:127.") }
}
