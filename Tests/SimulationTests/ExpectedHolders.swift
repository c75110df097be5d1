// SPDX-License-Identifier: Apache-2.0
@testable import BrightnessCore

/// The rules of a story's schedules and of `idle`, and what they have done so far. Shares no code with the boards.
/// Times are the test's, in milliseconds.
struct ExpectedHolders {
    /// A schedule.
    struct Rule: Hashable {
        let name: String
        /// The days of `from`, Monday first.
        let days: Set<Int>
        let from: ScheduleTime
        let to: ScheduleTime
        /// `nil` sets the baseline.
        let kind: LeaseKind?
        let brightness: Double?
        /// `nil` is every display.
        let display: DisplayID?
        var isPaused: Bool

        func includes(_ id: DisplayID) -> Bool { display == nil || display == id }
    }

    /// The requests of one holder to one display since they were last due.
    struct Requests {
        /// Of a schedule: the minute since 1970 at which their interval began.
        var begin: Int?
        var accepted = 0
        /// Whether the display rejected the last one.
        var isRejected = false
        /// Whether the display got a baseline that began later: this one is not set any more.
        var isSuperseded = false
        /// The same if that one may have been set by an earlier run.
        var mayBeSuperseded = false
    }

    /// The wakes of `presence` on one display since the last arrival.
    struct Wakes {
        var requests = Requests()
        /// When the last one that was accepted is over by itself.
        fileprivate var end = Int.min
    }

    /// The interval for which a schedule asks.
    struct Interval: Equatable {
        let rule: Rule
        /// The minute since 1970.
        let begin: Int
    }

    /// The displays whose baseline a schedule has set in an interval.
    struct Mark: Hashable {
        /// The minute since 1970 at which the interval began.
        let begin: Int
        var displays: Set<DisplayID>

        func includes(_ display: DisplayID, since begin: Int) -> Bool {
            self.begin == begin && displays.contains(display)
        }

        /// The mark with one display more; another interval's is over.
        static func adding(_ display: DisplayID, since begin: Int, to mark: Mark?) -> Mark {
            var mark = mark?.begin == begin ? mark! : Mark(begin: begin, displays: [])
            mark.displays.insert(display)
            return mark
        }
    }

    /// When `idle` dims and switches off; `nil` if it does not.
    let dimAfter: Int?
    let sleepAfter: Int?
    /// How long a wake of `presence` lasts after somebody was near; `nil` without a sensor.
    let wakeTime: Int?
    let zone: SimulatedZone
    /// Whether the wall clock counts as set at present.
    var isTrusted = true
    /// Whether it has at an evaluation of this run, which is enough.
    private var isClockSet = false
    /// The schedules that the daemon has executed.
    private(set) var rules: [String: Rule] = [:]
    /// The records that the file may have for each name; `nil` stands for none.
    private var stored: [String: [Rule?]] = [:]
    /// The beginning of each schedule's interval at the last evaluation.
    private var begins: [String: Int] = [:]
    /// Where each schedule has set the baseline, as the file may have it. The newest is the last; `nil` stands for
    /// nowhere.
    private var setInFile: [Rule: [Mark?]] = [:]
    /// The same as the daemon may know it: at its start one of what is in the file.
    private var set: [Rule: [Mark?]] = [:]
    private var scheduled: [String: [DisplayID: Requests]] = [:]
    private var idle: [DisplayID: [LeaseKind: Requests]] = [:]
    private var lastActivity = 0
    /// Whether somebody has been there since the last evaluation, which notices it.
    var isUsed = false
    /// The sensor's newest report since the last evaluation: whether somebody is near.
    var report: Bool?
    private(set) var isNear = false
    /// When the wake of `presence` is over.
    private(set) var wakeEnd: Int?
    private var wakes: [DisplayID: Wakes] = [:]

    init(dimAfter: Int?, sleepAfter: Int?, wakeTime: Int?, _ zone: SimulatedZone) {
        (self.dimAfter, self.sleepAfter, self.wakeTime, self.zone) = (dimAfter, sleepAfter, wakeTime, zone)
    }

    var hasIdle: Bool { dimAfter != nil || sleepAfter != nil }

    /// The holders of all schedules that there ever were.
    var names: [String] { stored.keys.sorted() }

    func rule(_ name: String, at wall: Int) -> (rule: Rule, begin: Int)? {
        guard isClockSet, let rule = rules[name], let begin = zone.begin(of: rule, at: wall) else { return nil }
        return (rule, begin)
    }

