// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The changes of displays in a database. One thread at a time.
struct ChangeTable {
    private let putChange: Statement
    private let newest: Statement
    private let extent: Statement
    private let count: Statement
    private let removeExcess: Statement
    private let removeOutside: Statement
    private let removeAll: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        putChange = try database.prepare(
            "INSERT INTO change (display, at, brightness, is_available, body) VALUES (?1, ?2, ?3, ?4, ?5)"
        )
        newest = try database.prepare(
            """
            SELECT body FROM change
            WHERE (?1 IS NULL OR display = ?1) AND at >= ?2 AND at <= ?3 ORDER BY number DESC LIMIT ?4
            """
        )
        extent = try database.prepare(
            """
            SELECT min(brightness), max(brightness) FROM change
            WHERE display = ?1 AND at > ?2 AND at <= ?3 AND is_available
            """
        )
        count = try database.prepare("SELECT count(*) FROM change")
        removeExcess = try database.prepare(
            """
            DELETE FROM change WHERE number IN (
                SELECT number FROM (
                    SELECT number, row_number() OVER (PARTITION BY display ORDER BY number DESC) AS rank FROM change
                ) ORDER BY rank DESC, number LIMIT ?1
            )
            """
        )
        removeAll = try database.prepare("DELETE FROM change WHERE display = ?1")
        removeOutside = try database.prepare("DELETE FROM change WHERE at < ?1 OR at > ?2")
    }

    func forget(_ display: DisplayID) throws(DatabaseError) { try removeAll.run(.text(display.text)) }

    func put(_ change: DisplayChange) throws(DatabaseError) {
        try putChange.run(
            .text(change.display.text),
            .integer(change.cause.at.milliseconds),
            .real(change.shown.brightness.fraction),
            .flag(change.shown.isAvailable),
            .utf8(change.json)
        )
    }

    /// Returns the newest changes of a time range, the newest first. Invalid rows are left out.
    func newest(_ query: ChangesQuery, limit: Int) throws(DatabaseError) -> [DisplayChange] {
        try newest.all(
            .text(query.display?.text),
            .integer(query.from?.milliseconds ?? .min),
            .integer(query.to?.milliseconds ?? .max),
            .integer(limit)
        ) { row in
            row.document(0).flatMap { DisplayChange(reading: $0) }
        }
    }

    /// Returns the lowest and the highest brightness after the changes after one time, up to another one.
    func extent(of display: DisplayID, after from: Int64, to: Int64) throws(DatabaseError) -> [Brightness] {
        try extent.only(.text(display.text), .integer(from), .integer(to)) { $0.brightnesses } ?? []
    }

    /// Deletes the changes before a time and after another one, and the oldest of the displays with the most: one
    /// display never takes the places of another.
    func thin(before first: Int64, after last: Int64) throws(DatabaseError) {
        try removeOutside.run(.integer(first), .integer(last))
        let excess = (try count.only { $0.integer(0) } ?? 0) - Int64(ChangeTrack.limit)
        if excess > 0 { try removeExcess.run(.integer(excess)) }
    }
}
