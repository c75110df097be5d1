// SPDX-License-Identifier: Apache-2.0
internal import CNettle
import Support

/// The SHA-256 digest of a secret, compared in constant time.
struct SecretDigest: Hashable, Sendable {
    private let bytes: [UInt8]

    init(of secret: String) { bytes = sha256(of: Array(secret.utf8)) }

    /// Returns `nil` unless it is 64 hexadecimal digits.
    init?(hexadecimal: Substring) {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        guard digits.count == 64, hexadecimal.utf8.count == 64 else { return nil }
        bytes = stride(from: 0, to: 64, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    func isSame(as other: SecretDigest) -> Bool { nettle_memeql_sec(bytes, other.bytes, bytes.count) != 0 }
}

/// A short name for the content of a document: the beginning of its SHA-256 digest.
package struct ContentDigest {
    /// 16 hexadecimal digits.
    package let text: String

    package init(of bytes: [UInt8]) {
        text = sha256(of: bytes).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
