// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct SchedulesTests {
    private let planner = SchedulePlanner(FakeZone.utc)
    private let night = Schedule.of("22:00", "07:00")
    private let evening = Schedule.of("18:00", "23:00", name: "evening", .baseline(.at(0.3)))

    private func schedules(_ all: Schedule...) -> Schedules {
        Schedules(planner, all.map { ScheduleRecord(schedule: $0) })
    }

    private func evaluate(
        _ schedules: inout Schedules,
        _ text: String,
        isSet: Bool = true,
        _ ids: [DisplayID] = [.left]
    ) -> Wanted {
        schedules.evaluate(.at(at(text), isClockSet: isSet, ids))
    }

    private func report(_ wanted: Wanted) throws -> ScheduleReport {
        guard case .schedules(let report)? = wanted.notifications.first else { throw Missing() }
        return report
    }

    private struct Missing: Error {}

    @Test func `a schedule wants its lease on each display during its interval`() {
        var schedules = schedules(night)
        #expect(evaluate(&schedules, "2026-11-21T21:59").wishes.isEmpty)
        let wishes = evaluate(&schedules, "2026-11-21T22:00", [.left, .right]).wishes
        let episode = at("2026-11-21T22:00") * 1_000
        #expect(
            wishes
                == [DisplayID.left, .right].map {
                    .of(.lease(.dim, .at(0.2)), by: "schedule:night", on: $0, episode: episode)
                }
        )
        #expect(evaluate(&schedules, "2026-11-22T06:59", [.left, .right]).wishes == wishes)
        #expect(evaluate(&schedules, "2026-11-22T07:00").wishes.isEmpty)
    }

    @Test func `another place moves an interval in force, and does not begin it again`() throws {
        let dusk = Schedule.of("sunset", "23:59", name: "dusk", .baseline(.at(0.4)))
        let dim = Schedule.of("sunset", "23:59", name: "dim")
        let berlin = SchedulePlanner(FakeZone.utc, location: Location(latitude: 52.52, longitude: 13.4))
        var schedules = Schedules(berlin, [ScheduleRecord(schedule: dusk), ScheduleRecord(schedule: dim)])
        let before = evaluate(&schedules, "2026-11-21T20:00").wishes
        let baseline = try #require(before.first { $0.setsBaseline })
        _ = schedules.wasSet(baseline, of: dusk)
        schedules.setLocation(Location(latitude: 52.6, longitude: 14))
        let moved = evaluate(&schedules, "2026-11-21T20:00")
        #expect(moved.wishes.map(\.episode) == before.map(\.episode))
        #expect(!moved.wishes.contains { $0.setsBaseline })
        // The record has the moved beginning: a start does not set it again either.
        let record = try #require(moved.schedules.first { $0.schedule.name == dusk.name })
        var next = Schedules(SchedulePlanner(FakeZone.utc), [record], at: Location(latitude: 52.6, longitude: 14))
        let restarted = evaluate(&next, "2026-11-21T20:00")
        #expect(!restarted.wishes.contains { $0.setsBaseline })
        // The next evening is a new one.
        let tomorrow = evaluate(&schedules, "2026-11-22T20:00")
        #expect(tomorrow.wishes.contains { $0.setsBaseline })
    }

    @Test func `nothing is in force before the clock is set`() throws {
        var schedules = schedules(night)
        let before = evaluate(&schedules, "1970-01-01T03:00", isSet: false)
        #expect(before.wishes.isEmpty)
        #expect(try report(before).schedules.map(\.isActive) == [false])
        #expect(try report(before).schedules.map(\.next) == [nil])
        #expect(try !report(before).isClockSet)
        let after = evaluate(&schedules, "2026-11-22T03:00")
        #expect(after.wishes.count == 1)
        #expect(try report(after).isClockSet)
    }

    @Test func `the next evaluation is at the next boundary, within a minute, and soon while the clock is not set`() {
        var schedules = schedules(night)
        func sleep(_ wanted: Wanted) -> Duration? { wanted.next.map { $0 - Moment.start.instant } }
        #expect(sleep(evaluate(&schedules, "2026-11-21T12:00")) == .seconds(60))
        let situation = Situation.at(at("2026-11-21T22:00") - 7)
        #expect(sleep(schedules.evaluate(situation)) == .seconds(7))
        #expect(sleep(evaluate(&schedules, "1970-01-01T12:00", isSet: false)) == .seconds(1))
        var none = self.schedules()
        #expect(sleep(evaluate(&none, "1970-01-01T12:00", isSet: false)) == .seconds(60))
    }

    @Test func `the report follows the local day, also without a schedule`() throws {
        let planner = SchedulePlanner(FakeZone.berlin, location: Location(latitude: 52.52, longitude: 13.405))
        var schedules = Schedules(planner)
        let before = try report(evaluate(&schedules, "2026-10-25T00:59")).day
        let after = try report(evaluate(&schedules, "2026-10-25T01:00")).day
        #expect([before.utcOffset, after.utcOffset] == [7_200, 3_600])
        #expect(after.sun == before.sun)
        #expect(try report(evaluate(&schedules, "2026-10-25T23:00")).day.sun != before.sun)
    }

    @Test func `a place that a person sets counts in place of the option's, until it is forgotten`() throws {
        let berlin = Location(latitude: 52.52, longitude: 13.405)
        var schedules = Schedules(SchedulePlanner(FakeZone.berlin, location: berlin), at: Location("-33.87,151.21"))
        #expect(schedules.location == MachineLocation(location: Location("-33.87,151.21")!, isChosen: true))
        let south = try report(evaluate(&schedules, "2026-06-21T12:00")).day.sun
        schedules.setLocation(nil)
        #expect(schedules.location == MachineLocation(location: berlin!, isChosen: false))
        #expect(try report(evaluate(&schedules, "2026-06-21T12:00")).day.sun != south)
    }

    @Test func `a schedule by the sun is in force once there is a place`() throws {
        var schedules = Schedules(SchedulePlanner(FakeZone.utc))
        let dusk = Schedule.of("sunset", "23:59", name: "dusk")
        #expect(throws: Schedules.Failure.noLocation) { try schedules.put(dusk) }
        schedules.setLocation(Location("51.5,0"))
        #expect(try schedules.put(dusk))
        #expect(evaluate(&schedules, "2026-11-21T20:00").wishes.map(\.holder) == ["schedule:dusk"])
        schedules.setLocation(nil)
        #expect(evaluate(&schedules, "2026-11-21T20:00").wishes.isEmpty)
        #expect(schedules.location == nil)
    }

    @Test func `the report lists the schedules by name`() throws {
        var schedules = schedules(night, .of("10:00", "11:00", name: "z"), evening, .of("10:00", "11:00", name: "a"))
        let names = try report(evaluate(&schedules, "2026-11-21T12:00")).schedules.map(\.schedule.name.text)
        #expect(names == ["a", "evening", "night", "z"])
    }

    /// Notes that the displays have what the schedules want to set there.
    private func execute(_ wanted: Wanted, in schedules: inout Schedules) {
        for wish in wanted.wishes where wish.setsBaseline {
            guard let schedule = schedules.schedule(of: wish.holder) else { continue }
            _ = schedules.wasSet(wish, of: schedule)
        }
    }

    @Test func `a display has the baseline once it was set, and a restart does not set it again`() throws {
        var schedules = schedules(evening)
        let begun = evaluate(&schedules, "2026-11-21T19:00")
        #expect(begun.wishes.map(\.effect) == [.baseline(.at(0.3))])
        #expect(schedules.wasSet(begun.wishes[0], of: evening) == [evening.name])
        let record = try #require(schedules.record(evening.name))
        #expect(record.setAt == Timestamp(milliseconds: at("2026-11-21T18:00") * 1_000))
        #expect(record.setOn == [.left])
        #expect(evaluate(&schedules, "2026-11-21T22:59").wishes.map(\.effect) == [.baseline(nil)])
        #expect(evaluate(&schedules, "2026-11-21T23:00").wishes.isEmpty)

        var restarted = Schedules(planner, [record])
        #expect(evaluate(&restarted, "2026-11-21T20:00").wishes.map(\.effect) == [.baseline(nil)])
        #expect(evaluate(&restarted, "2026-11-22T20:00").wishes.map(\.effect) == [.baseline(.at(0.3))])
    }

    @Test func `a display that has refused the baseline, or was away, gets it after a restart`() throws {
        var schedules = schedules(evening)
        let begun = evaluate(&schedules, "2026-11-21T19:00", [.left, .right])
        _ = schedules.wasSet(begun.wishes[0], of: evening)
        var restarted = Schedules(planner, [try #require(schedules.record(evening.name))])
        let wishes = evaluate(&restarted, "2026-11-21T20:00", [.left, .right]).wishes
        #expect(wishes.map(\.effect) == [.baseline(nil), .baseline(.at(0.3))])
    }

    @Test func `an answer to what a schedule wanted before an edit, or in another interval, does not count`() throws {
        var schedules = schedules(evening)
        let old = evaluate(&schedules, "2026-11-21T19:00").wishes[0]
        let edited = Schedule.of("18:00", "23:30", name: "evening", .baseline(.at(0.3)))
        _ = try schedules.put(edited)
        let new = evaluate(&schedules, "2026-11-21T19:01").wishes[0]
        #expect(schedules.wasSet(old, of: evening).isEmpty)
        _ = evaluate(&schedules, "2026-11-22T19:00")
        #expect(schedules.wasSet(new, of: edited).isEmpty)
        #expect(schedules.record(evening.name)?.setOn == [])
    }

    @Test func `once a baseline was set, those that began before count as set, also ones that come later`() throws {
        let day = Schedule.of("08:00", "23:00", name: "day", .baseline(.at(0.8)))
        var schedules = schedules(evening, day)
        let begun = evaluate(&schedules, "2026-11-21T19:00")
        let wish = try #require(begun.wishes.first { $0.holder == evening.holder })
        #expect(schedules.wasSet(wish, of: evening) == [evening.name, day.name])
        _ = try schedules.put(.of("09:00", "23:00", name: "late", .baseline(.at(0.9))))
        let later = evaluate(&schedules, "2026-11-21T19:01")
        #expect(later.wishes.map(\.effect) == [.baseline(nil), .baseline(nil), .baseline(nil)])
        #expect(later.schedules.map(\.schedule.name.text) == ["late"])
    }

    @Test func `a later baseline that was refused leaves the earlier one to be set`() throws {
        let day = Schedule.of("08:00", "23:30", name: "day", .baseline(.at(0.8)))
        var schedules = schedules(evening, day)
        #expect(evaluate(&schedules, "2026-11-21T19:00").schedules.isEmpty)
        #expect(evaluate(&schedules, "2026-11-21T23:00").wishes.map(\.effect) == [.baseline(.at(0.8))])
    }

    @Test func `displays that are gone are forgotten once they are many`() {
        var schedules = schedules(evening)
        for number in 0..<300 {
            let id = DisplayID("provided-\(number)")!
            execute(evaluate(&schedules, "2026-11-21T19:00", [.left, id]), in: &schedules)
        }
        #expect(schedules.record(evening.name)!.setOn.count <= 258)
        #expect(schedules.record(evening.name)!.setOn.contains(.left))
    }

    @Test func `a baseline is not set again when the clock comes back to its interval`() {
        var schedules = schedules(evening)
        execute(evaluate(&schedules, "2026-11-21T19:00"), in: &schedules)
        // The second one is in another interval, in which no display has accepted the baseline.
        for wrong in ["2026-11-21T12:00", "2026-12-31T19:00"] {
            _ = evaluate(&schedules, wrong)
            #expect(evaluate(&schedules, "2026-11-21T19:00").wishes.map(\.effect) == [.baseline(nil)])
        }
    }

    @Test func `a missed beginning is made up for only within the interval`() {
        var schedules = schedules(evening)
        #expect(evaluate(&schedules, "2026-11-21T23:30").wishes.isEmpty)
    }

    @Test func `an edited baseline is set again, and the same one is not`() throws {
        var schedules = schedules(evening)
        execute(evaluate(&schedules, "2026-11-21T19:00"), in: &schedules)
        #expect(try !schedules.put(evening))
        #expect(evaluate(&schedules, "2026-11-21T19:01").wishes.map(\.effect) == [.baseline(nil)])
        #expect(try !schedules.put(.of("18:00", "23:00", name: "evening", .baseline(.at(0.5)))))
        let edited = evaluate(&schedules, "2026-11-21T19:02")
        #expect(edited.wishes.map(\.effect) == [.baseline(.at(0.5))])
    }

    @Test func `a paused schedule is never in force, and sets no baseline again when it resumes`() throws {
        var schedules = schedules(evening, night)
        execute(evaluate(&schedules, "2026-11-21T19:00"), in: &schedules)
        try schedules.pause(evening.name, true)
        try schedules.pause(night.name, true)
        let paused = evaluate(&schedules, "2026-11-21T22:30")
        #expect(paused.wishes.isEmpty)
        #expect(try report(paused).schedules.map(\.isActive) == [false, false])
        #expect(try report(paused).schedules.map(\.next) == [nil, nil])
        try schedules.pause(evening.name, false)
        try schedules.pause(night.name, false)
        let resumed = evaluate(&schedules, "2026-11-21T22:31").wishes
        #expect(resumed.map(\.effect) == [.baseline(nil), .lease(.dim, .at(0.2))])
        #expect(evaluate(&schedules, "2026-11-22T18:00").wishes.map(\.effect) == [.baseline(.at(0.3))])
        #expect(throws: Schedules.Failure.unknown) { try schedules.pause(ResourceName("nope")!, true) }
    }

    @Test func `a schedule by the sun requires a place, and at most 64 are kept`() throws {
        var schedules = schedules()
        #expect(throws: Schedules.Failure.noLocation) { try schedules.put(.of("sunset", "23:00")) }
        for number in 0..<Schedules.limit {
            #expect(try schedules.put(.of("01:00", "02:00", name: "rule-\(number)")))
        }
        #expect(throws: Schedules.Failure.tooMany) { try schedules.put(night) }
        #expect(try !schedules.put(.of("01:00", "03:00", name: "rule-7")))
        try schedules.remove(ResourceName("rule-7")!)
        #expect(throws: Schedules.Failure.unknown) { try schedules.remove(ResourceName("rule-7")!) }
        #expect(try schedules.put(night))
    }

    @Test func `a name that is composed otherwise is the same, in its first spelling`() throws {
        var schedules = schedules()
        let (composed, combining) = ("Zo\u{EB}", "Zoe\u{308}")
        #expect(try schedules.put(.of("01:00", "02:00", name: composed)))
        #expect(try !schedules.put(.of("01:00", "03:00", name: combining)))
        let name = ResourceName(combining)!
        #expect(schedules.record(name).map { Array($0.schedule.name.text.utf8) } == Array(composed.utf8))
        try schedules.remove(name)
        #expect(schedules.record(name) == nil)
    }

    @Test func `a name is one segment of a path`() {
        for text in ["", ".", "..", "a/b", " a", "a\u{A0}", "\u{0}", "a\nb", "\u{FFFD}", "a/\u{301}b"] {
            #expect(ResourceName(text) == nil)
        }
        for text in ["...", "a b", "%2F", "夜"] { #expect(ResourceName(text)?.text == text) }
    }

    // MARK: Properties

    /// Any schedules, evaluated only once: leases and baseline are those of a daemon that has evaluated at every
    /// boundary before. The names do not matter, nor do restarts in between.
    @Test(arguments: UInt64(1)...200)
    func `one evaluation gives what evaluations at every boundary give`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let planner = random.planner()
        var all = (0..<random.number(1...6)).map { random.schedule("rule-\($0)") }
        // Several baselines at a time.
        all += (0..<3).map { number in
            let from = random.number(0...1_439)
            let to = (from + random.number(1...1_400)) % 1_440
            return Schedule(
                name: ResourceName("set-\(number)")!,
                from: .clock(minute: from),
                to: .clock(minute: to),
                effect: .baseline(.at(random.fraction()))
            )
        }
        let start = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
        let end = start + Int64(random.number(1...4)) * 86_400 + Int64(random.number(0...86_399))
        var (steady, restarted) = (HeldDisplay(planner, all), HeldDisplay(planner, all))
        let baselines = all.filter { $0.leaseKind == nil }
        /// The beginnings of the baselines' intervals that contain this second.
        func begins(at second: Int64) -> [Int64] {
            baselines.compactMap { planner.interval(of: $0, at: second)?.lowerBound }
        }
        var second = start
        // The last beginning of a baseline, whether its interval is over or not.
        var lastBegin = Int64.min
        while second < end {
            steady.evaluate(at: second)
            lastBegin = begins(at: second).reduce(lastBegin, max)
            if random.number(0...2) == 0 { restarted.evaluate(at: second) }
            if random.number(0...9) == 0 { restarted.restart() }
            second = all.compactMap { planner.boundary(of: $0, after: second) }.min() ?? end
        }
        var names = all.map(\.name)
        names.shuffle(using: &random)
        var (once, renamed) = (HeldDisplay(planner, all), HeldDisplay(planner, zip(all, names).map { $0.named($1) }))
        steady.evaluate(at: end)
        restarted.evaluate(at: end)
        once.evaluate(at: end)
        renamed.evaluate(at: end)
        #expect(once.leases == steady.leases)
        #expect(restarted.leases == steady.leases)
        #expect(Set(renamed.leases.values) == Set(steady.leases.values))
        let inForce = begins(at: end)
        lastBegin = inForce.reduce(lastBegin, max)
        #expect(steady.lastSet ?? .min == lastBegin)
        guard let latest = inForce.max() else { return #expect(once.shown.baseline == 0.5) }
        #expect(once.lastSet == latest)
        // A baseline whose interval is over was missed: it is not made up for.
        if lastBegin > latest { return }
        if inForce.count(where: { $0 == latest }) == 1 { #expect(renamed.shown.baseline == once.shown.baseline) }
        #expect(once.shown.baseline == steady.shown.baseline)
        #expect(restarted.shown.baseline == steady.shown.baseline)
    }

    /// Any rules, any history of the clock: forwards, backwards, unset. The leases are those of the rules at each
    /// instant.
    @Test(arguments: UInt64(1)...100)
    func `the leases in force equal the rules at that instant`(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let planner = random.planner()
        var all = (0..<random.number(1...5)).map { random.schedule("rule-\($0)") }
        var display = HeldDisplay(planner, all)
        var second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
        for _ in 0..<60 {
            switch random.number(0...9) {
            case 0: second = at("2026-01-01T00:00") + Int64(random.number(0...31_000_000))
            case 1: second -= Int64(random.number(0...100_000))
            case 2:
                let place = random.number(0...all.count - 1)
                let edited = random.schedule("rule-\(place)")
                if edited.needsLocation, planner.location == nil { continue }
                all[place] = edited
                try display.put(edited)
            default: second += Int64(random.number(0...40_000))
            }
            let isSet = random.number(0...9) > 0
            let isPresent = random.number(0...4) > 0
            let next = display.evaluate(at: second, isClockSet: isSet, isPresent: isPresent)
            let inForce = all.filter { $0.leaseKind != nil && isSet && planner.interval(of: $0, at: second) != nil }
            let expected = Dictionary(
                uniqueKeysWithValues: inForce.map { ("\($0.holder) \($0.leaseKind!)", $0.lease!) }
            )
            if isPresent { #expect(display.leases == expected, "at \(second)") }
            // An unplugged display keeps its leases, and loses them in time.
            #expect(Set(display.leases.keys).isSubset(of: expected.keys), "at \(second)")
            #expect(try #require(next) > Moment.start.instant)
        }
    }
}

/// One display and its schedules.
private struct HeldDisplay {
    private let planner: SchedulePlanner
    private var schedules: Schedules
    private var records: [ResourceName: ScheduleRecord]
    private var table = HolderTable()
    private(set) var shown = ShownDisplay()
    /// The beginning of the interval whose baseline was set last.
    private(set) var lastSet: Int64?

    init(_ planner: SchedulePlanner, _ all: [Schedule]) {
        self.planner = planner
        records = Dictionary(uniqueKeysWithValues: all.map { ($0.name, ScheduleRecord(schedule: $0)) })
        schedules = Schedules(planner, Array(records.values))
    }

    var leases: [String: Wish.Effect] { shown.leases }

    @discardableResult
    mutating func evaluate(at second: Int64, isClockSet: Bool = true, isPresent: Bool = true) -> Instant? {
        let situation = Situation.at(second, isClockSet: isClockSet, isPresent: isPresent)
        let wanted = schedules.evaluate(situation)
        for record in wanted.schedules { records[record.schedule.name] = record }
        for action in table.update(wanted.wishes, on: situation.displays, at: situation.now.instant) {
            switch action {
            case .grant, .regrant, .renew: break
            case .set(let wish, _):
                lastSet = wish.episode.milliseconds / 1_000
                guard let schedule = schedules.schedule(of: wish.holder) else { continue }
                for name in schedules.wasSet(wish, of: schedule) { records[name] = schedules.record(name) }
            // Never ends what it does not hold.
            case .end(let wish): #expect(leases["\(wish.holder) \(wish.kind!)"] != nil)
            }
            shown.execute(action)
        }
        return wanted.next
    }

    mutating func put(_ schedule: Schedule) throws {
        _ = try schedules.put(schedule)
        table.redo(schedule.holder)
    }

    /// The daemon ends and starts, and its leases with it.
    mutating func restart() {
        schedules = Schedules(planner, Array(records.values))
        table = HolderTable()
        shown.forgetLeases()
    }
}

extension Situation {
    static func at(
        _ second: Int64,
        isClockSet: Bool = true,
        _ ids: [DisplayID] = [.left],
        isPresent: Bool = true
    ) -> Situation {
        Situation(
            now: Moment(instant: Moment.start.instant, wall: Timestamp(milliseconds: second * 1_000)),
            isClockSet: isClockSet,
            displays: ids.map { Situation.Display(id: $0, isPresent: isPresent, isSwitchable: true) }
        )
    }
}

extension Schedule {
    /// The lease that it holds; `nil` if it sets the baseline.
    fileprivate var lease: Wish.Effect? {
        if case .lease(let kind, let brightness) = effect { .lease(kind, brightness) } else { nil }
    }

    fileprivate func named(_ name: ResourceName) -> Schedule {
        Schedule(name: name, displays: displays, days: days, from: from, to: to, effect: effect, transition: transition)
    }
}

extension Wanted {
    fileprivate var schedules: [ScheduleRecord] { records.compactMap { $0 as? ScheduleRecord } }
}
