// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records' table for displays that clients provide.
struct ProvidedTable {
    private let put: Statement
    private let remove: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        put = try database.prepare(
            """
            INSERT INTO provided (display, principal, name, is_dimmable, is_switchable, gone_since_at)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6)
            ON CONFLICT (display) DO UPDATE SET
                principal = ?2, name = ?3, is_dimmable = ?4, is_switchable = ?5, gone_since_at = ?6
            """
        )
        remove = try database.prepare("DELETE FROM provided WHERE display = ?1")
    }

    /// Writes the differences. The caller has opened a transaction.
    func write(_ record: ProvidedRecord?, over old: ProvidedRecord?, of id: DisplayID) throws(DatabaseError) {
        guard record != old else { return }
        guard let record else { return try remove.run(.text(id.text)) }
        try put.run(
            .text(id.text),
            .text(record.principal.text),
            .text(record.name),
            .flag(record.isDimmable),
            .flag(record.isSwitchable),
            .integer(record.goneSince?.milliseconds)
        )
    }

    /// Reads the records of an earlier run. Skips invalid rows, which another program may have written.
    static func read(_ database: SQLiteConnection) throws(DatabaseError) -> [DisplayID: ProvidedRecord] {
        var records: [DisplayID: ProvidedRecord] = [:]
        try database.prepare(
            "SELECT display, principal, name, is_dimmable, is_switchable, gone_since_at FROM provided"
        ).run { row in
            guard let id = row.text(0).flatMap({ DisplayID($0) }), let principal = row.text(1), let name = row.text(2)
            else { return }
            records[id] = ProvidedRecord(
                name: name,
                isDimmable: row.flag(3) == true,
                isSwitchable: row.flag(4) == true,
                principal: Principal(principal),
                goneSince: row.timestamp(5)
            )
        }
        return records
    }
}
