// SPDX-License-Identifier: Apache-2.0

/// The schedules, and which of them are in force on which displays. Has no clock, display or lock.
///
/// After `evaluate` the leases are those of the rules at that instant, however the clock got there. Within one interval
/// each display is changed once: a person who changes it, or ends the lease, wins until the next interval.
struct ScheduleBoard: Sendable {
    /// What has to be done to a display.
    enum Action: Hashable, Sendable {
        case begin(Schedule, on: DisplayID)
        case end(Schedule, on: DisplayID)
    }

    private struct Entry {
        var record: ScheduleRecord
        /// The interval in force.
        var interval: Range<Int64>?
        /// The present displays that were changed in this interval, or need no change.
        var changed: Set<DisplayID> = []
        /// The displays that may have leases of the schedule, also those that were unplugged since.
        var held: Set<DisplayID> = []
        /// Whether an earlier run has set the baseline in this interval.
        var isDone = false
        var next: ScheduleState.Change?
        /// When to evaluate again.
        var boundary: Timestamp?
    }

    private let planner: SchedulePlanner
    private var entries: [ScheduleName: Entry]
    private var isClockSet = false
    private var day = LocalDay()

    init(_ planner: SchedulePlanner, _ records: [ScheduleRecord]) {
        self.planner = planner
        entries = Dictionary(records.map { ($0.schedule.name, Entry(record: $0)) }) { _, last in last }
    }

    var count: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty }

    /// The next time at which something begins or ends.
    var nextBoundary: Timestamp? { entries.values.compactMap(\.boundary).min() }

    var report: ScheduleReport {
        let states = entries.values.sorted { $0.record.schedule.name < $1.record.schedule.name }.map { entry in
            ScheduleState(entry.record.schedule, isActive: entry.interval != nil, next: entry.next)
        }
        return ScheduleReport(states, isClockSet: isClockSet, day: day)
    }

    func record(_ name: ScheduleName) -> ScheduleRecord? { entries[name]?.record }

    /// Adds or replaces a schedule. The next `evaluate` begins it where it is in force. A lease of the same kind
    /// continues with the new brightness.
    ///
    /// - Returns: The ends of what the new schedule does not continue.
    mutating func put(_ schedule: Schedule) -> [Action] {
        guard let old = entries[schedule.name] else {
            entries[schedule.name] = Entry(record: ScheduleRecord(schedule))
            return []
        }
        guard old.record.schedule != schedule else { return [] }
        var new = Entry(record: ScheduleRecord(schedule))
        if schedule.leaseKind != nil, old.record.schedule.leaseKind == schedule.leaseKind {
            new.interval = old.interval
            new.held = old.held.filter(schedule.includes)
            entries[schedule.name] = new
            return ends(of: old, on: old.held.subtracting(new.held))
        }
        entries[schedule.name] = new
        return ends(of: old, on: old.held)
    }

    /// Removes a schedule. Returns the ends of its leases; `nil` if there is no such schedule.
    mutating func remove(_ name: ScheduleName) -> [Action]? {
        entries.removeValue(forKey: name).map { ends(of: $0, on: $0.held) }
    }

    /// Lets the schedule change a display again at the next `evaluate`: the change failed.
    mutating func forget(_ name: ScheduleName, on display: DisplayID) { entries[name]?.changed.remove(display) }

    /// Computes what is in force.
    ///
    /// - Parameters:
    ///   - isClockSet: Whether `now` can be trusted. If not, nothing is in force.
    ///   - displays: The present displays of this machine. One that comes back is changed again.
    /// - Returns: What has to be done, and the records that have to be stored.
    mutating func evaluate(
        at now: Timestamp,
        isClockSet: Bool,
        displays: [DisplayID]
    ) -> (actions: [Action], records: [ScheduleRecord]) {
        self.isClockSet = isClockSet
        let second = now.milliseconds.floorDivided(by: 1_000)
        day = planner.localDay(at: second, isClockSet: isClockSet)
        var (actions, records): ([Action], [ScheduleRecord]) = ([], [])
        for name in entries.keys.sorted() {
            guard var entry = entries[name] else { continue }
            let schedule = entry.record.schedule
            let interval = isClockSet ? planner.interval(of: schedule, at: second) : nil
            if interval?.lowerBound != entry.interval?.lowerBound {
                actions += ends(of: entry, on: entry.held)
                (entry.changed, entry.held, entry.isDone) = ([], [], false)
            }
            if let interval, schedule.leaseKind == nil, interval.lowerBound != entry.interval?.lowerBound {
                let begin = Timestamp(milliseconds: interval.lowerBound * 1_000)
                entry.isDone = entry.record.setAt == begin
                if !entry.isDone {
                    entry.record.setAt = begin
                    records.append(entry.record)
                }
            }
            entry.interval = interval
            entry.changed.formIntersection(displays)
            if interval != nil, !entry.isDone {
                for display in displays where schedule.includes(display) && entry.changed.insert(display).inserted {
                    entry.held.insert(display)
                    actions.append(.begin(schedule, on: display))
                }
            }
            let boundary = isClockSet ? planner.boundary(of: schedule, after: second) : nil
            entry.boundary = boundary.map { Timestamp(milliseconds: $0 * 1_000) }
            // Outside an interval both are the next beginning.
            entry.next =
                interval == nil
                ? entry.boundary.map { ScheduleState.Change(at: $0, isBegin: true) }
                : next(of: schedule, after: second)
            entries[name] = entry
        }
        return (actions, records)
    }

    private func next(of schedule: Schedule, after second: Int64) -> ScheduleState.Change? {
        planner.next(of: schedule, after: second).map { next in
            ScheduleState.Change(at: Timestamp(milliseconds: next.second * 1_000), isBegin: next.isBegin)
        }
    }

    private func ends(of entry: Entry, on displays: Set<DisplayID>) -> [Action] {
        guard entry.record.schedule.leaseKind != nil else { return [] }
        return displays.sorted { $0.text < $1.text }.map { .end(entry.record.schedule, on: $0) }
    }
}
