// SPDX-License-Identifier: Apache-2.0

/// A text in which `*` stands for any characters, or none: `hall:*`.
package struct Glob: Hashable, Sendable {
    package let text: String
    private let bytes: [UInt8]

    private static let star = UInt8(ascii: "*")

    package init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Whether it has a `*`. Without one it matches only itself.
    package static func isPattern(_ text: String) -> Bool { text.utf8.contains(star) }

    /// Allocates nothing. The cost is at most the product of both lengths.
    package func matches(_ text: String) -> Bool {
        let text = text.utf8
        var (place, index) = (0, text.startIndex)
        /// The last `*`, and where the text after it was tried to begin.
        var retry: (place: Int, index: String.UTF8View.Index)?
        while index != text.endIndex {
            if place < bytes.count, bytes[place] == Self.star {
                place += 1
                retry = (place, index)
            } else if place < bytes.count, bytes[place] == text[index] {
                place += 1
                text.formIndex(after: &index)
            } else if let last = retry {
                (place, index) = (last.place, text.index(after: last.index))
                retry = (place, index)
            } else {
                return false
            }
        }
        return bytes[place...].allSatisfy { $0 == Self.star }
    }
}
