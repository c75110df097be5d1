// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct SchedulePlannerTests {
    private let berlin = SchedulePlanner(FakeZone.berlin, location: Location(latitude: 52.52, longitude: 13.405))

    private func interval(_ schedule: Schedule, _ planner: SchedulePlanner, on day: String) -> [Int64]? {
        planner.interval(of: schedule, on: CivilDay(at("\(day)T00:00") / 86_400)).map {
            [$0.lowerBound, $0.upperBound]
        }
    }

    @Test(arguments: [
        ("22:00", 1_320), ("00:00", 0), ("23:59", 1_439), ("07:05", 425),
    ])
    func `a local time is a minute of the day`(text: String, minute: Int) {
        #expect(ScheduleTime(text) == .clock(minute: minute))
        #expect(ScheduleTime(text)?.text == text)
    }

    @Test(arguments: ["sunset-00:30", "sunrise+01:00", "sunset", "sunrise", "sunrise-12:00"])
    func `a time by the sun is an event with an offset`(text: String) { #expect(ScheduleTime(text)?.text == text) }

    @Test(arguments: [
        "", "24:00", "7:00", "07:60", "07:00:00", "noon", "sunset-", "sunset 00:30", "sunset+12:01", "sunrise+1:00",
        "+07:00", "２２:00",
    ])
    func `other texts are no times`(text: String) { #expect(ScheduleTime(text) == nil) }

    @Test func `an interval that ends on the next day crosses midnight`() {
        let night = Schedule.of("22:00", "07:00", days: [.fri])
        // 2026-11-20 was a Friday.
        #expect(interval(night, berlin, on: "2026-11-20") == [at("2026-11-20T21:00"), at("2026-11-21T06:00")])
        #expect(interval(night, berlin, on: "2026-11-21") == nil)
        #expect(berlin.interval(of: night, at: at("2026-11-21T05:59")) != nil)
        #expect(berlin.interval(of: night, at: at("2026-11-21T06:00")) == nil)
        #expect(berlin.interval(of: night, at: at("2026-11-21T21:30")) == nil)
    }

    @Test func `a time that summer time skips is the moment of the jump`() {
        #expect(
            interval(.of("02:30", "05:00"), berlin, on: "2026-03-29")
                == [at("2026-03-29T01:00"), at("2026-03-29T03:00")]
        )
        #expect(
            interval(.of("01:00", "02:30"), berlin, on: "2026-03-29")
                == [at("2026-03-29T00:00"), at("2026-03-29T01:00")]
        )
        #expect(interval(.of("02:10", "02:50"), berlin, on: "2026-03-29") == nil)
    }

    @Test(arguments: [("02:00", "02:30"), ("02:10", "02:50"), ("02:30", "03:00")])
    func `a baseline whose interval summer time skips is set at the moment of the jump`(from: String, to: String) {
        let schedule = Schedule.of(from, to, .baseline(.at(0.3)))
        let jump = at("2026-03-29T01:00")
        #expect(interval(schedule, berlin, on: "2026-03-29") == [jump, jump + 60])
        #expect(berlin.boundary(of: schedule, after: jump - 60) == jump)
        #expect(berlin.interval(of: schedule, at: jump) != nil)
    }

    @Test func `a time that comes twice is the first`() {
        #expect(
            interval(.of("02:30", "05:00"), berlin, on: "2026-10-25")
                == [at("2026-10-25T00:30"), at("2026-10-25T04:00")]
        )
        #expect(
            interval(.of("01:00", "02:30"), berlin, on: "2026-10-25")
                == [at("2026-10-24T23:00"), at("2026-10-25T00:30")]
        )
    }

    @Test func `nights of both changes of summer time have 8 and 10 hours`() throws {
        let night = Schedule.of("22:00", "07:00")
        let spring = try #require(interval(night, berlin, on: "2026-03-28"))
        let autumn = try #require(interval(night, berlin, on: "2026-10-24"))
        #expect(spring[1] - spring[0] == 8 * 3_600)
        #expect(autumn[1] - autumn[0] == 10 * 3_600)
    }

    @Test func `a day that the calendar skips begins and ends at the jump`() {
        let samoa = SchedulePlanner(FakeZone.samoa)
        #expect(interval(.of("08:00", "20:00"), samoa, on: "2011-12-30") == nil)
        #expect(
            interval(.of("20:00", "07:00"), samoa, on: "2011-12-29") == [
                at("2011-12-30T06:00"), at("2011-12-30T10:00"),
            ]
        )
    }

    @Test func `sunset ends a day in the evening of its place`() throws {
        let evening = Schedule.of("sunset-00:30", "23:00")
        let found = try #require(interval(evening, berlin, on: "2026-06-21"))
        #expect(abs(found[0] - at("2026-06-21T19:03")) <= 120)
        #expect(found[1] == at("2026-06-21T21:00"))
    }

    @Test func `the local day has the offset of that second and the sun to the minute`() throws {
        let winter = berlin.localDay(at: at("2026-11-21T12:00"), isClockSet: true)
        let summer = berlin.localDay(at: at("2026-06-21T12:00"), isClockSet: true)
        #expect([winter.utcOffset, summer.utcOffset] == [3_600, 7_200])
        let sunset = try #require(summer.sun?.sunset).milliseconds / 1_000
        #expect(sunset % 60 == 0)
        #expect(abs(sunset - at("2026-06-21T19:33")) <= 120)
        let sunrise = try #require(summer.sun?.sunrise).milliseconds / 1_000
        #expect(abs(sunrise - at("2026-06-21T02:43")) <= 120)
        // In Berlin it is the next day already.
        let late = berlin.localDay(at: at("2026-06-21T22:30"), isClockSet: true)
        #expect(try #require(late.sun?.sunset).milliseconds / 1_000 > at("2026-06-22T00:00"))
    }

    /// Sunrise and sunset to the second would give away the place to some metres.
    @Test(arguments: UInt64(1)...100)
    func `every time by the sun is one of a whole minute, and the one that the local day reports`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let (latitude, longitude) = (Double(random.number(-55_000...55_000)), Double(random.number(-7_000...7_000)))
        let planner = SchedulePlanner(
            FakeZone.utc,
            location: Location(latitude: latitude / 1_000, longitude: longitude / 1_000)
        )
        let midnight = at("2026-01-01T00:00") + Int64(random.number(0...364)) * 86_400
        let sun = try #require(planner.localDay(at: midnight, isClockSet: true).sun)
        let times = try [#require(sun.sunrise), #require(sun.sunset)].map { $0.milliseconds / 1_000 }
        #expect(times.allSatisfy { $0 % 60 == 0 })
        let day = Schedule.of("sunrise+00:10", "sunset-00:30")
        let expected = [times[0] + 600, times[1] - 1_800]
        #expect(planner.interval(of: day, at: times[0] + 3_600).map { [$0.lowerBound, $0.upperBound] } == expected)
        #expect(planner.next(of: day, after: midnight)?.second == expected[0])
        #expect(planner.next(of: day, after: expected[0])?.second == expected[1])
        #expect(planner.boundary(of: day, after: midnight) == expected[0])
        #expect(planner.boundary(of: day, after: expected[0]) == expected[1])
    }

    @Test func `the local day has no sun without a place or a clock that is set, and no sunset in polar day`() {
        #expect(SchedulePlanner(FakeZone.berlin).localDay(at: 0, isClockSet: true) == LocalDay(utcOffset: 3_600))
        #expect(berlin.localDay(at: 0, isClockSet: false) == LocalDay(utcOffset: 3_600))
        let arctic = SchedulePlanner(FakeZone.utc, location: Location(latitude: 69.65, longitude: 18.96))
        let polarDay = LocalDay(utcOffset: 0, sun: .init(sunrise: nil, sunset: nil))
        #expect(arctic.localDay(at: at("2026-06-21T12:00"), isClockSet: true) == polarDay)
    }

    @Test func `without a sunset there is no interval that day`() throws {
        let arctic = SchedulePlanner(FakeZone.berlin, location: Location(latitude: 69.65, longitude: 18.96))
        #expect(interval(.of("sunset", "23:59"), arctic, on: "2026-06-21") == nil)
        #expect(interval(.of("sunset", "23:59"), arctic, on: "2026-03-20") != nil)
        let next = try #require(arctic.next(of: .of("sunset", "23:59"), after: at("2026-06-21T12:00")))
        // The midnight sun ends in Tromsø in the last days of July.
        #expect(next.isBegin)
        #expect((at("2026-07-20T00:00")...at("2026-08-01T00:00")).contains(next.second))
    }

    // Tromsø, where the sun is up from the middle of May on, and down from the end of November on.
    private let tromsø = SchedulePlanner(
        FakeZone(first: 3_600, changes: [(at("2026-03-29T01:00"), 7_200), (at("2026-10-25T01:00"), 3_600)]),
        location: Location(latitude: 69.65, longitude: 18.96)
    )
    private let dark = Schedule.of("sunset", "sunrise")
    private let light = Schedule.of("sunrise", "sunset")

    @Test func `the last sunset before weeks of light begins a night until midnight at the latest`() throws {
        var nights: [[Int64]] = []
        for day in at("2026-05-01T00:00") / 86_400...at("2026-06-15T00:00") / 86_400 {
            let night = tromsø.interval(of: dark, on: CivilDay(day))
            if let night { nights.append([night.lowerBound, night.upperBound]) }
        }
        #expect(nights.count >= 10)
        // Each is shorter than the one before, and the last one is not lost.
        #expect(zip(nights, nights.dropFirst()).allSatisfy { $1[1] - $1[0] < $0[1] - $0[0] })
        let last = try #require(nights.last)
        #expect((at("2026-05-15T00:00")...at("2026-05-20T00:00")).contains(last[0]))
        #expect(last[1] - last[0] < 3_600)
    }

    @Test func `a polar night is a night, and a polar day is a day`() {
        for hour in 0..<Int64(24) {
            let (winter, summer) = (at("2026-12-21T00:00") + hour * 3_600, at("2026-06-21T00:00") + hour * 3_600)
            #expect(tromsø.interval(of: dark, at: winter) != nil && tromsø.interval(of: light, at: winter) == nil)
            #expect(tromsø.interval(of: dark, at: summer) == nil && tromsø.interval(of: light, at: summer) != nil)
        }
    }

    @Test func `the end of a polar night is announced`() throws {
        let next = try #require(tromsø.next(of: dark, after: at("2026-12-21T12:00")))
        #expect(!next.isBegin)
        #expect((at("2027-01-10T00:00")...at("2027-01-25T00:00")).contains(next.second))
    }

    @Test func `a schedule by the sun is never in force without a place`() {
        let nowhere = SchedulePlanner(FakeZone.berlin)
        #expect(nowhere.next(of: .of("sunset", "23:00"), after: at("2026-06-21T12:00")) == nil)
    }

    @Test func `the next change is the end of an interval in force, else the next beginning`() throws {
        let weekdays = Schedule.of("22:00", "07:00", days: [.mon])
        let sunday = try #require(berlin.next(of: weekdays, after: at("2026-11-22T12:00")))
        #expect(sunday.isBegin)
        #expect(sunday.second == at("2026-11-23T21:00"))
        let night = try #require(berlin.next(of: weekdays, after: at("2026-11-23T21:00")))
        #expect(!night.isBegin)
        #expect(night.second == at("2026-11-24T06:00"))
    }

    /// Any rule in any zone: walking from change to change finds the same intervals as asking at each instant.
    @Test(arguments: UInt64(1)...150)
    func `the changes that are announced are those that happen`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let planner = random.planner()
        let schedule = random.schedule("any")
        var second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
        for _ in 0..<12 {
            let isActive = planner.interval(of: schedule, at: second) != nil
            guard let next = planner.next(of: schedule, after: second) else {
                for days in 0..<60 { #expect(planner.interval(of: schedule, at: second + Int64(days) * 43_201) == nil) }
                return
            }
            #expect(next.second > second)
            #expect(next.isBegin != isActive)
            // Between the two nothing changes.
            for _ in 0..<4 {
                let between = second + Int64(random.number(0...Int(next.second - second - 1)))
                #expect((planner.interval(of: schedule, at: between) != nil) == isActive, "at \(between)")
            }
            #expect((planner.interval(of: schedule, at: next.second) != nil) || !next.isBegin)
            second = next.second
        }
    }

    /// The rule evaluated by local clocks: an instant is inside where the clock's face is between the two times, unless
    /// the clocks change that day.
    @Test(arguments: UInt64(1)...100)
    func `on days without a change of the clocks the rule is that of the clock's face`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let offset = Int64(random.number(-44...52)) * 900
        let planner = SchedulePlanner(FakeZone(first: offset))
        let (from, to) = (random.number(0...1_439), random.number(0...1_439))
        let days = Set(Weekday.allCases.filter { _ in random.number(0...1) == 1 })
        guard from != to else { return }
        let schedule = Schedule(
            name: ResourceName("any")!,
            days: days,
            from: .clock(minute: from),
            to: .clock(minute: to),
            effect: .lease(.sleep, nil)
        )
        for _ in 0..<50 {
            let second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
            let local = second + offset
            let (day, face) = (CivilDay(local.floorDivided(by: 86_400)), Int(local.floorRemainder(by: 86_400)))
            let isToday = days.contains(day.weekday) && face >= from * 60 && (face < to * 60 || to < from)
            let isYesterdays = to < from && face < to * 60 && days.contains((day + -1).weekday)
            #expect((planner.interval(of: schedule, at: second) != nil) == (isToday || isYesterdays))
        }
    }
}

