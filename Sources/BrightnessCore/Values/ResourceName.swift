// SPDX-License-Identifier: Apache-2.0

/// A name in a person's own words that fits into one path segment: no `/`, not `.` or `..`. Names are compared by
/// characters, however they are composed.
package struct ResourceName: Hashable, Sendable, Comparable {
    package let text: String

    package init?(_ text: String) {
        guard text.isFreeName, text != ".", text != "..", !text.unicodeScalars.contains("/") else { return nil }
        self.text = text
    }

    /// Numbers in names count as numbers: `Room 2` is before `Room 10`.
    package static func < (left: ResourceName, right: ResourceName) -> Bool { isBefore(left.text, right.text) }

    /// As `<`, for texts with names in them.
    static func isBefore(_ left: String, _ right: String) -> Bool {
        var (rest, other) = (left[...], right[...])
        while let character = rest.first, let counterpart = other.first {
            let (number, otherNumber) = (rest.takeNumber(), other.takeNumber())
            if let number, let otherNumber {
                if number != otherNumber { return (number.count, number) < (otherNumber.count, otherNumber) }
            } else if character != counterpart {
                return character < counterpart
            } else {
                rest.removeFirst()
                other.removeFirst()
            }
        }
        return rest.isEmpty && other.isEmpty ? left < right : rest.isEmpty
    }
}

extension Substring {
    /// Removes the digits at the beginning and returns them without leading zeros; `nil` without a digit.
    fileprivate mutating func takeNumber() -> Substring? {
        let digits = prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty else { return nil }
        removeFirst(digits.count)
        return digits.drop { $0 == "0" }
    }
}
