// SPDX-License-Identifier: Apache-2.0

/// The secret that the daemon and its ESPHome clients share: 32 bytes, in base64 for people. Never logged.
package struct NoiseKey: Equatable, Sendable {
    static let count = 32
    /// Such as `openssl rand -base64 32` prints.
    private static let characters = 44

    let bytes: [UInt8]

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// Returns `nil` for anything but 32 bytes in base64.
    package init?(base64 text: String) {
        let digits = Array(text.utf8)
        guard digits.count == Self.characters, digits.last == UInt8(ascii: "=") else { return nil }
        var bits: UInt32 = 0
        var bytes: [UInt8] = []
        for (index, digit) in digits.dropLast().enumerated() {
            guard let value = Self.alphabet.firstIndex(of: digit) else { return nil }
            bits = bits << 6 | UInt32(value)
            if index % 4 > 0 { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(6 - 2 * (index % 4)))) }
        }
        self.init(bytes: bytes)
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
