// SPDX-License-Identifier: Apache-2.0

/// The schedules: each wants its lease while it is in force, or its brightness from the beginning on.
///
/// Whatever the clock did, it wants the same at the same time.
package struct Schedules: Holder {
    package static let limit = 64
    package static let kinds: Set<Notification.Kind> = [.clockSet]

    /// How often an unset clock is read again.
    private static let clockInterval: Duration = .seconds(1)
    /// The maximum time between two looks at the clock: the time zone may change, and clocks drift.
    private static let longestSleep: Duration = .seconds(60)

    /// A schedule that has set its baseline on more displays than this forgets those that are gone: clients provide any
    /// number of displays, one after the other.
    private static let mostRemembered = 256

    package enum Failure: Error, Equatable {
        case tooMany
        /// A time by the sun, without a location.
        case noLocation
        case unknown
        /// The condition of the change does not hold.
        case changed
    }

    package enum Edit: Sendable {
        case put(Schedule)
        /// Pauses it, which ends its leases, or resumes it.
        case pause(ResourceName, Bool)
        /// Removes it, and ends its leases.
        case remove(ResourceName)

        package var name: ResourceName {
            switch self {
            case .put(let schedule): schedule.name
            case .pause(let name, _), .remove(let name): name
            }
        }
    }

    fileprivate struct Entry {
        var record: ScheduleRecord
        /// The interval in force, in seconds since 1970; `nil` while the schedule is not in force.
        private(set) var interval: Range<Int64>?
        /// When it came into force: another location may move the beginning of an interval that goes on.
        private(set) var episode: Timestamp?
    }

    private var planner: SchedulePlanner
    /// The location that a person has set; `nil` without one.
    private var chosenLocation: Location?
    private let defaultLocation: Location?
    /// Whether the location has changed since the last evaluation.
    private var isMoved = false
    private var entries: [ResourceName: Entry]

    /// - Parameters:
    ///   - planner: Its location is in force as long as a person sets no other.
    ///   - records: The schedules of an earlier run.
    ///   - chosen: The location that a person has set in an earlier run.
    package init(_ planner: SchedulePlanner, _ records: [ScheduleRecord] = [], at chosen: Location? = nil) {
        self.planner = planner
        defaultLocation = planner.location
        entries = Dictionary(records.map { ($0.schedule.name, Entry(record: $0)) }) { _, last in last }
        setLocation(chosen)
    }

    var location: MachineLocation? {
        planner.location.map { MachineLocation(location: $0, isChosen: chosenLocation != nil) }
    }

    var hasDefaultLocation: Bool { defaultLocation != nil }

    /// - Parameter chosen: `nil` for that of the daemon's options.
    mutating func setLocation(_ chosen: Location?) {
        chosenLocation = chosen
        planner.location = chosen ?? defaultLocation
        isMoved = true
    }

    func record(_ name: ResourceName) -> ScheduleRecord? { entries[name]?.record }

    /// Returns whether there is a new schedule.
    mutating func apply(_ edit: Edit) throws(Failure) -> Bool {
        switch edit {
        case .put(let schedule): return try put(schedule)
        case .pause(let name, let isPaused): try pause(name, isPaused)
        case .remove(let name): try remove(name)
        }
        return false
    }

    /// Adds or replaces a schedule, whose name stays as it was first spelled. Returns whether it is a new one.
    mutating func put(_ schedule: Schedule) throws(Failure) -> Bool {
        if schedule.needsLocation, planner.location == nil { throw .noLocation }
        let old = entries[schedule.name]
        let schedule = old.map { schedule.named($0.record.schedule.name) } ?? schedule
        if old == nil, entries.count >= Self.limit { throw .tooMany }
        if old?.record.schedule != schedule {
            entries[schedule.name] = Entry(record: ScheduleRecord(schedule: schedule))
        }
        return old == nil
    }

    /// Replaces all schedules. One that is the same goes on.
    ///
    /// - Returns: The names of those that differ now, as they were first spelled.
    mutating func replace(with new: [Schedule]) -> [ResourceName] {
        let names = Set(new.map(\.name))
        var changed = entries.values.map(\.record.schedule.name).filter { !names.contains($0) }
        for name in changed { entries[name] = nil }
        for schedule in new {
            let old = entries[schedule.name]?.record.schedule
            let schedule = schedule.named(old?.name ?? schedule.name)
            if schedule == old { continue }
            entries[schedule.name] = Entry(record: ScheduleRecord(schedule: schedule))
            changed.append(schedule.name)
        }
        return changed
    }

    func schedule(of holder: String) -> Schedule? {
        entries.values.lazy.map(\.record.schedule).first { $0.holder == holder }
    }

    /// Pauses or resumes a schedule. A baseline that it has set in an interval is not set again in it.
    mutating func pause(_ name: ResourceName, _ isPaused: Bool) throws(Failure) {
        guard entries[name] != nil else { throw .unknown }
        entries[name]?.record.schedule.isPaused = isPaused
    }

    mutating func remove(_ name: ResourceName) throws(Failure) {
        guard entries.removeValue(forKey: name) != nil else { throw .unknown }
    }

    package mutating func receive(_ notification: Notification, at now: Moment) {}

    /// While the clock is not set, no schedule is in force.
    package mutating func evaluate(_ situation: Situation) -> Wanted {
        let (wall, isClockSet) = (situation.now.wall.milliseconds, situation.isClockSet)
        let second = wall.floorDivided(by: 1_000)
        var (wanted, states) = (Wanted(), [ScheduleState]())
        var sleep = isClockSet || entries.isEmpty ? Self.longestSleep : Self.clockInterval
        var changed: Set<ResourceName> = []
        for (name, entry) in entries {
            let interval = isClockSet ? planner.interval(of: entry.record.schedule, at: second) : nil
            if entries[name]?.enter(interval, isMoved: isMoved) == true { changed.insert(name) }
        }
        isMoved = false
        for (name, entry) in entries where entry.record.setOn.count > Self.mostRemembered {
            entries[name]?.record.setOn.formIntersection(situation.displays.map(\.id))
        }
        changed.formUnion(markOvertaken(on: situation.displays.filter(\.isPresent).map(\.id)))
        wanted.records = changed.compactMap(record)
        for name in entries.keys.sorted() {
            guard let entry = entries[name] else { continue }
            let schedule = entry.record.schedule
            wanted.wishes += entry.wishes(on: situation.displays)
            let boundary = isClockSet ? planner.boundary(of: schedule, after: second) : nil
            if let boundary { sleep = min(sleep, .milliseconds(max(boundary * 1_000 - wall, 1))) }
            states.append(
                ScheduleState(
                    schedule: schedule,
                    isActive: entry.interval != nil,
                    next: next(of: entry, boundary, second)
                )
            )
        }
        wanted.next = situation.now.instant + sleep
        let day = planner.localDay(at: second, isClockSet: isClockSet)
        wanted.notifications = [.schedules(ScheduleReport(schedules: states, isClockSet: isClockSet, day: day))]
        return wanted
    }

    /// Notes that a display has the baseline of a schedule as it was then.
    ///
    /// - Returns: The schedules whose records differ now.
    mutating func wasSet(_ wish: Wish, of schedule: Schedule) -> Set<ResourceName> {
        guard let entry = entries[schedule.name], entry.record.schedule == schedule, entry.episode == wish.episode
        else { return [] }
        entries[schedule.name]?.markSet(on: wish.display)
        return markOvertaken(on: [wish.display]).union([schedule.name])
    }

    /// Where a baseline was set, marks those that began earlier as set, too: they must not replace it.
    ///
    /// - Returns: The schedules whose records differ now.
    private mutating func markOvertaken(on displays: [DisplayID]) -> Set<ResourceName> {
        let baselines = entries.values.filter { $0.record.schedule.leaseKind == nil }.compactMap { entry in
            entry.episode.map { ($0.milliseconds, entry.record.schedule) }
        }.sorted { ($0.0, $0.1.name) < ($1.0, $1.1.name) }.map(\.1)
        var changed: Set<ResourceName> = []
        for display in displays {
            let names = baselines.filter { $0.includes(display) }.map(\.name)
            func isSet(_ name: ResourceName) -> Bool { entries[name]?.isSet(on: display) == true }
            guard let last = names.lastIndex(where: isSet) else { continue }
            for name in names[..<last] where !isSet(name) {
                entries[name]?.markSet(on: display)
                changed.insert(name)
            }
        }
        return changed
    }

    /// Outside an interval the next boundary is the next beginning.
    private func next(of entry: Entry, _ boundary: Int64?, _ second: Int64) -> ScheduleState.Change? {
        guard let boundary else { return nil }
        let next = entry.interval == nil ? (boundary, true) : planner.next(of: entry.record.schedule, after: second)
        return next.map { ScheduleState.Change(at: Timestamp(milliseconds: $0 * 1_000), isBegin: $1) }
    }
}

