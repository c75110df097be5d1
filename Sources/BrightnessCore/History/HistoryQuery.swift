// SPDX-License-Identifier: Apache-2.0

/// A client's request for a display's past: the time range and the resolution.
package struct HistoryQuery: Hashable, Sendable {
    /// The maximum number of points per answer.
    package static let limit = 2_000

    package enum Failure: Error, Equatable {
        /// The range has no length.
        case empty
        /// The query has more than `limit` points. The payload is the smallest allowed step in seconds.
        case tooFine(smallestStep: Int)
    }

    package let display: DisplayID
    package let from: Timestamp
    package let to: Timestamp
    /// The seconds between two points.
    package let step: Int

    /// - Parameter step: At least 1; `nil` chooses the shortest one for at most 501 points.
    package init(_ display: DisplayID, from: Timestamp, to: Timestamp, step: Int? = nil) throws(Failure) {
        guard from < to else { throw .empty }
        let span = to.milliseconds - from.milliseconds
        let step = step ?? Self.defaultStep(for: span)
        let smallest = Int(span / (Int64(Self.limit) * 1_000)) + 1
        guard step >= smallest else { throw .tooFine(smallestStep: smallest) }
        self.display = display
        self.from = from
        self.to = to
        self.step = step
    }

    /// The times of the points: `from`, and every step after it up to `to`.
    package var times: some Sequence<Int64> {
        stride(from: from.milliseconds, through: to.milliseconds, by: step * 1_000)
    }

    /// The usual divisions of clocks and calendars, in seconds.
    private static let defaultSteps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200,
    ]

    private static func defaultStep(for span: Int64) -> Int {
        let smallest = Int((span + 499_999) / 500_000)
        let day = 86_400
        return defaultSteps.first { $0 >= smallest } ?? (smallest + day - 1) / day * day
    }
}
