// SPDX-License-Identifier: Apache-2.0
import Glibc

/// An IP address and a port to listen on, such as `127.0.0.1:8787` or `[::1]:8787`. Port 0 selects a free one.
package struct ListenAddress: Hashable, Sendable, CustomStringConvertible {
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

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    package var isEvery: Bool { host == "0.0.0.0" || host == "::" }

    /// The host as in a URL.
    package var urlHost: String { isIPv6 ? "[\(host)]" : host }

    /// The address at which a client of the same machine reaches it.
    package var reachable: ListenAddress {
        switch host {
        case "0.0.0.0": ListenAddress(host: "127.0.0.1", port: port)
        case "::": ListenAddress(host: "::1", port: port)
        default: self
        }
    }

    private var isIPv6: Bool { host.utf8.contains(UInt8(ascii: ":")) }

    /// The address as a socket address; `nil` if the host is not an IP address.
    package var socketAddress: SocketAddress? { SocketAddress(host: host, port: port, isIPv6: isIPv6) }

    package var description: String { "\(urlHost):\(port)" }
}
