// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Where a server listens: an IP address and a port, such as `127.0.0.1:8787` or `[::1]:8787`. Port 0 takes a free one.
package struct ListenAddress: Hashable, Sendable {
    package let host: String
    package let port: UInt16

    /// Reads `HOST:PORT`, `[IPv6]:PORT`, `:PORT` (loopback) or `HOST`. `localhost` stands for `127.0.0.1`.
    ///
    /// Returns `nil` for anything else; names other than `localhost` are not looked up.
    package init?(_ text: String, defaultPort: UInt16 = 8_787) {
        var host = text[...]
        var port = defaultPort
        let isBracketed = host.first == "["
        if let colon = host.lastIndex(of: ":"),
            isBracketed ? host[..<colon].last == "]" : host.firstIndex(of: ":") == colon
        {
            guard let number = UInt16(host[host.index(after: colon)...]) else { return nil }
            port = number
            host = host[..<colon]
        }
        if isBracketed {
            guard host.last == "]" else { return nil }
            host = host.dropFirst().dropLast()
        }
        self.host = host.isEmpty || host == "localhost" ? "127.0.0.1" : String(host)
        self.port = port
        guard socketAddress != nil else { return nil }
    }

    init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    private var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

    /// The address in the kernel's form; `nil` if the host is no IP address.
    var socketAddress: SocketAddress? { SocketAddress(host: host, port: port, isIPv6: isIPv6) }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { isIPv6 ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

/// `sockaddr_in` or `sockaddr_in6`.
struct SocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t
    let family: Int32

    init?(host: String, port: UInt16, isIPv6: Bool) {
        var isParsed = false
        if isIPv6 {
            family = AF_INET6
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            isParsed = inet_pton(AF_INET6, host, &address.sin6_addr) == 1
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in6.self) }
        } else {
            family = AF_INET
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            isParsed = inet_pton(AF_INET, host, &address.sin_addr) == 1
            withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: sockaddr_in.self) }
        }
        guard isParsed else { return nil }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The port a bound socket has.
    static func port(of socket: Int32) -> UInt16 {
        var storage = sockaddr_in6()
        var length = socklen_t(MemoryLayout<sockaddr_in6>.size)
        _ = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        // sin_port and sin6_port are at the same place.
        return UInt16(bigEndian: storage.sin6_port)
    }
}
