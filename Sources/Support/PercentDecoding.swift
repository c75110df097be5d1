// SPDX-License-Identifier: Apache-2.0

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
