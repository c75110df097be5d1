// SPDX-License-Identifier: Apache-2.0

extension String {
    /// The text as a segment of a path or a value of a query: percent-encoded but for letters, digits and `-._~`
    /// (RFC 3986).
    ///
    /// - Parameter kept: More characters that stay, in ASCII.
    package func percentEncoded(keeping kept: String = "") -> String {
        utf8.reduce(into: "") { text, byte in
            if byte.isLetterOrDigit || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}
