// SPDX-License-Identifier: Apache-2.0

/// How words stand out on a terminal; not at all where there is none.
package struct Style: Sendable {
    private let hasColor: Bool

    package init(hasColor: Bool) { self.hasColor = hasColor }

    package func bold(_ text: String) -> String { wrap(text, "1") }
    package func faint(_ text: String) -> String { wrap(text, "2") }
    /// For what is only so for a while.
    package func raised(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
