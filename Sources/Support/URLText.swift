// SPDX-License-Identifier: Apache-2.0
package import Glibc

/// Reads `host`, `host:port`, `[address]` or `[address]:port`, as URLs have it; the host without its brackets.
package func hostAndPort(of text: Substring) -> (host: String, port: Int?)? {
    let end = text.first == "[" ? text.firstIndex(of: "]") : nil
    guard (text.first == "[") == (end != nil) else { return nil }
    let host = end.map { text[text.index(after: text.startIndex)..<$0] } ?? text.prefix { $0 != ":" }
    let rest = end.map { text[text.index(after: $0)...] } ?? text[host.endIndex...]
    guard !host.isEmpty, !host.contains(where: \.isWhitespace) else { return nil }
    if rest.isEmpty { return (String(host), nil) }
    guard rest.first == ":", let port = Int(rest.dropFirst()), (1...65_535).contains(port) else { return nil }
    return (String(host), port)
}

/// Returns the IP address in a socket address as text; `nil` for another family.
package func numericHost(of address: UnsafePointer<sockaddr>, _ length: socklen_t) -> String? {
    var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
    guard getnameinfo(address, length, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) == 0 else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
}

extension String {
    /// Decodes percent signs (RFC 3986, section 2.1). Returns `nil` for one without two digits, and if the result is
    /// not UTF-8.
    package init?(percentDecoding text: Substring) {
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        self.init(validating: bytes, as: UTF8.self)
    }
}
