// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A row of the table `band`.
struct LeaseIntervalRow: Equatable, Sendable {
    /// `nil` until the row was first written.
    var number: Int64?
    /// The lease in force; `nil` once it has ended.
    var lease: LeaseID?
    /// When the lease ends unless it is renewed.
    var endsAt: Timestamp?
    var interval: LeaseInterval

    mutating func end(at time: Timestamp, _ change: LeaseChange?) {
        lease = nil
        interval.to = max(time, interval.from)
        interval.end = change
    }
}

extension LeaseIntervalRow {
    init(_ lease: Lease) {
        self.init(lease: lease.id, endsAt: lease.end?.wall, interval: LeaseInterval(lease))
    }
}

/// The leases of one display that are in force, and the ended ones that are not in the database yet.
///
/// ```
///   inForce and changed ──written──► inForce, with a number
///           │                           │
///           └──ends─────► ended ◄──ends─┘
///                           └──written──► only in the database
/// ```
///
/// Limits the cost of many short leases, which end before they have a number: those of one kind by one holder for one
/// reason with less than `gap` between them form one interval, and of others a commit adds at most `limit`.
struct LeaseIntervalTrack: Sendable {
    /// The maximum number of ended intervals, and of those in force, that one commit adds.
    static let limit = 60
    /// The maximum number of ended intervals to keep while nothing can be written.
    private static let endedLimit = 10 * limit
    /// The longest pause within one interval, in milliseconds.
    private static let gap: Int64 = 1_000

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
    /// The rows that were added to `ended` without a number since the last commit; at most `limit`.
    private var added = 0

    var isWritten: Bool { ended.isEmpty && changed.isEmpty }

    var intervals: [LeaseInterval] { ended.map(\.interval) + inForce.values.map(\.interval) }

    /// An unknown lease that has ended may have been granted and released between two reads.
    mutating func record(_ event: LeaseEvent, at now: Timestamp) {
        let lease = event.lease
        if event.change.isEnd {
            let time = event.change == .expired ? lease.end?.wall : nil
            end(inForce[lease.id] ?? LeaseIntervalRow(lease), of: lease.id, at: min(time ?? now, now), by: event.change)
        } else {
            put(lease)
        }
    }

    /// Corrects missed changes: `leases` are those in force.
    mutating func compare(with leases: [Lease], at now: Timestamp) {
        for lease in leases where inForce[lease.id] == nil { put(lease) }
        let known = Set(leases.map(\.id))
        for (id, row) in inForce where !known.contains(id) { end(row, of: id, at: now, by: nil) }
    }

    private mutating func put(_ lease: Lease) {
        var row = LeaseIntervalRow(lease)
        row.number = inForce[lease.id]?.number
        inForce[lease.id] = row
        changed.insert(lease.id)
    }

    private mutating func end(_ row: LeaseIntervalRow, of id: LeaseID, at time: Timestamp, by change: LeaseChange?) {
        inForce[id] = nil
        changed.remove(id)
        var row = row
        row.end(at: time, change)
        if row.number == nil {
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
        guard let index = lastEnded[IntervalKey(row.interval)], let to = ended[index].interval.to,
            row.interval.from.milliseconds - to.milliseconds < Self.gap
        else { return false }
        ended[index].interval.to = max(to, row.interval.to ?? to)
        ended[index].interval.end = row.interval.end
        let brightness = ended[index].interval.brightness
        ended[index].interval.brightness = row.interval.kind.combined(brightness, row.interval.brightness)
        return true
    }

    // MARK: Writing

    /// Returns the rows to write now. New ones get numbers from `next` on.
    mutating func rows(numberedFrom next: inout Int64) -> [LeaseIntervalRow] {
        for index in ended.indices where ended[index].number == nil {
            ended[index].number = next
            next += 1
        }
        let new = changed.compactMap { inForce[$0] }.filter { $0.number == nil }
        for row in new.sorted(by: { $0.interval.from < $1.interval.from }).prefix(Self.limit) {
            guard let lease = row.lease else { continue }
            inForce[lease]?.number = next
            next += 1
        }
        return ended + changed.compactMap { inForce[$0] }.filter { $0.number != nil }
    }

    mutating func markWritten() {
        ended = []
        lastEnded = [:]
        added = 0
        // Rows over the limit are written by the next commits.
        changed = changed.filter { inForce[$0]?.number == nil }
    }

    /// Continues a row of an earlier run or another database. Returns whether its lease is still in force.
    mutating func continueRow(_ row: LeaseIntervalRow) -> Bool {
        guard let lease = row.lease, inForce[lease] != nil else { return false }
        inForce[lease]?.number = row.number
        changed.insert(lease)
        return true
    }

    /// Marks the rows in force as unwritten, for a new database with its own numbers.
    mutating func markUnwritten() {
        changed = Set(inForce.keys)
        for id in changed { inForce[id]?.number = nil }
    }
}
