// SPDX-License-Identifier: Apache-2.0

/// The rules of topic names (MQTT 5, section 4.7).
package enum TopicName {
    /// Whether something may be published there: no wildcards, no control characters, not the broker's own.
    package static func isPlain(_ topic: String) -> Bool {
        !topic.isEmpty && topic.utf8.count <= 1_024 && topic.utf8.first != UInt8(ascii: "$")
            && !topic.unicodeScalars.contains {
                $0 == "+" || $0 == "#" || $0.value < 0x20 || (0x7F...0x9F).contains($0.value)
            }
    }

    /// The levels behind `prefix` and its slash; `nil` for a topic that does not begin so.
    package static func levels(of topic: String, under prefix: String) -> [Substring]? {
        // By bytes, as brokers do: to Swift, a slash may be part of a character, and texts of other bytes are the same.
        guard topic.utf8.starts(with: "\(prefix)/".utf8) else { return nil }
        return topic.utf8.dropFirst(prefix.utf8.count + 1)
            .split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// Whether topics may begin with it: as above, and no level is empty.
    package static func isPrefix(_ text: String) -> Bool {
        isPlain(text) && text.utf8.count <= 128
            && text.split(separator: "/", omittingEmptySubsequences: false).allSatisfy { !$0.isEmpty }
    }
}
