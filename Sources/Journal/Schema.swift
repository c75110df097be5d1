// SPDX-License-Identifier: Apache-2.0

/// The migrations from an empty file to the current tables. A released step never changes; new steps are appended. The
/// file's `user_version` is the number of its applied steps.
///
/// Records are updated often, each within one page: there is no index apart from the key.
///
/// Times are milliseconds: `…_at` since 1970 by the wall clock, `…_after_boot` since the machine was started.
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
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lease (
            id TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            display TEXT NOT NULL,
            holder TEXT,
            reason TEXT,
            brightness REAL NOT NULL,
            lifespan TEXT NOT NULL,
            granted_at INTEGER NOT NULL,
            ends_at INTEGER,
            ends_after_boot INTEGER,
            left INTEGER
        ) STRICT, WITHOUT ROWID;
        """,
        // The history. A sample is in force until the display's next one; without a brightness or a baseline, the state
        // is unknown. A band is a lease; `lease` is its id while it is in force.
        """
        CREATE TABLE sample (
            display TEXT NOT NULL,
            at INTEGER NOT NULL,
            brightness REAL,
            baseline REAL,
            cause TEXT,
            by TEXT,
            reason TEXT,
            PRIMARY KEY (display, at)
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE thinned (step INTEGER PRIMARY KEY, until_at INTEGER NOT NULL) STRICT;
        CREATE TABLE band (
            number INTEGER PRIMARY KEY,
            display TEXT NOT NULL,
            lease TEXT,
            holder TEXT,
            reason TEXT,
            brightness REAL NOT NULL,
            began_at INTEGER NOT NULL,
            ends_at INTEGER,
            ended_at INTEGER,
            change TEXT
        ) STRICT;
        CREATE INDEX band_began ON band (display, began_at);
        CREATE INDEX band_length ON band (display, ended_at - began_at);
        CREATE INDEX band_lease ON band (lease) WHERE lease IS NOT NULL;
        """,
        // Automatic brightness: the mode that a client set, the end of the hold after a person's change, and the
        // lessons in their order.
        """
        CREATE TABLE automatic (
            display TEXT PRIMARY KEY,
            is_enabled INTEGER,
            held_until_at INTEGER,
            held_until_after_boot INTEGER,
            left INTEGER
        ) STRICT, WITHOUT ROWID;
        CREATE TABLE lesson (
            display TEXT NOT NULL,
            number INTEGER NOT NULL,
            lux REAL NOT NULL,
            brightness REAL NOT NULL,
            PRIMARY KEY (display, number)
        ) STRICT, WITHOUT ROWID;
        """,
        // In lux. Samples of the ambient light have the display "*light".
        """
        ALTER TABLE sample ADD COLUMN illuminance REAL;
        """,
        // The owner of a lease, and the origin of a change. Older leases belong to `anonymous`.
        """
        ALTER TABLE lease ADD COLUMN principal TEXT;
        ALTER TABLE sample ADD COLUMN principal TEXT;
        """,
        // Leases of every kind; older ones are boosts. The brightness of a kind without one is 0. What a person has
        // overridden is a property of each lease, in place of the display's. `power` is the power baseline, and
        // `may_be_dark` the mark of a panel that may have been switched off.
        """
        ALTER TABLE lease ADD COLUMN kind TEXT NOT NULL DEFAULT 'boost';
        ALTER TABLE lease ADD COLUMN is_overridden INTEGER NOT NULL DEFAULT 0;
        UPDATE lease SET is_overridden = 1
            WHERE display IN (SELECT id FROM display WHERE display.is_overridden = 1);
        UPDATE display SET is_overridden = 0;
        ALTER TABLE display ADD COLUMN power INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE display ADD COLUMN may_be_dark INTEGER NOT NULL DEFAULT 0;
        ALTER TABLE band ADD COLUMN kind TEXT NOT NULL DEFAULT 'boost';
        """,
        // Schedules. `displays` and `days` are words separated by spaces; `set_at` is the beginning of the interval
        // in which a schedule last set the baseline.
        """
        CREATE TABLE schedule (
            name TEXT PRIMARY KEY,
            displays TEXT NOT NULL,
            days TEXT NOT NULL,
            begins TEXT NOT NULL,
            ends TEXT NOT NULL,
            effect TEXT NOT NULL,
            brightness REAL,
            transition REAL,
            set_at INTEGER
        ) STRICT, WITHOUT ROWID;
        """,
    ]

    /// Migrates a file to the current tables, completely or not at all.
    static func migrate(_ database: SQLiteConnection) throws(DatabaseError) {
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
