// SPDX-License-Identifier: Apache-2.0
import Support

/// The secret that the daemon and its ESPHome clients share: 32 bytes, in base64 for people. Never logged.
package struct NoiseKey: Equatable, Sendable {
    static let count = 32

    let bytes: [UInt8]

    /// The key with which clients encrypt before there is one. Everybody knows it.
    static let zero = NoiseKey(bytes: [UInt8](repeating: 0, count: count))!

    init?(bytes: [UInt8]) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    /// Returns `nil` for anything but 32 bytes in base64.
    package init?(base64 text: String) {
        guard let bytes = Base64.bytes(Self.count, of: text) else { return nil }
        self.bytes = bytes
    }

    /// As people and files have it.
    package var base64: String { Base64.text(of: bytes) }
}
