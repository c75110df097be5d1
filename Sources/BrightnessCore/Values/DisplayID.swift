// SPDX-License-Identifier: Apache-2.0

/// A display's name in paths, topics and logs: a connector or the kernel's device name, such as `intel_backlight`.
///
/// Stable across restarts. One path segment: letters, digits and `_ . : -`, 1 to 64 of them; `all` is not an id, it
/// stands for every display.
package struct DisplayID: Hashable, Sendable {
    package let text: String

    /// Returns `nil` for text that cannot be one path segment, and for `all`.
    package init?(_ text: String) {
        guard (1...64).contains(text.utf8.count), text != "all", text != ".", text != "..",
            text.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        self.text = text
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "_"), UInt8(ascii: "."), UInt8(ascii: ":"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}

extension DisplayID: CustomStringConvertible {
    package var description: String { text }
}
