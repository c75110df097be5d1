// SPDX-License-Identifier: Apache-2.0

/// The name of a daemon in topics: 1 to 32 letters, digits, `_` and `-`. `all` is reserved for every node.
///
/// Home Assistant's discovery topics allow the same characters, so a broker's access list can name them by the node.
package struct NodeName: Hashable, Sendable {
    package let text: String

    package init?(_ text: String) {
        guard (1...32).contains(text.utf8.count), text != "all", text.utf8.allSatisfy(Self.isAllowed) else {
            return nil
        }
        self.text = text
    }

    /// Derives a name from the machine's name, without its domain and without characters that a node name must not
    /// have.
    package init(ofMachine name: String) {
        let allowed = name.utf8.prefix { $0 != UInt8(ascii: ".") }.filter(Self.isAllowed).prefix(32)
        text = NodeName(String(decoding: Array(allowed), as: UTF8.self))?.text ?? "brightnessd"
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
            true
        default:
            false
        }
    }
}

extension NodeName: CustomStringConvertible {
    package var description: String { text }
}
