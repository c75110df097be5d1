// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// What somebody wants to know of a display's past: from when to when, and how finely.
package struct HistoryQuery: Hashable, Sendable {
    /// The most points of one answer.
    package static let limit = 2_000

    package enum Failure: Error, Equatable {
        /// It ends before it begins, or then.
        case empty
        /// It would give more than `limit` points: the smallest step that does not, in seconds.
        case tooFine(smallestStep: Int)
    }

    package let display: DisplayID
    package let from: Timestamp
    package let to: Timestamp
    /// Whole seconds from one point to the next.
    package let step: Int

    /// - Parameter step: At least 1; `nil` chooses one that gives some 500 points.
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

    /// When the points are: at `from`, and every step after it up to `to`.
    var times: some Sequence<Int64> {
        stride(from: from.milliseconds, through: to.milliseconds, by: step * 1_000)
    }

    /// The steps of clocks and calendars, in seconds.
    private static let defaultSteps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 21_600, 43_200,
    ]

    private static func defaultStep(for span: Int64) -> Int {
        let smallest = Int(span / 500_000)
        let day = 86_400
        return defaultSteps.first { $0 >= smallest } ?? (smallest / day + 1) * day
    }
}

/// A display's past, as it was asked for.
package struct History: Equatable, Sendable {
    /// What was in force at one time.
    package struct Point: Equatable, Sendable {
        package let at: Timestamp
        /// `nil` where it is not known: the display did not answer, the daemon did not run, or nobody remembers.
        package let brightness: Brightness?
        package let baseline: Brightness?
        /// The light in the room; `nil` where there was no sensor, too.
        package let illuminance: Illuminance?
    }

    /// The most boosts of one answer: the newest.
    package static let boostLimit = 500

    package var points: [Point] = []
    /// Those that were in force at any time of it, the oldest first.
    package var boosts: [LeaseInterval] = []
    /// Of each step the last change.
    package var causes: [Cause] = []
}

/// The time that a boost was in force, and what it asked for.
package struct LeaseInterval: Hashable, Sendable {
    package let holder: String?
    package internal(set) var reason: String?
    /// What it asked for.
    package internal(set) var brightness: Brightness
    package let from: Timestamp
    /// `nil` while it is in force.
    package internal(set) var to: Timestamp?
    /// How it ended; `nil` while it is in force, and when nobody saw its end.
    package internal(set) var end: LeaseChange?
}
