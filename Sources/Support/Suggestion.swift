// SPDX-License-Identifier: Apache-2.0

/// The word that was probably meant by a mistyped one.
package enum Suggestion {
    /// Longer words get no suggestion, so that a hostile one costs little.
    private static let longest = 64

    /// Returns the candidate with the fewest typing errors, if they are few for its length; the first one of equals.
    /// Upper case counts as lower case.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let wanted = Array(word.lowercased().utf8)
        guard (1...longest).contains(wanted.count) else { return nil }
        var best: (word: String, distance: Int)?
        for candidate in candidates {
            // One error in a short word, and one more for each further four letters.
            let count = candidate.utf8.count
            let allowed = min(1 + count / 5, (best?.distance ?? .max) - 1)
            guard count <= longest, abs(count - wanted.count) <= allowed else { continue }
            let other = Array(candidate.lowercased().utf8)
            let distance = distance(from: wanted, to: other)
            // Short words within the limit may differ in every letter.
            if distance <= allowed, distance < max(wanted.count, other.count) { best = (candidate, distance) }
        }
        return best?.word
    }

    /// The number of inserted, deleted, replaced and swapped letters (optimal string alignment).
    private static func distance(from word: [UInt8], to other: [UInt8]) -> Int {
        var (earlier, last) = ([Int](), Array(0...other.count))
        for (row, letter) in word.enumerated() {
            var current = [row + 1]
            for (column, otherLetter) in other.enumerated() {
                var least = min(last[column + 1], current[column]) + 1
                least = min(least, last[column] + (letter == otherLetter ? 0 : 1))
                if row > 0, column > 0, letter == other[column - 1], word[row - 1] == otherLetter {
                    least = min(least, earlier[column - 1] + 1)
                }
                current.append(least)
            }
            (earlier, last) = (last, current)
        }
        return last[other.count]
    }

    /// Returns `a, b and c`.
    package static func list(_ words: [String], _ conjunction: String = "and") -> String {
        guard let last = words.last, words.count > 1 else { return words.first ?? "" }
        return words.dropLast().joined(separator: ", ") + " \(conjunction) \(last)"
    }
}
