// SPDX-License-Identifier: Apache-2.0

/// Escape codes for bold, faint and yellow text; plain text if they are disabled.
package struct Style: Sendable {
    private let isStyled: Bool

    package init(isStyled: Bool) { self.isStyled = isStyled }

    func bold(_ text: String) -> String { wrap(text, "1") }
    func faint(_ text: String) -> String { wrap(text, "2") }
    /// Yellow, for leases and schedules in force.
    func temporary(_ text: String) -> String { wrap(text, "33") }

    private func wrap(_ text: String, _ code: String) -> String {
        isStyled ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
    }
}
