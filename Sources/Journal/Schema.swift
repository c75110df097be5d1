// SPDX-License-Identifier: Apache-2.0

/// The tables, as a list of steps from an empty file to today's. A step that was once released never changes; a new one
/// is added at the end. The file's `user_version` counts the steps it has.
///
/// Times are milliseconds: `…_at` since 1970 on the wall, `…_after_boot` since the machine was started.
enum Schema {
    static let steps = [
        """
        CREATE TABLE boot (id TEXT NOT NULL) STRICT;
        CREATE TABLE display (
            id TEXT PRIMARY KEY,
            maximum INTEGER NOT NULL,
            baseline REAL NOT NULL,
            baseline_step INTEGER NOT NULL,
            floor INTEGER,
            ceiling INTEGER,
            is_overridden INTEGER NOT NULL,
            boot TEXT NOT NULL
        ) STRICT;
        CREATE TABLE lease (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            display TEXT NOT NULL REFERENCES display (id),
            holder TEXT,
            reason TEXT,
            brightness REAL NOT NULL,
            lifespan TEXT NOT NULL,
            granted_at INTEGER NOT NULL,
            ends_at INTEGER,
            ends_after_boot INTEGER,
            left INTEGER
        ) STRICT;
        CREATE INDEX lease_display ON lease (display);
        """
    ]

    /// Brings a file to today's tables, wholly or not at all.
    static func migrate(_ database: Database) throws(DatabaseError) {
        var version = 0
        try database.prepare("PRAGMA user_version").run { version = Int($0.integer(0) ?? 0) }
        guard version <= steps.count else { throw .newer(version: version) }
        guard version < steps.count else { return }
        try database.transaction { () throws(DatabaseError) in
            for step in steps[version...] { try database.run(step) }
            try database.run("PRAGMA user_version = \(steps.count)")
        }
    }
}
