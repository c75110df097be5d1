// SPDX-License-Identifier: Apache-2.0
private import CLinux

/// A text in which `*` stands for any characters, or none: `hall:*`.
package struct Glob: Hashable, Sendable {
    package let text: String
    /// The bytes before, between and after the stars.
    private let parts: [[UInt8]]

    private static let star = UInt8(ascii: "*")

    package init(_ text: String) {
        self.text = text
        parts = text.utf8.split(separator: Self.star, omittingEmptySubsequences: false).map { Array($0) }
    }

    /// Whether it has a `*`. Without one it matches only itself.
    package var isPattern: Bool { parts.count > 1 }

    /// Allocates nothing. The cost is linear in both lengths: clients choose patterns.
    package func matches(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { text in
            guard parts.count > 1 else { return text.elementsEqual(parts[0]) }
            let (first, last) = (parts[0], parts[parts.count - 1])
            guard text.count >= first.count + last.count, text.starts(with: first),
                text.suffix(last.count).elementsEqual(last)
            else { return false }
            var rest = UnsafeRawBufferPointer(
                rebasing: UnsafeRawBufferPointer(text)[first.count..<(text.count - last.count)]
            )
            for part in parts[1..<(parts.count - 1)] where !part.isEmpty {
                guard let start = rest.baseAddress, let found = memmem(start, rest.count, part, part.count) else {
                    return false
                }
                let end = UnsafeRawPointer(found) - start + part.count
                rest = UnsafeRawBufferPointer(rebasing: rest[end...])
            }
            return true
        }
    }
}
