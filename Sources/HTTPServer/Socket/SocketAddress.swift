// SPDX-License-Identifier: Apache-2.0
package import Glibc
import Support

/// A socket address: `sockaddr_in`, `sockaddr_in6` or `sockaddr_un`.
package struct SocketAddress {
    private var storage = sockaddr_storage()
    private let length: socklen_t
    package let family: Int32

    package init?(host: String, port: UInt16, isIPv6: Bool) {
        // inet_pton would stop at a zero byte.
        guard !host.utf8.contains(0) else { return nil }
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = port.bigEndian
            guard inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else { return nil }
            self.init(address, family: AF_INET6)
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            guard inet_pton(AF_INET, host, &address.sin_addr) == 1 else { return nil }
            self.init(address, family: AF_INET)
        }
    }

    /// Creates the address of a Unix socket. Returns `nil` for an empty path, and for one of more than 107 bytes.
    package init?(path: String) {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let text = Array(path.utf8) + [0]
        guard text.count > 1, text.count <= MemoryLayout.size(ofValue: address.sun_path) else { return nil }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: text) }
        self.init(address, family: AF_UNIX)
    }

    /// - Parameter address: A structure of that family.
    private init<Address>(_ address: Address, family: Int32) {
        self.family = family
        length = socklen_t(MemoryLayout<Address>.size)
        withUnsafeMutableBytes(of: &storage) { $0.storeBytes(of: address, as: Address.self) }
    }

    /// Reads the address to which a socket is bound.
    init?(of socket: Int32) {
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let code = withUnsafeMutablePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &length) }
        }
        guard code == 0 else { return nil }
        self.length = length
        family = Int32(storage.ss_family)
    }

    /// The IP address and port; `nil` for another family.
    var listenAddress: ListenAddress? {
        guard family == AF_INET || family == AF_INET6, let host = withPointer({ numericHost(of: $0, $1) }) else {
            return nil
        }
        // sin_port and sin6_port have the same offset.
        let port = withUnsafeBytes(of: storage) { $0.loadUnaligned(as: sockaddr_in.self).sin_port }
        return ListenAddress(host: host, port: UInt16(bigEndian: port))
    }

    /// The path of a Unix socket; `nil` if it has none.
    var path: String? {
        guard family == AF_UNIX else { return nil }
        return withUnsafeBytes(of: storage) { bytes in
            let path = bytes[..<Int(length)].dropFirst(MemoryLayout<sa_family_t>.size).prefix { $0 != 0 }
            return path.isEmpty ? nil : String(decoding: path, as: UTF8.self)
        }
    }

    package func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }
}