    /// Whether a rule of the whole night is in force by day, or is not at night.
    func isWrongBySun(_ name: String, at wall: Int) -> Bool {
        let night = [ScheduleTime.sun(.sunset, offset: 0), .sun(.sunrise, offset: 0)]
        guard isClockSet, let rule = rules[name], [rule.from, rule.to] == night, rule.days.count == 7, !rule.isPaused
        else { return false }
        return zone.isNight(at: wall).map { $0 != (zone.begin(of: rule, at: wall) != nil) } ?? false
    }

    func kindsDue(at now: Int) -> [LeaseKind] {
        func isDue(_ limit: Int?) -> Bool { limit.map { lastActivity + $0 <= now } ?? false }
        return (isDue(dimAfter) ? [.dim] : []) + (isDue(sleepAfter) ? [.sleep] : [])
    }

    // MARK: Edits

    /// The daemon executes a client's request for a schedule; `nil` removes it.
    ///
    /// - Parameter displays: Those that are not unplugged.
    mutating func execute(_ name: String, _ rule: Rule?, on displays: [DisplayID], at wall: Int) {
        stored[name, default: [nil]].append(rule)
        if rules[name] != rule {
            (rules[name], scheduled[name], begins[name]) = (rule, nil, nil)
            if let rule {
                setInFile[rule, default: []].append(nil)
                set[rule] = [nil]
            }
        }
        evaluate(on: displays, wall: wall)
    }

    /// The daemon pauses or resumes a schedule. What was set in an interval stays set.
    mutating func pause(_ name: String, _ isPaused: Bool, on displays: [DisplayID], at wall: Int) {
        guard let old = rules[name] else { return }
        if old.isPaused == isPaused { return evaluate(on: displays, wall: wall) }
        var new = old
        new.isPaused = isPaused
        let (known, inFile) = (set[old] ?? [nil], setInFile[old] ?? [nil])
        execute(name, new, on: displays, at: wall)
        (set[new], setInFile[new]) = (known, ((setInFile[new] ?? []) + inFile + known).unique)
        evaluate(on: displays, wall: wall)
    }

    /// The rule is in the file.
    mutating func markStored(_ name: String, _ rule: Rule?, _ mark: Mark?) {
        if let index = stored[name]?.lastIndex(of: rule) { stored[name]?.removeFirst(index) }
        guard let rule, let index = setInFile[rule]?.lastIndex(of: mark) else { return }
        setInFile[rule]?.removeFirst(index)
    }

    // MARK: Runs of the daemon

    /// A new run has read the file.
    ///
    /// - Returns: A schedule that cannot be in the file, or is missing in it.
    mutating func start(with found: [String: Rule], isSure: Bool, at now: Int) -> String? {
        let wrong = Set(stored.keys).union(found.keys).sorted().first { name in
            !(stored[name] ?? [nil]).contains(found[name])
        }
        (rules, set) = (found, setInFile)
        for (name, rule) in found where !isSure { stored[name, default: [nil]].append(rule) }
        (begins, scheduled, idle, wakes) = ([:], [:], [:], [:])
        (lastActivity, isUsed, isClockSet) = (now, false, false)
        (report, isNear, wakeEnd) = (nil, false, nil)
        return wrong
    }

    /// The daemon looks at the clock and at its displays.
    ///
    /// - Parameters:
    ///   - displays: Those that are not unplugged.
    ///   - inUse: The displays with a boost or a wake in force.
    mutating func evaluate(at now: Int, wall: Int, on displays: [DisplayID], inUse: Set<DisplayID>) {
        evaluate(on: displays, wall: wall)
        if let report {
            if report || isNear { wake(at: now) }
            (isNear, self.report) = (report, nil)
        }
        if isNear, let wakeTime, wakeEnd.map({ $0 <= now + wakeTime / 2 }) ?? true { wake(at: now) }
        if isUsed { (lastActivity, isUsed) = (now, false) }
        if kindsDue(at: now).isEmpty { idle = [:] }
        for id in inUse { idle[id] = idle[id]?.filter { $0.value.accepted > 0 } }
    }

    /// Somebody is near. After the wake is over, that is an arrival.
    private mutating func wake(at now: Int) {
        if wakeEnd.map({ $0 <= now }) ?? true { wakes = [:] }
        wakeEnd = wakeTime.map { now + $0 }
    }

