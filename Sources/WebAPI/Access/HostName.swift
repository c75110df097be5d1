// SPDX-License-Identifier: Apache-2.0
import HTTPServer

/// The host part of a `Host` field or an origin, without its port.
struct HostName {
    /// In lower case; an IPv6 address without its brackets.
    let text: String
    private let isBracketed: Bool

    init(_ authority: String) {
        isBracketed = authority.hasPrefix("[")
        if isBracketed {
            let (address, rest) = authority.dropFirst().split(at: "]")
            // What follows the bracket is a port, or it is no address at all.
            text = Self.isPort(rest) ? address.lowercased() : authority.lowercased()
        } else {
            // What follows a name is a port, or it is no name: in `127.0.0.1:x@evil.example` the host is the last part.
            let name = authority.prefix { $0 != ":" }
            text = Self.isPort(authority[name.endIndex...]) ? name.lowercased() : authority.lowercased()
        }
    }

    /// Whether it is empty, or a colon with digits or none (RFC 3986, section 3.2.3).
    private static func isPort(_ text: Substring) -> Bool {
        text.isEmpty
            || text.utf8.first == UInt8(ascii: ":") && text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }
    }

    /// A literal IP address: no name that somebody else's DNS could point here.
    var isAddress: Bool { IPAddress.isLiteral(text, isIPv6: isBracketed) }

    var isLocalhost: Bool { text == "localhost" }

    var isLoopback: Bool { isLocalhost || isAddress && (text == "::1" || !isBracketed && text.hasPrefix("127.")) }
}

extension Substring {
    /// What stands before and after the first `character`; nothing after it if there is none.
    fileprivate func split(at character: Character) -> (Substring, Substring) {
        guard let index = firstIndex(of: character) else { return (self, "") }
        return (self[..<index], self[self.index(after: index)...])
    }
}
