// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The address of a client as text.
enum PeerAddress {
    /// Accepts a connection. Returns `nil` if none waits, or with `errno` if there is no descriptor for it.
    static func accept(_ listener: Int32) -> (socket: Int32, peer: String)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                let socket = Glibc.accept(listener, address, &length)
                return socket < 0 ? nil : (socket, text(address, length))
            }
        }
    }

    private static func text(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String {
        var host = [CChar](repeating: 0, count: 64)
        guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else {
            return "unknown"
        }
        return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
