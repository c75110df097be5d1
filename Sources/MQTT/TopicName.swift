// SPDX-License-Identifier: Apache-2.0
import Support

/// The rules of topic names (MQTT 5, section 4.7).
package enum TopicName {
    /// Whether a client may publish to a topic: no wildcards, no control characters, not one of the broker's own.
    package static func isPlain(_ topic: String) -> Bool {
        guard !topic.isEmpty, topic.utf8.count <= 1_024, topic.utf8.first != UInt8(ascii: "$") else { return false }
        // Most topics are ASCII.
        var hasOthers = false
        for byte in topic.utf8 {
            if byte == UInt8(ascii: "+") || byte == UInt8(ascii: "#") || byte < 0x20 || byte == 0x7F { return false }
            if byte >= 0x80 { hasOthers = true }
        }
        return !hasOthers
            || !topic.unicodeScalars.contains {
                $0 == "+" || $0 == "#" || $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
    }

    /// Returns the levels after `prefix` and its slash; `nil` for a topic outside the prefix.
    package static func levels(of topic: String, under prefix: String) -> [Substring]? {
        // Compared by bytes, as brokers do: in Swift a slash may be part of a character, and texts of different bytes
        // can be equal.
        guard topic.utf8.starts(with: prefix.utf8) else { return nil }
        let rest = topic.utf8.dropFirst(prefix.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return nil }
        return rest.dropFirst()
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Whether the level after `prefix` is one of two, and others follow. Costs less than `levels`.
    package static func isTopic(_ topic: String, of level: String, or other: String, under prefix: String) -> Bool {
        let topic = topic.utf8
        guard topic.starts(with: prefix.utf8) else { return false }
        let rest = topic.dropFirst(prefix.utf8.count)
        guard rest.first == UInt8(ascii: "/") else { return false }
        let levels = rest.dropFirst()
        return [level, other].contains { level in
            levels.starts(with: level.utf8) && levels.dropFirst(level.utf8.count).first == UInt8(ascii: "/")
        }
    }

    /// Whether a text is valid as the prefix of topics: plain, and no level is empty.
    package static func isPrefix(_ text: String) -> Bool {
        isPlain(text) && text.utf8.count <= 128
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}

/// The name of a daemon in topics: 1 to 32 letters, digits, `_` and `-`. `all` is reserved for every node.
///
/// Home Assistant's discovery topics allow the same characters, so a broker's access list can name them by the node.
package struct NodeName: Hashable, Sendable, CustomStringConvertible {
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

    private static func isAllowed(_ byte: UInt8) -> Bool { byte.isLetterOrDigit || "_-".utf8.contains(byte) }

    package var description: String { text }
}
