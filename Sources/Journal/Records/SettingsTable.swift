// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records' table for the settings of displays.
struct SettingsTable {
    private let put: Statement
    private let remove: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        put = try database.prepare(
            "INSERT OR REPLACE INTO settings (display, name, curve, position) VALUES (?1, ?2, ?3, ?4)"
        )
        remove = try database.prepare("DELETE FROM settings WHERE display = ?1")
    }

    /// Writes the differences. The caller has opened a transaction.
    func write(_ settings: DisplaySettings, over old: DisplaySettings, of id: DisplayID) throws(DatabaseError) {
        guard settings != old else { return }
        if settings == .none { return try remove.run(.text(id.text)) }
        try put.run(
            .text(id.text),
            .text(settings.name?.text),
            .text(settings.curve?.text(per: 1)),
            .integer(settings.position?.number)
        )
    }

    /// Reads the settings of an earlier run. An invalid value, which another program may have written, counts as
    /// missing.
    static func read(_ database: SQLiteConnection) throws(DatabaseError) -> [DisplayID: DisplaySettings] {
        var settings: [DisplayID: DisplaySettings] = [:]
        try database.prepare("SELECT display, name, curve, position FROM settings").run { row in
            guard let id = row.text(0).flatMap({ DisplayID($0) }) else { return }
            settings[id] = DisplaySettings(
                name: row.text(1).flatMap { DisplayName($0) },
                curve: row.text(2).flatMap { PanelCurve($0, per: 1) },
                position: row.integer(3).flatMap { Int(exactly: $0) }.flatMap { DisplaySettings.Position($0) }
            )
        }
        return settings
    }
}