extension Schedules.Entry {
    /// The beginning of the interval in force.
    private var intervalBegin: Timestamp? { interval.map { Timestamp(milliseconds: $0.lowerBound * 1_000) } }

    /// Whether the display has the baseline of the interval in force.
    fileprivate func isSet(on display: DisplayID) -> Bool {
        record.setAt == intervalBegin && record.setOn.contains(display)
    }

    /// Notes that the display has it. Until then the displays of an earlier interval stay: the clock may return to it.
    fileprivate mutating func markSet(on display: DisplayID) {
        if record.setAt != intervalBegin { (record.setAt, record.setOn) = (intervalBegin, []) }
        record.setOn.insert(display)
    }

    /// Notes the interval in force.
    ///
    /// - Parameter isMoved: Whether the location has changed: then an interval that overlaps the former one goes on.
    /// - Returns: Whether the record of a continued interval differs.
    fileprivate mutating func enter(_ new: Range<Int64>?, isMoved: Bool) -> Bool {
        guard new != interval else { return false }
        let formerBegin = intervalBegin
        let goesOn = isMoved && new.map { interval?.overlaps($0) ?? false } ?? false
        interval = new
        if !goesOn { episode = intervalBegin }
        guard goesOn, record.setAt == formerBegin, intervalBegin != formerBegin else { return false }
        record.setAt = intervalBegin
        return true
    }

    fileprivate func wishes(on displays: [Situation.Display]) -> [Wish] {
        guard let episode else { return [] }
        let schedule = record.schedule
        func effect(on display: DisplayID) -> Wish.Effect {
            switch schedule.effect {
            case .lease(let kind, let brightness): .lease(kind, brightness)
            case .baseline(let brightness): .baseline(isSet(on: display) ? nil : brightness)
            }
        }
        return displays.filter { schedule.includes($0.id) }.map { display in
            Wish(
                holder: schedule.holder,
                display: display.id,
                effect: effect(on: display.id),
                episode: episode,
                transition: schedule.transition,
                channel: .schedule
            )
        }
    }
}
