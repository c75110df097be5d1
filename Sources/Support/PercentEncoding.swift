// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text as a segment of a path or a value of a query: all but letters, digits and `-._~` is percent-encoded
    /// (RFC 3986).
    package var percentEncoded: String {
        let digits = Array("0123456789ABCDEF")
        return utf8.map { byte in
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
