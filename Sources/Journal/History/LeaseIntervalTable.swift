// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The lease intervals in a database. One thread at a time.
struct LeaseIntervalTable {
    /// The maximum number of intervals of all displays; the oldest are deleted.
    static let limit = 50_000

    private let putInterval: Statement
    private let overlapping: Statement
    private let inForce: Statement
    private let newest: Statement
    private let removeOld: Statement
    private let removeExcess: Statement
    private let removeMisnumbered: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        putInterval = try database.prepare(
            """
            INSERT OR REPLACE INTO band (number, display, lease, began_at, ends_at, ended_at, body)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)
            """
        )
        // An overlapping interval began no earlier than the longest interval's length before the range, which limits
        // the search.
        overlapping = try database.prepare(
            """
            SELECT body FROM band
            WHERE display = ?1 AND ended_at >= ?2 AND began_at <= ?3
                AND began_at >= ?2 - (SELECT max(ended_at - began_at) FROM band WHERE display = ?1)
            ORDER BY began_at DESC LIMIT ?4
            """
        )
        inForce = try database.prepare("SELECT body, number, display, lease, ends_at FROM band WHERE lease IS NOT NULL")
        newest = try database.prepare("SELECT max(number) FROM band")
        removeOld = try database.prepare("DELETE FROM band WHERE display = ?1 AND began_at <= ?2 AND ended_at <= ?2")
        removeExcess = try database.prepare("DELETE FROM band WHERE number <= ?1")
        removeMisnumbered = try database.prepare("DELETE FROM band WHERE number < 0 OR number >= ?1")
    }

    func put(_ row: LeaseIntervalRow, of display: DisplayID) throws(DatabaseError) {
        try putInterval.run(
            .integer(row.number),
            .text(display.text),
            .text(row.lease?.text),
            .integer(row.interval.from.milliseconds),
            .integer(row.endsAt?.milliseconds),
            .integer(row.interval.to?.milliseconds),
            .utf8(row.interval.json)
        )
    }

    func forget(_ display: DisplayID) throws(DatabaseError) {
        try removeOld.run(.text(display.text), .integer(.max))
    }

    /// Returns the newest ended intervals that were in force at any time from `start` to `end`, one more than an
    /// answer has.
    func ended(of display: DisplayID, from start: Int64, to end: Int64) throws(DatabaseError) -> [LeaseInterval] {
        let limit = History.leaseLimit + 1
        return try overlapping.all(.text(display.text), .integer(start), .integer(end), .integer(limit)) { row in
            row.document(0).flatMap { LeaseInterval(reading: $0) }
        }
    }

    /// Returns the intervals that have not ended according to the database.
    func rowsInForce() throws(DatabaseError) -> [(DisplayID, LeaseIntervalRow)] {
        try inForce.all { row in
            guard let interval = row.document(0).flatMap({ LeaseInterval(reading: $0) }), let number = row.integer(1),
                let display = row.text(2).flatMap({ DisplayID($0) }), let lease = row.text(3)
            else { return nil }
            let end = row.timestamp(4)
            return (display, LeaseIntervalRow(number: number, lease: LeaseID(lease), endsAt: end, interval: interval))
        }
    }

    /// Deletes rows with a number that the journal never assigns: the next number would be one that cannot be stored.
    func removeInvalid() throws(DatabaseError) { try removeMisnumbered.run(.integer(Row.largest)) }

    /// Returns the highest assigned number; 0 when there is none.
    func newestNumber() throws(DatabaseError) -> Int64 { try newest.only { $0.integer(0) } ?? 0 }

    /// Deletes intervals that are too old or exceed `limit`.
    func thin(_ displays: [DisplayID], at now: Int64) throws(DatabaseError) {
        for display in displays { try removeOld.run(.text(display.text), .integer(now - RetentionTier.oldest)) }
        try removeExcess.run(.integer(newestNumber() - Int64(Self.limit)))
    }
}
