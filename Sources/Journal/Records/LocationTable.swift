// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The table of the place that a person has set. One thread at a time.
struct LocationTable {
    /// The name of the only record.
    static let name = ResourceName("machine")!

    private let database: SQLiteConnection
    private let put: Statement
    private let remove: Statement

    init(_ database: SQLiteConnection) throws(DatabaseError) {
        self.database = database
        put = try database.prepare("INSERT OR REPLACE INTO location (name, latitude, longitude) VALUES (?1, ?2, ?3)")
        remove = try database.prepare("DELETE FROM location WHERE name = ?1")
    }

    /// Writes the place in a transaction that survives a power cut. `nil` removes it.
    func write(_ changes: [ResourceName: Location?]) throws(DatabaseError) {
        try database.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            for (name, location) in changes {
                guard let location else {
                    try remove.run(.text(name.text))
                    continue
                }
                try put.run(.text(name.text), .real(location.latitude), .real(location.longitude))
            }
        }
    }

    /// Reads the place. Skips invalid rows, which another program may have written.
    func read() throws(DatabaseError) -> [(ResourceName, Location)] {
        var found: [(ResourceName, Location)] = []
        try database.prepare("SELECT latitude, longitude FROM location WHERE name = '\(Self.name.text)'").run { row in
            guard let latitude = row.real(0), let longitude = row.real(1),
                let location = Location(latitude: latitude, longitude: longitude)
            else { return }
            found.append((Self.name, location))
        }
        return found
    }
}
