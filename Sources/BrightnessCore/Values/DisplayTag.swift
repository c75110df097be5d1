// SPDX-License-Identifier: Apache-2.0

/// A word that a machine gives its displays, such as `floor1`: 1 to 32 letters, digits and `_ . -`.
package struct DisplayTag: Hashable, Sendable {
    package let text: String

    /// The most tags of a display.
    package static let limit = 16

    package init?(_ text: String) {
        guard text.isName(upTo: 32) else { return nil }
        self.text = text
    }
}
