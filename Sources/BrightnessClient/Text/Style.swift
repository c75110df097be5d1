// SPDX-License-Identifier: Apache-2.0

/// The colours and weights of words on a terminal; none elsewhere.
package struct Style: Sendable {
    private let hasColor: Bool

    package init(hasColor: Bool) { self.hasColor = hasColor }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    /// Yellow, for temporary states such as a boost.
    func raised(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        hasColor ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
