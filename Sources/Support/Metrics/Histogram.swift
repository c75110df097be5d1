// SPDX-License-Identifier: Apache-2.0

/// A histogram of durations. A value: one thread counts, another reads a copy.
package struct Histogram: Sendable {
    /// The upper bounds of all buckets but the last, which has none; ascending.
    package let bounds: [Duration]
    /// The count of each bucket, not cumulative.
    package private(set) var counts: [UInt64]
    package private(set) var sum: Duration = .zero

    package init(bounds: [Duration]) {
        self.bounds = bounds
        counts = Array(repeating: 0, count: bounds.count + 1)
    }

    /// From 0.1 ms to 10 s, three per decade.
    package static let defaultBounds: [Duration] =
        [100, 1_000, 10_000, 100_000, 1_000_000].flatMap { decade in
            [.microseconds(decade), .microseconds(decade * 5 / 2), .microseconds(decade * 5)]
        } + [.seconds(10)]

    package mutating func count(_ duration: Duration) {
        counts[bounds.firstIndex { duration <= $0 } ?? bounds.count] += 1
        sum += duration
    }

    /// The sum of two histograms with the same bounds.
    package static func + (left: Histogram, right: Histogram) -> Histogram {
        var both = left
        for index in both.counts.indices { both.counts[index] += right.counts[index] }
        both.sum += right.sum
        return both
    }
}
