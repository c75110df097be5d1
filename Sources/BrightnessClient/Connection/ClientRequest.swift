// SPDX-License-Identifier: Apache-2.0

/// One request to the daemon.
package struct ClientRequest: Equatable, Sendable {
    package let method: String
    /// Path and query, percent-encoded.
    package let path: String
    /// JSON text; requests that change something have one.
    package let body: String?

    package init(_ method: String, _ path: String, _ body: [(String, JSON.Scalar)]? = nil) {
        self.method = method
        self.path = path
        self.body = body.map(JSON.object)
    }

    /// Percent-encodes all but letters, digits and `-._~` (RFC 3986).
    package static func encoded(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF")
        return text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                String(Unicode.Scalar(byte))
            default: "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }.joined()
    }
}
