// SPDX-License-Identifier: Apache-2.0

/// How many durations were how long. A value: one thread counts, another reads a copy.
package struct Histogram: Sendable {
    /// The longest duration of each class but the last, which has no limit; ascending.
    package let bounds: [Duration]
    /// Of each class, not of those below it.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Duration = .zero

    package init(bounds: [Duration]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// From a tenth of a millisecond to ten seconds, three a decade.
    package static let usualBounds: [Duration] =
        [100, 1_000, 10_000, 100_000, 1_000_000].flatMap { decade in
            [.microseconds(decade), .microseconds(decade * 5 / 2), .microseconds(decade * 5)]
        } + [.seconds(10)]

    package mutating func count(_ duration: Duration) {
        counts[bounds.firstIndex { duration <= $0 } ?? bounds.count] += 1
        sum += duration
    }

    /// The two together. They have the same bounds.
    package static func + (left: Histogram, right: Histogram) -> Histogram {
        var both = left
        for index in both.counts.indices { both.counts[index] += right.counts[index] }
        both.sum += right.sum
        return both
    }
}