    private mutating func evaluate(on displays: [DisplayID], wall: Int) {
        isClockSet = isClockSet || isTrusted
        for name in stored.keys { evaluate(name, on: displays, wall: wall) }
        supersede(on: displays, wall: wall)
    }

    /// A display that is unplugged in a later interval has the requests of the earlier one, in case the clock returns.
    private mutating func evaluate(_ name: String, on displays: [DisplayID], wall: Int) {
        let begin = rule(name, at: wall)?.begin
        begins[name] = begin
        scheduled[name] = scheduled[name]?.filter { display, requests in
            requests.begin == begin || begin != nil && !displays.contains(display)
        }
    }

    /// A display has the baseline of a schedule, or it counts as set.
    private mutating func mark(_ rule: Rule, since begin: Int, on display: DisplayID) {
        let marks = (set[rule] ?? [nil]).map { Mark.adding(display, since: begin, to: $0) }.unique
        if marks == set[rule] { return }
        setInFile[rule, default: [nil]] += marks
        set[rule] = marks
    }

    /// Notes which baselines in force count as set before one that was set; of two at once that of the earlier name.
    private mutating func supersede(on displays: [DisplayID], wall: Int) {
        for display in displays {
            let names = baselines(of: display, at: wall)
            for (place, name) in names.enumerated().reversed() where mayBeDone(name, on: display, at: wall) {
                let isSet = isDone(name, on: display, at: wall)
                for earlier in names[..<place] { supersede(earlier, on: display, isCertain: isSet) }
                if isSet { break }
            }
        }
    }

    private mutating func supersede(_ name: String, on display: DisplayID, isCertain: Bool) {
        change(name, on: display) { $0.supersede(isCertain) }
        guard let rule = rules[name], let begin = begins[name] else { return }
        if isCertain { return mark(rule, since: begin, on: display) }
        // The file may have either.
        let known = set[rule] ?? [nil]
        let marks = (known + known.map { Mark.adding(display, since: begin, to: $0) }).unique
        if marks == known { return }
        setInFile[rule, default: [nil]] += marks
        set[rule] = marks
    }

    /// The schedules in force that set the baseline of a display, in the order in which they began.
    private func baselines(of display: DisplayID, at wall: Int) -> [String] {
        guard isClockSet else { return [] }
        let begun = rules.values.compactMap { rule -> (begin: Int, name: String)? in
            guard rule.kind == nil, rule.includes(display) else { return nil }
            return zone.begin(of: rule, at: wall).map { ($0, rule.name) }
        }
        return begun.sorted { $0 < $1 }.map(\.name)
    }

    /// Whether another baseline counts: one that began later and is in force, or was set since.
    func isSuperseded(_ name: String, on display: DisplayID, at wall: Int) -> Bool {
        baselines(of: display, at: wall).last != name || requests(of: name, on: display).isSuperseded
    }

    /// Whether a baseline in force need not be set: it was, or another one counts or is to be set first.
    func mayRest(_ name: String, on display: DisplayID, at wall: Int) -> Bool {
        mayBeDone(name, on: display, at: wall) || isSuperseded(name, on: display, at: wall)
            || requests(of: name, on: display).mayBeSuperseded
    }

    /// The interval of a schedule at the last evaluation; `nil` if it is not in force.
    func interval(of name: String) -> Interval? {
        guard let rule = rules[name], let begin = begins[name] else { return nil }
        return Interval(rule: rule, begin: begin)
    }

    /// The answer to a request of a schedule. It may come after the next edit or interval.
    ///
    /// - Returns: Whether it is the second one that was accepted.
    mutating func answered(_ interval: Interval, on display: DisplayID, isAccepted: Bool) -> Bool {
        let name = interval.rule.name
        guard interval == self.interval(of: name) else { return false }
        if isAccepted, interval.rule.kind == nil {
            for (other, begin) in begins where (begin, other) < (interval.begin, name) {
                guard let rule = rules[other], rule.kind == nil, rule.includes(display) else { continue }
                supersede(other, on: display, isCertain: true)
            }
            mark(interval.rule, since: interval.begin, on: display)
            // Of an earlier interval, to which the clock may return, nothing is known any more.
            scheduled[name] = scheduled[name]?.filter { $0.value.begin == interval.begin }
        }
        return change(name, on: display) { $0.take(isAccepted) }
    }

