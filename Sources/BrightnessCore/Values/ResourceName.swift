// SPDX-License-Identifier: Apache-2.0

/// A name in a person's own words that fits into one path segment: no `/`, not `.` or `..`. Names are compared by
/// characters, however they are composed.
package struct ResourceName: Hashable, Sendable, Comparable {
    package let text: String

    package init?(_ text: String) {
        guard text.isFreeName, text != ".", text != "..", !text.unicodeScalars.contains("/") else { return nil }
        self.text = text
    }

    package static func < (left: ResourceName, right: ResourceName) -> Bool { left.text < right.text }
}
