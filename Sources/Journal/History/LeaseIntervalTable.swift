// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The lease intervals in a database. One thread at a time.
///
/// A row has the id of its lease until the end of the lease was observed.
struct LeaseIntervalTable {
    /// The maximum number of intervals of all displays; the oldest are deleted.
    static let limit = 50_000

    private let insert: Statement
    private let remove: Statement
    private let overlapping: Statement
    private let endInForce: Statement
    private let removeOld: Statement
    private let removeAfter: Statement
    private let removeExcess: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        insert = try database.prepare(
            "INSERT INTO band (display, lease, began_at, ends_at, ended_at, body) VALUES (?1, ?2, ?3, ?4, ?5, ?6)"
        )
        remove = try database.prepare("DELETE FROM band WHERE display = ?1 AND lease = ?2")
        // An overlapping interval began no earlier than the longest interval's length before the range, which limits
        // the search.
        overlapping = try database.prepare(
            """
            SELECT body, lease, ended_at FROM band
            WHERE display = ?1 AND ended_at >= ?2 AND began_at <= ?3
                AND began_at >= ?2 - (SELECT max(ended_at - began_at) FROM band WHERE display = ?1)
            ORDER BY began_at DESC LIMIT ?4
            """
        )
        endInForce = try database.prepare(
            """
            UPDATE band SET ended_at = max(began_at, min(coalesce(ends_at, ?1), ?1))
            WHERE lease IS NOT NULL AND ended_at IS NULL
            """
        )
        removeOld = try database.prepare("DELETE FROM band WHERE display = ?1 AND began_at <= ?2 AND ended_at <= ?2")
        removeAfter = try database.prepare("DELETE FROM band WHERE display = ?1 AND began_at > ?2")
        removeExcess = try database.prepare(
            """
            DELETE FROM band WHERE number IN (
                SELECT number FROM band ORDER BY number LIMIT max(0, (SELECT count(*) FROM band) - ?1)
            )
            """
        )
    }

    /// Writes the interval of a lease in place of an earlier one without an observed end.
    func put(_ row: LeaseIntervalRow, of display: DisplayID, at now: Moment) throws(DatabaseError) {
        let interval = row.dated(at: now)
        try remove.run(.text(display.text), .text(row.lease.text))
        try insert.run(
            .text(display.text),
            .text(row.end == nil ? row.lease.text : nil),
            .integer(interval.from.milliseconds),
            .integer(row.endsAt?.corrected(at: now).wall.milliseconds),
            .integer(interval.to?.milliseconds),
            .utf8(interval.json)
        )
    }

    /// Ends the intervals in force, because their ends were not observed: when their time was over, at the latest at
    /// `time`.
    func endAll(by time: Timestamp) throws(DatabaseError) { try endInForce.run(.integer(time.milliseconds)) }

    /// Deletes the intervals that began later.
    func forget(_ display: DisplayID, after time: Int64) throws(DatabaseError) {
        try removeAfter.run(.text(display.text), .integer(time))
    }

    /// Returns the newest ended intervals that were in force at any time of a query, one more than an answer has.
    ///
    /// - Parameter leases: Those that have newer intervals in memory.
    func ended(in query: HistoryQuery, except leases: Set<LeaseID>) throws(DatabaseError) -> [LeaseInterval] {
        try overlapping.all(
            .text(query.display.text),
            .integer(query.from.milliseconds),
            .integer(query.to.milliseconds),
            .integer(History.leaseLimit + 1)
        ) { row in
            guard var interval = row.document(0).flatMap({ LeaseInterval(reading: $0) }) else { return nil }
            if let lease = row.text(1), leases.contains(LeaseID(lease)) { return nil }
            // The document has no end that was not observed.
            interval.to = row.timestamp(2)
            return interval
        }
    }

    /// Deletes intervals that are too old or exceed `limit`.
    func thin(_ displays: [DisplayID], at now: Int64) throws(DatabaseError) {
        for display in displays { try removeOld.run(.text(display.text), .integer(now - RetentionTier.oldest)) }
        try removeExcess.run(.integer(Self.limit))
    }
}
