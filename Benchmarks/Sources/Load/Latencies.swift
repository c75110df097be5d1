// SPDX-License-Identifier: Apache-2.0

internal import Histogram

/// A histogram of latencies with three significant digits (HdrHistogram).
package struct Latencies: Sendable {
    /// Nanoseconds, up to a minute.
    private var histogram = Histogram<UInt64>(highestTrackableValue: 60_000_000_000)

    package init() {}

    package var count: Int { Int(histogram.totalCount) }

    /// More than a minute counts as a minute.
    @inline(__always)
    package mutating func record(_ time: Duration) {
        _ = histogram.record(UInt64(min(max(time / .nanoseconds(1), 0), 60e9)))
    }

    package mutating func removeAll() { histogram.reset() }

    /// The percentile in milliseconds.
    package func milliseconds(percentile: Double) -> Double {
        Double(histogram.valueAtPercentile(percentile)) / 1e6
    }
}
