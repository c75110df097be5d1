// SPDX-License-Identifier: Apache-2.0
import Glibc
import Support

/// The address of a client as text.
enum PeerAddress {
    /// Accepts a connection. Returns `nil` if none waits, or with `errno` if there is no descriptor for it.
    static func accept(_ listener: Int32) -> (socket: Int32, peer: String)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let socket = Glibc.accept(listener, address, &length)
                return socket < 0 ? nil : (socket, numericHost(of: address, length) ?? "unknown")
            }
        }
    }

    /// Whether an address is of this machine, also one of IPv4 at a socket of IPv6.
    static func isLoopback(_ peer: String) -> Bool {
        peer == "::1" || peer.hasPrefix("127.") || peer.hasPrefix("::ffff:127.")
    }
}
