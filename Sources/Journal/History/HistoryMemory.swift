// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The extent of what the recorder has read from the hub.
enum DrainedContent: Sendable {
    /// Every notification since the last drain.
    case whole
    /// Every notification except changes of leases.
    case withoutLeases
    /// The retained notifications. Changes of leases and removals of displays may be missing.
    case restarted
}

/// The part of the history that is not in the database yet. Has no clock, database or lock.
struct HistoryMemory: Sendable {
    /// The maximum number of withdrawn displays to keep until they are written, which a full disk may delay.
    static let withdrawnLimit = 1_024

    private(set) var samples: [Subject: SampleTrack] = [:]
    private(set) var intervals: [DisplayID: LeaseIntervalTrack] = [:]
    private(set) var changes = ChangeTrack()
    /// The displays whose samples and intervals are removed once they are written.
    private var withdrawn: Set<DisplayID> = []
    var clock = HistoryClock()
    /// Whether the recorder will write what is unwritten without another request.
    var isCommitAwaited = false
    /// The start of the recorder.
    let begin: Moment

    init(begin: Moment) { self.begin = begin }

    var isWritten: Bool {
        changes.isWritten && samples.values.allSatisfy(\.isWritten) && intervals.values.allSatisfy(\.isWritten)
    }

    /// Adds the hub's notifications.
    ///
    /// - Parameter leases: Returns the leases in force on a display; `nil` for an unknown display.
    mutating func record(
        _ notifications: [Notification],
        _ content: DrainedContent,
        leases: (DisplayID) -> [Lease]?,
        at now: Moment
    ) {
        let start = begin.corrected(at: now).wall
        // After a jump the rows in force have a wrong date: they are written again.
        if clock.noteJump(at: now) { markUnwritten() }
        for notification in notifications {
            switch notification {
            case .lease(let event, _):
                intervals[event.lease.display, default: LeaseIntervalTrack()].record(event, at: now)
            case .state(let state):
                let moment = now.recent(state.latestCause.at) ?? now
                withdrawn.remove(state.id)
                samples[.display(state.id), default: SampleTrack()].record(Sample(state), at: moment)
                changes.record(state, at: moment, since: start)
                // Otherwise changes of leases may be missing.
                if content == .whole { continue }
                let current = leases(state.id) ?? []
                if current.isEmpty, intervals[state.id] == nil { continue }
                intervals[state.id, default: LeaseIntervalTrack()].compare(with: current, at: now)
            case .ambient(let ambient):
                // Only measured light is recorded. A substitute has no illuminance, and ends what was measured before.
                if ambient.source != .sensor, samples[.light] == nil { continue }
                let moment = now.recent(ambient.at) ?? now
                samples[.light, default: SampleTrack()].record(Sample(ambient), at: moment)
            case .display(let id, .removed, _):
                if leases(id) == nil { withdraw(id, at: now) }
            default: break
            }
        }
        if content == .restarted {
            let known = Set(samples.keys.compactMap(\.displayID)).union(intervals.keys)
            for id in known where leases(id) == nil { withdraw(id, at: now) }
        }
    }

    /// Marks a display's state as unknown from now on, and removes it from memory once that is written.
    private mutating func withdraw(_ id: DisplayID, at now: Moment) {
        samples[.display(id)]?.record(.unknown, at: now)
        intervals[id]?.compare(with: [], at: now)
        if withdrawn.count < Self.withdrawnLimit { withdrawn.insert(id) } else { forget(id) }
    }

    private mutating func forget(_ id: DisplayID) {
        samples[.display(id)] = nil
        intervals[id] = nil
        changes.forget(id)
    }

    /// Marks everything as unknown from now on.
    mutating func end(at now: Moment) {
        for id in samples.keys { samples[id]?.record(.unknown, at: now) }
    }

    // MARK: Writing

    /// Marks what is in force as unwritten: it is missing in a new database, or has a wrong date.
    mutating func markUnwritten() {
        for id in samples.keys { samples[id]?.repeatCurrent() }
        for id in intervals.keys { intervals[id]?.repeatCurrent() }
    }

    mutating func unwrittenIntervals() -> [(DisplayID, LeaseIntervalRow)] {
        var rows: [(DisplayID, LeaseIntervalRow)] = []
        for id in intervals.keys { rows += (intervals[id]?.unwritten() ?? []).map { (id, $0) } }
        return rows
    }

    mutating func markWritten() {
        for id in samples.keys { samples[id]?.markWritten() }
        for id in intervals.keys { intervals[id]?.markWritten() }
        changes.markWritten()
        for id in withdrawn { forget(id) }
        withdrawn = []
    }
}

extension Moment {
    /// Returns the moment of a date up to a minute ago; `nil` for another date, or if the clock jumped since then.
    func recent(_ date: Timestamp) -> Moment? {
        let age = wall.milliseconds - date.milliseconds
        return (0...HistoryClock.tolerance).contains(age) ? moment(of: date) : nil
    }
}

/// The rules for how far to trust the wall clock, which dates the history and may be wrong.
///
/// - The history ages at most 100 times as fast as the daemon runs. A clock that is a year ahead for a second or an
///   hour thins and deletes 100 seconds or four days of history, and not a year.
/// - A clock that is behind the newest sample writes nothing for an hour. Then it is trusted, and this run's later
///   samples are deleted. An earlier run's samples stay: either clock may have been wrong.
struct HistoryClock: Sendable {
    /// Smaller corrections of the clock do not count as a jump. In milliseconds.
    static let tolerance: Int64 = 60_000
    /// How long a clock that is behind is not trusted.
    static let doubt: Duration = .seconds(3_600)
    static let agingRate: Int64 = 100

    private var lastMoment: Moment?
    /// `nil` while the clock is not behind the newest sample.
    private var behindSince: Instant?
    /// The last thinning, or the first moment of this run.
    private var lastThinning: Instant?

    /// Returns whether the clock jumped since the previous call.
    mutating func noteJump(at now: Moment) -> Bool {
        lastThinning = lastThinning ?? now.instant
        defer { lastMoment = now }
        guard let lastMoment else { return false }
        let expected = lastMoment.wall + (now.instant - lastMoment.instant)
        return abs(now.wall.milliseconds - expected.milliseconds) > Self.tolerance
    }

    /// Decides whether a sample may be written now, if the newest written one has the date `newest`.
    mutating func decideTrust(in now: Moment, over newest: Int64?) -> Bool {
        guard let newest, newest > now.wall.milliseconds + Self.tolerance else {
            behindSince = nil
            return true
        }
        let since = behindSince ?? now.instant
        behindSince = since
        return now.instant - since >= Self.doubt
    }

    /// Returns the time for thinning: the wall clock, limited by the running time since the previous call.
    ///
    /// - Parameter earlier: The result of the previous call, in this or an earlier run; `nil` for a new history.
    mutating func thinningTime(at now: Moment, after earlier: Int64?) -> Int64 {
        let passed = now.instant - (lastThinning ?? now.instant)
        lastThinning = now.instant
        guard let earlier else { return now.wall.milliseconds }
        return min(now.wall.milliseconds, earlier + passed.milliseconds * Self.agingRate)
    }
}
