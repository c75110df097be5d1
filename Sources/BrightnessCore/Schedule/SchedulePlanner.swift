// SPDX-License-Identifier: Apache-2.0

/// Computes when schedules are in force. Pure: the same time, time zone and location give the same answer, whatever the
/// clock did before.
package struct SchedulePlanner: Sendable {
    /// The longest interval: a day, an hour for the end of summer time, and the drift of sunrise and sunset.
    private static let longest: Int64 = 26 * 3_600
    /// The maximum number of adjoining intervals that are one to `next`: more than the days of a polar night.
    private static let mostAdjoining = 190
    /// The interval of a baseline that the clocks skip, in seconds.
    private static let skipped: Int64 = 60
    /// How far `next` looks ahead.
    private static let horizon: Int64 = 370

    private let rules: any TimeZoneRules
    /// `nil` if it is unknown. Schedules by the sun are never in force then.
    var location: Location?

    package init(_ rules: any TimeZoneRules, location: Location? = nil) {
        self.rules = rules
        self.location = location
    }

    /// Returns the interval that contains this second since 1970; `nil` if the schedule is not in force.
    func interval(of schedule: Schedule, at second: Int64) -> Range<Int64>? {
        let today = rules.day(at: second)
        // A day near a change of the date line, and offsets of 12 hours from the sun, may move an interval by a day.
        for day in [today + 1, today, today + -1, today + -2] {
            if let interval = interval(of: schedule, on: day), interval.contains(second) { return interval }
        }
        return nil
    }

    /// Returns the next second at which the schedule comes into force, or is no longer. Adjoining intervals are one.
    func next(of schedule: Schedule, after second: Int64) -> (second: Int64, isBegin: Bool)? {
        guard var current = interval(of: schedule, at: second) else {
            return begin(of: schedule, after: second).map { ($0, true) }
        }
        // The next interval may begin where this one ends, because of a change of the clocks or in a polar night.
        for _ in 0..<Self.mostAdjoining {
            guard let following = interval(of: schedule, at: current.upperBound) else { break }
            current = following
        }
        return (current.upperBound, false)
    }

    /// Returns the next second at which an interval begins or ends, also where another one adjoins.
    func boundary(of schedule: Schedule, after second: Int64) -> Int64? {
        let begin = begin(of: schedule, after: second)
        guard let end = interval(of: schedule, at: second)?.upperBound else { return begin }
        return min(end, begin ?? end)
    }

    /// Returns the local clock at this second since 1970 and, if the clock can be trusted, the sun of that day.
    func localDay(at second: Int64, isClockSet: Bool) -> LocalDay {
        guard isClockSet, location != nil else { return LocalDay(utcOffset: rules.offset(at: second)) }
        let today = rules.day(at: second)
        let times = SunEvent.allCases.map { event in
            sun(event, offset: 0, on: today).flatMap { time in
                time.polar == nil ? Timestamp(milliseconds: time.second * 1_000) : nil
            }
        }
        return LocalDay(utcOffset: rules.offset(at: second), sun: .init(sunrise: times[0], sunset: times[1]))
    }

    private func begin(of schedule: Schedule, after second: Int64) -> Int64? {
        if schedule.isPaused || schedule.days.isEmpty || (schedule.needsLocation && location == nil) { return nil }
        let today = rules.day(at: second)
        for days in -1...Self.horizon {
            let begin = interval(of: schedule, on: today + days)?.lowerBound
            if let begin, begin > second { return begin }
        }
        return nil
    }

    /// Returns the interval that begins on this day; `nil` if there is none, as for a paused schedule.
    func interval(of schedule: Schedule, on day: CivilDay) -> Range<Int64>? {
        guard !schedule.isPaused, schedule.days.contains(day.weekday), let begin = begin(of: schedule, on: day),
            let end = end(of: schedule, after: begin, on: day), begin <= end
        else { return nil }
        // Summer time skips all of it: a baseline is set at the moment of the change.
        if begin == end { return schedule.leaseKind == nil ? begin..<begin + Self.skipped : nil }
        return begin..<end
    }

    /// A polar day has no sunset that begins anything, and a polar night no sunrise.
    private func begin(of schedule: Schedule, on day: CivilDay) -> Int64? {
        guard case .sun(let event, let offset) = schedule.from else { return second(of: schedule.from, on: day) }
        guard let time = sun(event, offset: offset, on: day), time.polar != (event == .sunset ? .day : .night) else {
            return nil
        }
        return time.second
    }

    private func end(of schedule: Schedule, after begin: Int64, on day: CivilDay) -> Int64? {
        if case (.clock(let from), .clock(let to)) = (schedule.from, schedule.to) {
            // By the clocks' faces: an interval within the hour that summer time skips is empty.
            return second(of: schedule.to, on: to > from ? day : day + 1)
        }
        for day in [day + -1, day, day + 1, day + 2] {
            guard let end = second(of: schedule.to, on: day) else { return nil }
            if end > begin { return end - begin <= Self.longest ? end : nil }
            // On a polar day `end` is the midnight in place of a sunrise. After that there is no night left to end.
            if case .sun(.sunrise, let offset) = schedule.to, begin - end < Self.longest / 2,
                sun(.sunrise, offset: offset, on: day)?.polar == .day
            {
                return nil
            }
        }
        return nil
    }

    private func second(of time: ScheduleTime, on day: CivilDay) -> Int64? {
        switch time {
        case .clock(let minute): rules.second(of: minute, on: day)
        case .sun(let event, let offset): sun(event, offset: offset, on: day)?.second
        }
    }

    /// To the minute, so that no time that is published gives away the exact location; `nil` without one.
    private func sun(_ event: SunEvent, offset: Int, on day: CivilDay) -> (second: Int64, polar: PolarDay?)? {
        // Exact to the hour of a change of the clocks, which is enough to find the sun's day.
        let clockNoon = day.number * 86_400 + 43_200
        let noon = clockNoon - rules.offset(at: clockNoon)
        return location.map { location in
            let (second, polar) = location.second(of: event, near: noon)
            return (((second + 30).floorDivided(by: 60) + Int64(offset)) * 60, polar)
        }
    }
}
