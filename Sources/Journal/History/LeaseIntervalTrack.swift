// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The interval of a lease; a row of the table `band`.
///
/// Its begin and its end have instants, and get wall-clock dates when they are read or written.
struct LeaseIntervalRow: Sendable {
    let lease: LeaseID
    /// When the lease began; `nil` if this run did not see that.
    private let begin: Moment?
    var end: Moment?
    /// When the lease ends unless it is renewed.
    let endsAt: Moment?
    var interval: LeaseInterval
    /// Whether this run has stored the row of the lease in force.
    var isStored = false

    /// - Parameter earlier: The row of the lease so far.
    init(_ lease: Lease, after earlier: LeaseIntervalRow? = nil, at now: Moment) {
        (self.lease, endsAt, interval) = (lease.id, lease.end, LeaseInterval(lease))
        if let earlier {
            (begin, isStored) = (earlier.begin, earlier.isStored)
        } else {
            begin = now.recent(lease.grantedAt)
        }
    }

    /// Returns the interval, dated by the current clock.
    func dated(at now: Moment) -> LeaseInterval {
        var dated = interval
        dated.from = begin?.corrected(at: now).wall ?? interval.from
        if let end { dated.to = max(end.corrected(at: now).wall, dated.from) }
        return dated
    }

    func follows(_ earlier: LeaseIntervalRow, within gap: Duration) -> Bool {
        guard let begin, let end = earlier.end else { return false }
        return begin.instant - end.instant < gap
    }
}

/// The leases of one display that are in force, and the ended ones that are not in the database yet.
///
/// ```
///   inForce and changed ──written──► inForce
///           │                           │
///           └──ends─────► ended ◄──ends─┘
///                           └──written──► only in the database
/// ```
///
/// Limits the cost of many short leases, which end before they are written: those of one kind by one holder for one
/// reason with less than `gap` between them form one interval, and of others a commit adds at most `limit`.
struct LeaseIntervalTrack: Sendable {
    /// The maximum number of ended intervals, and of those in force, that one commit adds.
    static let limit = 60
    /// The maximum number of ended intervals to keep while nothing can be written.
    private static let endedLimit = 10 * limit
    /// The longest pause within one interval.
    private static let gap: Duration = .seconds(1)

    private struct IntervalKey: Hashable {
        let kind: LeaseKind
        let holder: String?
        let reason: String?

        init(_ interval: LeaseInterval) {
            (kind, holder, reason) = (interval.kind, interval.holder, interval.reason)
        }
    }

    private var inForce: [LeaseID: LeaseIntervalRow] = [:]
    private var changed: Set<LeaseID> = []
    private var ended: [LeaseIntervalRow] = []
    /// The index in `ended` of the last interval of each holder and reason.
    private var lastEnded: [IntervalKey: Int] = [:]
    /// The new rows that were added to `ended` since the last commit; at most `limit`.
    private var added = 0

    var isWritten: Bool { ended.isEmpty && changed.isEmpty }

    var rows: [LeaseIntervalRow] { ended + inForce.values }

    /// An unknown lease that has ended may have been granted and released between two reads.
    mutating func record(_ event: LeaseEvent, at now: Moment) {
        let lease = event.lease
        guard event.change.isEnd else { return put(lease, at: now) }
        let row = inForce[lease.id] ?? LeaseIntervalRow(lease, at: now)
        // Its time may have been over before this was noticed.
        if event.change == .expired, let time = lease.end, time.instant < now.instant {
            end(row, at: time, by: .expired)
        } else {
            end(row, at: now, by: event.change)
        }
    }

    /// Corrects missed changes: `leases` are those in force.
    mutating func compare(with leases: [Lease], at now: Moment) {
        for lease in leases where inForce[lease.id] == nil { put(lease, at: now) }
        let known = Set(leases.map(\.id))
        for (id, row) in inForce where !known.contains(id) { end(row, at: now, by: nil) }
    }

    private mutating func put(_ lease: Lease, at now: Moment) {
        inForce[lease.id] = LeaseIntervalRow(lease, after: inForce[lease.id], at: now)
        changed.insert(lease.id)
    }

    private mutating func end(_ row: LeaseIntervalRow, at time: Moment, by change: LeaseChange?) {
        inForce[row.lease] = nil
        changed.remove(row.lease)
        var row = row
        (row.end, row.interval.end) = (time, change)
        if !row.isStored {
            if merge(row) { return }
            guard added < Self.limit else { return }
            added += 1
        }
        lastEnded[IntervalKey(row.interval)] = ended.count
        ended.append(row)
        if ended.count > Self.endedLimit {
            ended.removeFirst(Self.endedLimit / 2)
            lastEnded = [:]
        }
    }

    /// Merges the row with the interval before it. Returns whether that was possible.
    private mutating func merge(_ row: LeaseIntervalRow) -> Bool {
        guard let index = lastEnded[IntervalKey(row.interval)], row.follows(ended[index], within: Self.gap)
        else { return false }
        if let end = row.end, let last = ended[index].end, end.instant > last.instant { ended[index].end = end }
        ended[index].interval.end = row.interval.end
        let brightness = ended[index].interval.brightness
        ended[index].interval.brightness = row.interval.kind.combined(brightness, row.interval.brightness)
        return true
    }

    // MARK: Writing

    /// Returns the rows to write now.
    mutating func unwritten() -> [LeaseIntervalRow] {
        let new = changed.compactMap { inForce[$0] }.filter { !$0.isStored }
        for row in new.sorted(by: { $0.interval.from < $1.interval.from }).prefix(Self.limit) {
            inForce[row.lease]?.isStored = true
        }
        return ended + changed.compactMap { inForce[$0] }.filter(\.isStored)
    }

    mutating func markWritten() {
        ended = []
        lastEnded = [:]
        added = 0
        // Rows over the limit are written by the next commits.
        changed = changed.filter { inForce[$0]?.isStored == false }
    }

    /// Marks the rows in force as unwritten: they are missing in the database, or have wrong dates.
    mutating func repeatCurrent() { changed = Set(inForce.keys) }
}
