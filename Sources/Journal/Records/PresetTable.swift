// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The table of the presets: a row for each rule. One thread at a time.
struct PresetTable {
    private let database: SQLiteConnection
    private let insert: Statement
    private let remove: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        self.database = database
        insert = try database.prepare("INSERT INTO preset (name, displays, brightness, is_on) VALUES (?1, ?2, ?3, ?4)")
        remove = try database.prepare("DELETE FROM preset WHERE name = ?1")
    }

    /// Writes presets in one transaction that survives a power cut. `nil` removes one.
    func write(_ changes: [ResourceName: Preset?]) throws(DatabaseError) {
        try database.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            for (name, preset) in changes {
                try remove.run(.text(name.text))
                for rule in preset?.rules ?? [] {
                    try insert.run(
                        .text(name.text),
                        .text(rule.displays.text),
                        .real(rule.value.brightness?.fraction),
                        .integer(rule.value.isOn.map { $0 ? 1 : 0 })
                    )
                }
            }
        }
    }

    /// Reads the presets. Skips invalid rows, which another program may have written.
    func read() throws(DatabaseError) -> [Preset] {
        // Grouped afterwards: Swift 6.0.3 crashes over a change of a dictionary's value in this closure.
        var rules: [(name: ResourceName, rule: Preset.Rule)] = []
        try database.prepare("SELECT name, displays, brightness, is_on FROM preset").run { row in
            guard let name = row.text(0).flatMap({ ResourceName($0) }),
                let displays = row.text(1).flatMap({ PresetDisplays($0) }),
                let value = PresetValue(brightness: row.brightness(2), isOn: row.integer(3).map { $0 == 1 })
            else { return }
            rules.append((name, Preset.Rule(displays, value)))
        }
        return Dictionary(grouping: rules, by: \.name).compactMap { name, rules in Preset(name, rules.map(\.rule)) }
    }
}
