// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// What the history has in memory: all that is not in the database yet. No clock, no database, no lock.
struct HistoryMemory: Sendable {
    /// Withdrawn displays that are kept until they are written, which a full disk may put off.
    static let withdrawnLimit = 1_024

    private(set) var samples: [Subject: SampleTrack] = [:]
    private(set) var intervals: [DisplayID: LeaseIntervalTrack] = [:]
    /// Those of `samples` and `intervals` that are let go once they are written.
    private var withdrawn: Set<DisplayID> = []
    var clock = HistoryClock()
    /// Whether it is known that there is something to be written.
    var isCommitAwaited = false
    /// When this run began.
    let begin: Timestamp
    private var nextNumber: Int64 = 1

    init(begin: Timestamp) { self.begin = begin }

    /// Whether there is nothing to be written.
    var isWritten: Bool { samples.values.allSatisfy(\.isWritten) && intervals.values.allSatisfy(\.isWritten) }

    /// Takes what the hub has to tell.
    ///
    /// - Parameters:
    ///   - isWhole: Whether no boost is missing in it.
    ///   - leases: Those in force on a display; `nil` for one that is not known any more.
    mutating func take(_ news: [Notification], isWhole: Bool, leases: (DisplayID) -> [Lease]?, at now: Moment) {
        if clock.jumps(at: now) { for id in samples.keys { samples[id]?.repeatCurrent() } }
        for notification in news {
            switch notification {
            case .boost(let event, _):
                intervals[event.lease.display, default: LeaseIntervalTrack()].take(event, at: now.wall)
            case .brightness(let state):
                let instant = Self.instant(of: state.cause.at, at: now)
                withdrawn.remove(state.id)
                samples[.display(state.id), default: SampleTrack()].take(Sample(state), at: instant)
                if !isWhole {
                    intervals[state.id, default: LeaseIntervalTrack()].compare(
                        with: leases(state.id) ?? [],
                        at: now.wall
                    )
                }
            case .ambient(let ambient):
                // Days are told from that alone; of a stand-in there is no illuminance to tell.
                guard ambient.source == .sensor else { continue }
                let instant = Self.instant(of: ambient.at, at: now)
                samples[.light, default: SampleTrack()].take(Sample(ambient), at: instant)
            case .display(let id, .removed, _):
                if leases(id) == nil { withdraw(id, at: now) }
            case .display(_, .added, _), .audience, .following, .journal, .broker, .health, .room, .failure:
                break
            }
        }
        // A removal may be among what was missed.
        if !isWhole {
            let known = Set(samples.keys.compactMap(\.displayID)).union(intervals.keys)
            for id in known where leases(id) == nil { withdraw(id, at: now) }
        }
    }

    /// Nothing is known of a display from now on, and nothing of it is kept once that is written.
    private mutating func withdraw(_ id: DisplayID, at now: Moment) {
        samples[.display(id)]?.take(.unknown, at: now.instant)
        intervals[id]?.compare(with: [], at: now.wall)
        if withdrawn.count < Self.withdrawnLimit { withdrawn.insert(id) } else { forget(id) }
    }

    private mutating func forget(_ id: DisplayID) {
        samples[.display(id)] = nil
        intervals[id] = nil
    }

    /// Nothing is known of anything from now on.
    mutating func end(at now: Moment) {
        for id in samples.keys { samples[id]?.take(.unknown, at: now.instant) }
    }

    /// A change is as old as its date says, unless the clock jumped in between.
    private static func instant(of date: Timestamp, at now: Moment) -> Instant {
        let age = now.wall.milliseconds - date.milliseconds
        return (0...HistoryClock.tolerance).contains(age) ? now.instant - .milliseconds(age) : now.instant
    }

    // MARK: Writing

    /// The database has nothing of this run.
    mutating func repeatAll(numberedFrom number: Int64) {
        nextNumber = max(nextNumber, number)
        for id in samples.keys { samples[id]?.repeatCurrent() }
        for id in intervals.keys { intervals[id]?.repeatAll() }
    }

    /// Returns whether the lease of a row is still in force: then the row goes on as its interval.
    mutating func goOn(with row: LeaseIntervalRow, of display: DisplayID) -> Bool {
        intervals[display]?.goOn(with: row) ?? false
    }

    mutating func intervalRows() -> [(DisplayID, LeaseIntervalRow)] {
        var rows: [(DisplayID, LeaseIntervalRow)] = []
        for id in intervals.keys { rows += (intervals[id]?.rows(numberedFrom: &nextNumber) ?? []).map { (id, $0) } }
        return rows
    }

    mutating func wrote() {
        for id in samples.keys { samples[id]?.wrote() }
        for id in intervals.keys { intervals[id]?.wrote() }
        for id in withdrawn { forget(id) }
        withdrawn = []
    }
}
