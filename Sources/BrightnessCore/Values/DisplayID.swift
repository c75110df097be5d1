// SPDX-License-Identifier: Apache-2.0
import Support

/// A display's name in paths, topics and logs: a connector or the kernel's device name, such as `intel_backlight`.
///
/// Stable across restarts. One path segment: 1 to 64 letters, digits and `_ . : -`, but not a reserved word.
package struct DisplayID: Hashable, Sendable, CustomStringConvertible {
    /// Words that cannot be an id. `all` means every display, the others are topics next to the displays' own, and `.`
    /// and `..` are directories.
    static let reserved: Set<String> = ["all", "ambient", "capabilities", "illuminance", "status", ".", ".."]

    private static let longest = 64

    package let text: String

    /// Returns `nil` for text that is not one path segment, and for reserved words.
    package init?(_ text: String) {
        guard (1...Self.longest).contains(text.utf8.count), !Self.reserved.contains(text),
            text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    /// Derives the id of a device from any name, such as `backlight@0`.
    ///
    /// - A valid id stays unchanged. Each other byte becomes `_`, a reserved word gets a trailing `_`, and long names
    ///   are cut.
    /// - Parameter number: Distinguishes devices whose ids would be equal: from 2 on it is appended, as in
    ///   `backlight_0-2`.
    package init(deviceName name: String, number: Int = 1) {
        let isReserved = name.isEmpty || Self.reserved.contains(name)
        let suffix = number > 1 ? "-\(number)" : (isReserved ? "_" : "")
        let kept = name.utf8.prefix(Self.longest - suffix.utf8.count)
        let bytes = kept.map { Self.isAllowed($0) ? $0 : UInt8(ascii: "_") }
        text = String(decoding: bytes, as: UTF8.self) + suffix
    }

    private static func isAllowed(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_.:-".utf8.contains(byte) }

    package var description: String { text }
}

/// A word that a machine gives its displays, such as `floor1`: 1 to 32 letters, digits and `_ . -`.
package struct DisplayTag: Hashable, Sendable {
    package let text: String

    package static let limit = 16

    package init?(_ text: String) {
        guard text.isName(upTo: 32) else { return nil }
        self.text = text
    }
}
