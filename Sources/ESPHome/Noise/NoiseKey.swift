// SPDX-License-Identifier: Apache-2.0

/// The secret that the daemon and its ESPHome clients share: 32 bytes, in base64 for people. Never logged.
package struct NoiseKey: Equatable, Sendable {
    static let count = 32
    /// Such as `openssl rand -base64 32` prints.
    private static let characters = 44

    let bytes: [UInt8]

    /// The key with which clients encrypt before there is one. Everybody knows it.
    static let zero = NoiseKey(bytes: [UInt8](repeating: 0, count: count))!

    var isZero: Bool { self == .zero }

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

    /// As people and files have it.
    package var base64: String {
        var digits: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for place in 0...group.count { digits.append(Self.alphabet[Int(bits >> UInt32(18 - 6 * place) & 0x3F)]) }
        }
        return String(decoding: digits, as: UTF8.self) + "="
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