extension SplitMix {
    /// A planner for any place, with any two changes of summer time.
    mutating func planner() -> SchedulePlanner {
        let offset = Int64(number(-44...52)) * 900
        var second = at("2026-02-01T00:00")
        var changes: [(Int64, Int64)] = []
        for step in [3_600, 0, 1_800, 0] as [Int64] {
            second += Int64(number(1...9_000)) * 900
            changes.append((second, offset + step))
        }
        let location = Location(latitude: Double(number(-90...90)), longitude: Double(offset) / 240)
        return SchedulePlanner(FakeZone(first: offset, changes: changes), location: location)
    }

    mutating func schedule(_ name: String) -> Schedule {
        let from = scheduleTime()
        var to = scheduleTime()
        while to == from { to = scheduleTime() }
        let days = Set(Weekday.allCases.filter { _ in number(0...2) > 0 })
        let effects: [Schedule.Effect] = [
            .lease(.dim, Brightness(clamping: fraction())), .lease(.boost, Brightness(clamping: fraction())),
            .lease(.sleep, nil), .baseline(Brightness(clamping: fraction())),
        ]
        let effect = effects[number(0...3)]
        return Schedule(name: ResourceName(name)!, days: days, from: from, to: to, effect: effect)
    }

    private mutating func scheduleTime() -> ScheduleTime {
        switch number(0...5) {
        case 0: .sun(.sunset, offset: number(-720...720))
        case 1: .sun(.sunrise, offset: number(-720...720))
        default: .clock(minute: number(0...1_439))
        }
    }
}
