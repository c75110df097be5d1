// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

/// A time zone with given changes of its offset.
struct FakeZone: TimeZoneRules {
    let first: Int64
    /// The offsets from these seconds on, the earliest first.
    var changes: [(second: Int64, offset: Int64)] = []

    func offset(at second: Int64) -> Int64 { changes.last { $0.second <= second }?.offset ?? first }

    static let utc = FakeZone(first: 0)

    /// Central European time: in 2026 summer time begins on 29 March and ends on 25 October, at 01:00 UTC.
    static let berlin = FakeZone(
        first: 3_600,
        changes: [(at("2026-03-29T01:00"), 7_200), (at("2026-10-25T01:00"), 3_600)]
    )

    /// Samoa skipped 30 December 2011: the clocks went from 23:59:59 on the 29th to 00:00 on the 31st.
    static let samoa = FakeZone(first: -36_000, changes: [(at("2011-12-30T10:00"), 50_400)])
}

/// The second of a time in UTC, written as `2026-03-29T01:00`.
func at(_ text: String) -> Int64 {
    let numbers = text.split { !$0.isNumber }.compactMap { Int64($0) }
    let (year, month, day) = (numbers[0], numbers[1], numbers[2])
    // Days since 1970-01-01, by Howard Hinnant's `days_from_civil`.
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let days = era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    return days * 86_400 + numbers[3] * 3_600 + numbers[4] * 60 + (numbers.count > 5 ? numbers[5] : 0)
}

extension Schedule {
    static func of(
        _ from: String,
        _ to: String,
        days: Set<Weekday> = Set(Weekday.allCases),
        displays: Displays = .all,
        name: String = "night",
        _ effect: Effect = .lease(.dim, .at(0.2)),
        transition: Duration? = nil
    ) -> Schedule {
        Schedule(
            name: ResourceName(name)!,
            displays: displays,
            days: days,
            from: ScheduleTime(from)!,
            to: ScheduleTime(to)!,
            effect: effect,
            transition: transition
        )
    }
}
