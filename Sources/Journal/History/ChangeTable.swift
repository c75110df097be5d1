// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The changes of displays in a database. One thread at a time.
struct ChangeTable {
    private let putChange: Statement
    private let newest: Statement
    private let extent: Statement
    private let count: Statement
    private let removeExcess: Statement
    private let removeOld: Statement
    private let removeAll: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        putChange = try database.prepare(
            """
            INSERT INTO change (
                display, at, brightness, baseline, is_on, is_available, brightness_before, baseline_before, was_on,
                was_available, lease, is_end, cause, by, principal, reason
            ) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16)
            """
        )
        newest = try database.prepare(
            """
            SELECT display, at, brightness, baseline, is_on, is_available, brightness_before, baseline_before, was_on,
                was_available, lease, is_end, cause, by, principal, reason FROM change
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
        // Reads the oldest changes only, up to the first that stays.
        removeOld = try database.prepare(
            """
            DELETE FROM change
            WHERE number < coalesce((SELECT number FROM change WHERE at >= ?1 ORDER BY number LIMIT 1), 1 << 62)
            """
        )
    }

    func forget(_ display: DisplayID) throws(DatabaseError) { try removeAll.run(.text(display.text)) }

    func put(_ change: DisplayChange) throws(DatabaseError) {
        let (shown, before, cause) = (change.shown, change.before, change.cause)
        try putChange.run(
            .text(change.display.text),
            .integer(cause.at.milliseconds),
            .real(shown.brightness.fraction),
            .real(shown.baseline.fraction),
            .flag(shown.isOn),
            .flag(shown.isAvailable),
            .real(before?.brightness.fraction),
            .real(before?.baseline.fraction),
            .flag(before?.isOn),
            .flag(before?.isAvailable),
            .text(change.lease?.kind.rawValue),
            .flag(change.lease?.isEnd),
            .text(cause.kind.rawValue),
            .text(cause.by),
            .text(cause.principal?.text),
            .text(cause.reason)
        )
    }

    /// Returns the newest changes of a time range, the newest first. Invalid rows are left out.
    func newest(_ query: ChangesQuery, limit: Int) throws(DatabaseError) -> [DisplayChange] {
        var changes: [DisplayChange] = []
        try newest.run(
            .text(query.display?.text),
            .integer(query.from?.milliseconds ?? .min),
            .integer(query.to?.milliseconds ?? .max),
            .integer(limit)
        ) { row in
            if let change = DisplayChange(row) { changes.append(change) }
        }
        return changes
    }

    /// Returns the lowest and the highest brightness after the changes after one time, up to another one.
    func extent(of display: DisplayID, after from: Int64, to: Int64) throws(DatabaseError) -> [Brightness] {
        var found: [Brightness] = []
        try extent.run(.text(display.text), .integer(from), .integer(to)) { row in
            found = [row.brightness(0), row.brightness(1)].compactMap(\.self)
        }
        return found
    }

    /// Deletes the changes before a time, and the oldest of the displays with the most: one display never takes the
    /// places of another.
    func thin(before time: Int64) throws(DatabaseError) {
        try removeOld.run(.integer(time))
        var excess = -Int64(ChangeTrack.limit)
        try count.run { excess += $0.integer(0) ?? 0 }
        if excess > 0 { try removeExcess.run(.integer(excess)) }
    }
}

extension DisplayChange {
    fileprivate init?(_ row: borrowing Row) {
        guard let display = row.text(0).flatMap({ DisplayID($0) }), let at = row.date(1),
            let shown = Shown(row, from: 2), let kind = row.text(12).flatMap({ Cause.Kind(rawValue: $0) })
        else { return nil }
        var lease: LeaseStep?
        if let kind = row.text(10).flatMap({ LeaseKind(rawValue: $0) }) {
            lease = LeaseStep(kind, isEnd: row.integer(11) == 1)
        }
        self.init(
            display,
            shown,
            before: Shown(row, from: 6),
            lease: lease,
            cause: Cause(
                kind,
                by: row.text(13),
                principal: row.text(14).map { Principal($0) },
                reason: row.text(15),
                at: Timestamp(milliseconds: at)
            )
        )
    }
}

extension DisplayChange.Shown {
    fileprivate init?(_ row: borrowing Row, from column: Int32) {
        guard let brightness = row.brightness(column),
            let baseline = row.brightness(column + 1),
            let isOn = row.flag(column + 2), let isAvailable = row.flag(column + 3)
        else { return nil }
        self.init(brightness: brightness, baseline: baseline, isOn: isOn, isAvailable: isAvailable)
    }
}
