// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

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

    /// - Parameter step: At least 1; `nil` chooses a step for about 500 points.
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
    var times: some Sequence<Int64> {
        stride(from: from.milliseconds, through: to.milliseconds, by: step * 1_000)
    }

    /// The usual divisions of clocks and calendars, in seconds.
    private static let defaultSteps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200,
    ]

    private static func defaultStep(for span: Int64) -> Int {
        let smallest = Int(span / 500_000)
        let day = 86_400
        return defaultSteps.first { $0 >= smallest } ?? (smallest / day + 1) * day
    }
}

/// The answer to a `HistoryQuery`.
package struct History: Equatable, Sendable {
    /// The state at one time.
    package struct Point: Equatable, Sendable {
        package let at: Timestamp
        /// `nil` while unknown: the display did not answer, the daemon did not run, or the history was deleted.
        package let brightness: Brightness?
        package let baseline: Brightness?
        /// The ambient light; also `nil` without a sensor.
        package let illuminance: Illuminance?
    }

    /// The maximum number of leases per answer; the newest are returned.
    package static let leaseLimit = 500

    package var points: [Point] = []
    /// The leases that were in force at any time of the range, the oldest first.
    package var leases: [LeaseInterval] = []
    /// Whether older leases of the range are missing in `leases`.
    package var isTruncated = false
    /// The last change within each step.
    package var causes: [Cause] = []
}

/// The time in which a lease was in force, and its request.
package struct LeaseInterval: Hashable, Sendable {
    package internal(set) var kind = LeaseKind.boost
    package let holder: String?
    package internal(set) var reason: String?
    /// The requested brightness; `nil` for kinds without one.
    package internal(set) var brightness: Brightness?
    package let from: Timestamp
    /// `nil` while it is in force.
    package internal(set) var to: Timestamp?
    /// The event that ended the lease; `nil` while it is in force, and when its end was not observed.
    package internal(set) var end: LeaseChange?
}
