// SPDX-License-Identifier: Apache-2.0

/// A rule that changes displays from one local time to another, on some days of the week.
package struct Schedule: Hashable, Sendable {
    package enum Displays: Hashable, Sendable {
        /// Every display of this machine.
        case all
        case named([DisplayID])
    }

    package enum Effect: Hashable, Sendable {
        /// Holds a boost, dim or sleep during the interval.
        case lease(LeaseKind, Brightness?)
        /// Sets the baseline once, at the beginning of the interval.
        case baseline(Brightness)
    }

    /// The longest transition in seconds.
    static let longestTransition = 3_600.0

    package private(set) var name: ResourceName
    package private(set) var displays = Displays.all
    /// The days of `from`.
    package private(set) var days = Set(Weekday.allCases)
    package let from: ScheduleTime
    /// The end: the first such time after `from`.
    package let to: ScheduleTime
    package let effect: Effect
    /// The duration of the changes at both ends; `nil` for the default.
    package private(set) var transition: Duration?
    /// A paused schedule is kept, and is never in force.
    package var isPaused = false

    /// The schedule with another spelling of its name.
    func named(_ name: ResourceName) -> Schedule {
        var schedule = self
        schedule.name = name
        return schedule
    }

    /// Whether it needs to know where on earth the machine is.
    package var needsLocation: Bool { from.isOfSun || to.isOfSun }

    var holder: String { ReservedHolder.schedule(name.text) }

    /// The kind of its leases; `nil` if it sets the baseline.
    var leaseKind: LeaseKind? { if case .lease(let kind, _) = effect { kind } else { nil } }

    func includes(_ display: DisplayID) -> Bool {
        switch displays {
        case .all: true
        case .named(let ids): ids.contains(display)
        }
    }
}

/// A schedule that survives the daemon.
package struct ScheduleRecord: Hashable, Sendable {
    package var schedule: Schedule
    /// The beginning of the interval in which the schedule last set the baseline: it does so once on each display.
    package var setAt: Timestamp?
    /// The displays on which it has, or counts as having.
    package var setOn: Set<DisplayID> = []
}

/// A schedule, whether it is in force, and when that changes next.
package struct ScheduleState: Hashable, Sendable {
    package struct Change: Hashable, Sendable {
        package let at: Timestamp
        package let isBegin: Bool
    }

    package let schedule: Schedule
    package let isActive: Bool
    /// `nil` while the clock is not set or the schedule is paused, and for one that is not in force within a year.
    package let next: Change?
}

/// All schedules in the order of their names: the payload of `Notification.schedules`.
package struct ScheduleReport: Hashable, Sendable {
    package let schedules: [ScheduleState]
    /// Whether the wall clock can be trusted. No schedule is in force before.
    package let isClockSet: Bool
    package private(set) var day = LocalDay()
}

/// All that clients need to draw a day of schedules: the local clock, and the sun of the present local day.
package struct LocalDay: Hashable, Sendable {
    /// Rounded to the minute, which is enough to draw and hides the exact location.
    package struct Sun: Hashable, Sendable {
        /// `nil` on a day on which the sun does not rise.
        package let sunrise: Timestamp?
        /// `nil` on a day on which the sun does not set.
        package let sunset: Timestamp?
    }

    /// By how many seconds local clocks are ahead of UTC.
    package private(set) var utcOffset: Int64 = 0
    /// `nil` if the location is unknown, and while the clock is not set.
    package private(set) var sun: Sun?
}
