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
    private let removeUnnumbered: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        putInterval = try database.prepare(
            """
            INSERT OR REPLACE INTO band
                (number, display, lease, holder, reason, brightness, began_at, ends_at, ended_at, change, kind)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
            """
        )
        // An overlapping interval began no earlier than the longest interval's length before the range, which limits
        // the search.
        overlapping = try database.prepare(
            """
            SELECT holder, reason, brightness, began_at, ended_at, change, kind FROM band
            WHERE display = ?1 AND ended_at >= ?2 AND began_at <= ?3
                AND began_at >= ?2 - (SELECT max(ended_at - began_at) FROM band WHERE display = ?1)
            ORDER BY began_at DESC LIMIT ?4
            """
        )
        inForce = try database.prepare(
            """
            SELECT number, display, lease, holder, reason, brightness, began_at, ends_at, kind FROM band
            WHERE lease IS NOT NULL
            """
        )
        newest = try database.prepare("SELECT max(number) FROM band")
        removeOld = try database.prepare(
            "DELETE FROM band WHERE display = ?1 AND began_at <= ?2 AND ended_at <= ?2"
        )
        removeExcess = try database.prepare("DELETE FROM band WHERE number <= ?1")
        removeUnnumbered = try database.prepare("DELETE FROM band WHERE number < 0 OR number >= ?1")
    }

    func put(_ row: LeaseIntervalRow, of display: DisplayID) throws(DatabaseError) {
        try putInterval.run(
            .integer(row.number),
            .text(display.text),
            .text(row.lease?.text),
            .text(row.interval.holder),
            .text(row.interval.reason),
            .real(row.interval.brightness?.fraction ?? 0),
            .integer(row.interval.from.milliseconds),
            .integer(row.endsAt?.milliseconds),
            .integer(row.interval.to?.milliseconds),
            .text(row.interval.end?.rawValue),
            .text(row.interval.kind.rawValue)
        )
    }

    /// Deletes the ended intervals of a display.
    func forget(_ display: DisplayID) throws(DatabaseError) {
        try removeOld.run(.text(display.text), .integer(.max))
    }

    /// Returns the newest ended intervals that were in force at any time from `start` to `end`, one more than an
    /// answer has.
    func ended(of display: DisplayID, from start: Int64, to end: Int64) throws(DatabaseError) -> [LeaseInterval] {
        var intervals: [LeaseInterval] = []
        try overlapping.run(
            .text(display.text),
            .integer(start),
            .integer(end),
            .integer(History.leaseLimit + 1)
        ) { row in
            guard let brightness = row.brightness(2), let from = row.timestamp(3),
                let to = row.timestamp(4), let kind = row.text(6).flatMap({ LeaseKind(rawValue: $0) })
            else { return }
            intervals.append(
                LeaseInterval(
                    kind: kind,
                    holder: row.text(0),
                    reason: row.text(1),
                    brightness: kind.defaultBrightness.map { _ in brightness },
                    from: from,
                    to: to,
                    end: row.text(5).flatMap { LeaseChange(rawValue: $0) }
                )
            )
        }
        return intervals
    }

    /// Returns the intervals that have not ended according to the database.
    func rowsInForce() throws(DatabaseError) -> [(DisplayID, LeaseIntervalRow)] {
        var rows: [(DisplayID, LeaseIntervalRow)] = []
        try inForce.run { row in
            guard let number = row.integer(0), let display = row.text(1).flatMap({ DisplayID($0) }),
                let lease = row.text(2), let brightness = row.brightness(5),
                let from = row.timestamp(6), let kind = row.text(8).flatMap({ LeaseKind(rawValue: $0) })
            else { return }
            let interval = LeaseInterval(
                kind: kind,
                holder: row.text(3),
                reason: row.text(4),
                brightness: kind.defaultBrightness.map { _ in brightness },
                from: from
            )
            rows.append(
                (
                    display,
                    LeaseIntervalRow(
                        number: number,
                        lease: LeaseID(lease),
                        endsAt: row.timestamp(7),
                        interval: interval
                    )
                )
            )
        }
        return rows
    }

    /// Deletes rows with a number that the journal never assigns: the next number would be one that cannot be stored.
    func removeInvalid() throws(DatabaseError) { try removeUnnumbered.run(.integer(Row.largest)) }

    /// Returns the highest assigned number; 0 when there is none.
    func newestNumber() throws(DatabaseError) -> Int64 {
        var number: Int64?
        try newest.run { number = $0.integer(0) }
        return number ?? 0
    }

    /// Deletes intervals that are too old or exceed `limit`.
    func thin(_ displays: [DisplayID], at now: Int64) throws(DatabaseError) {
        for display in displays { try removeOld.run(.text(display.text), .integer(now - RetentionTier.oldest)) }
        try removeExcess.run(.integer(newestNumber() - Int64(Self.limit)))
    }
}