    /// The answer to a grant of `presence`.
    ///
    /// - Parameter time: When the wake was requested, and when it is over by itself.
    /// - Returns: Whether it is accepted for the second time since the arrival. One that was over by itself, on a panel
    ///   that was unplugged or has refused to renew it, is granted again, unless a person has decided otherwise.
    mutating func wakeAnswered(on display: DisplayID, _ time: Range<Int>, isAccepted: Bool) -> Bool {
        let earlier = wakes[display] ?? Wakes()
        let mayReturn = earlier.end <= time.lowerBound
        if isAccepted { wakes[display, default: Wakes()].end = time.upperBound }
        return wakes[display, default: Wakes()].requests.take(isAccepted) && !mayReturn
    }

    /// The display has accepted a renewal of `presence`.
    mutating func wakeRenewed(on display: DisplayID, until end: Int) { wakes[display]?.end = end }

    mutating func idleAnswered(_ kind: LeaseKind, on display: DisplayID, isAccepted: Bool) -> Bool {
        idle[display, default: [:]][kind, default: Requests()].take(isAccepted)
    }

    /// A lease of `idle` has ended that no person had overridden. It returns if it is due.
    mutating func idleEnded(_ kind: LeaseKind, on display: DisplayID) { idle[display]?[kind] = nil }

    /// Whether the display has the baseline of the interval in force, or it counts as set.
    func isDone(_ name: String, on display: DisplayID, at wall: Int) -> Bool {
        guard let (rule, begin) = rule(name, at: wall), let known = set[rule] else { return false }
        return known.allSatisfy { $0?.includes(display, since: begin) == true }
    }

    func mayBeDone(_ name: String, on display: DisplayID, at wall: Int) -> Bool {
        guard let (rule, begin) = rule(name, at: wall) else { return false }
        return set[rule]?.contains { $0?.includes(display, since: begin) == true } == true
    }

    /// The requests in the interval in force.
    func requests(of name: String, on display: DisplayID) -> Requests {
        let current = scheduled[name]?[display].flatMap { $0.begin == begins[name] ? $0 : nil }
        return current ?? Requests(begin: begins[name])
    }

    private mutating func change<Value>(_ name: String, on display: DisplayID, _ body: (inout Requests) -> Value)
        -> Value
    {
        var requests = requests(of: name, on: display)
        defer { scheduled[name, default: [:]][display] = requests }
        return body(&requests)
    }

    func wakes(on display: DisplayID) -> Requests { wakes[display]?.requests ?? Requests() }

    func idleRequests(_ kind: LeaseKind, on display: DisplayID) -> Requests { idle[display]?[kind] ?? Requests() }
}

extension ExpectedHolders.Requests {
    /// - Parameter isCertain: Whether the later baseline was certainly set.
    fileprivate mutating func supersede(_ isCertain: Bool) {
        mayBeSuperseded = true
        if isCertain { (isSuperseded, isRejected) = (true, false) }
    }

    fileprivate mutating func take(_ isAccepted: Bool) -> Bool {
        isRejected = !isAccepted
        if isAccepted { accepted += 1 }
        return isAccepted && accepted > 1
    }
}

extension ExpectedHolders.Rule {
    var schedule: Schedule {
        let brightness = Brightness(clamping: brightness ?? 0)
        return Schedule(
            name: ResourceName(name)!,
            displays: display.map { .named([$0]) } ?? .all,
            days: Set(days.map { Weekday.allCases[$0] }),
            from: from,
            to: to,
            effect: kind.map { .lease($0, $0 == .sleep ? nil : brightness) } ?? .baseline(brightness),
            isPaused: isPaused
        )
    }

    init(_ schedule: Schedule) {
        let display: DisplayID? = if case .named(let ids) = schedule.displays { ids.first } else { nil }
        let (kind, brightness): (LeaseKind?, Brightness?) =
            switch schedule.effect {
            case .lease(let kind, let brightness): (kind, brightness)
            case .baseline(let brightness): (nil, brightness)
            }
        self.init(
            name: schedule.name.text,
            days: Set(schedule.days.map { Weekday.allCases.firstIndex(of: $0)! }),
            from: schedule.from,
            to: schedule.to,
            kind: kind,
            brightness: brightness?.fraction,
            display: display,
            isPaused: schedule.isPaused
        )
    }
}
