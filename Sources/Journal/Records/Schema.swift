// SPDX-License-Identifier: Apache-2.0

/// The tables of the journal.
///
/// Records are updated often, each within one page: there is no index apart from the key.
///
/// Times are milliseconds: `…_at` since 1970 by the wall clock, `…_after_boot` since the machine was started.
enum Schema {
    /// The file's `user_version`. Every change of the tables increases it; a file of another version is set aside.
    /// Versions 1 to 16 are those of builds before 0.1.0.
    static let version = 17

    static let tables = """
        CREATE TABLE boot (id TEXT NOT NULL) STRICT;
        -- `power` is the power baseline, and `may_be_dark` the mark of a panel that may have been switched off. `place`
        -- is where its device was last, and `written` its number of writes on `written_day`, in days since 1970.
        CREATE TABLE display (
            id TEXT PRIMARY KEY,
            maximum INTEGER NOT NULL,
            baseline REAL NOT NULL,
            baseline_step INTEGER NOT NULL,
            floor INTEGER,
            ceiling INTEGER,
            boot TEXT NOT NULL,
            power INTEGER NOT NULL,
            may_be_dark INTEGER NOT NULL,
            place TEXT,
            written_day INTEGER,
            written INTEGER
        ) STRICT, WITHOUT ROWID;
        -- Displays that clients provide. `gone_since_at` is NULL while the client is there.
        CREATE TABLE provided (
            display TEXT PRIMARY KEY,
            principal TEXT NOT NULL,
            name TEXT NOT NULL,
            is_dimmable INTEGER NOT NULL,
            is_switchable INTEGER NOT NULL,
            gone_since_at INTEGER
        ) STRICT, WITHOUT ROWID;
        -- The settings that people chose; NULL for the device's own value.
        CREATE TABLE settings (
            display TEXT PRIMARY KEY,
            name TEXT,
            curve TEXT,
            position INTEGER
        ) STRICT, WITHOUT ROWID;
        -- The brightness of a kind without one is 0.
        CREATE TABLE lease (
            id TEXT PRIMARY KEY,
            number INTEGER NOT NULL,
            display TEXT NOT NULL,
            kind TEXT NOT NULL,
            holder TEXT,
            principal TEXT,
            reason TEXT,
            brightness REAL NOT NULL,
            lifespan TEXT NOT NULL,
            is_overridden INTEGER NOT NULL,
            granted_at INTEGER NOT NULL,
            ends_at INTEGER,
            ends_after_boot INTEGER,
            left INTEGER
        ) STRICT, WITHOUT ROWID;

        -- Automatic brightness: the mode that a client set, the end of the hold after a person's change, and the
        -- lessons in their order.
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

        -- `displays` and `days` are words separated by spaces; `set_at` is the beginning of the interval in which a
        -- schedule last set the baseline, and `set_on` the displays on which it has.
        CREATE TABLE schedule (
            name TEXT PRIMARY KEY,
            displays TEXT NOT NULL,
            days TEXT NOT NULL,
            begins TEXT NOT NULL,
            ends TEXT NOT NULL,
            effect TEXT NOT NULL,
            brightness REAL,
            transition REAL,
            set_at INTEGER,
            set_on TEXT NOT NULL,
            paused INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- The place of the machine, in degrees, if a person has set it.
        CREATE TABLE location (
            name TEXT PRIMARY KEY,
            latitude REAL NOT NULL,
            longitude REAL NOT NULL
        ) STRICT, WITHOUT ROWID;
        -- A rule of a preset; NULL for what it leaves as it is.
        CREATE TABLE preset (
            name TEXT NOT NULL,
            displays TEXT NOT NULL,
            brightness REAL,
            is_on INTEGER,
            PRIMARY KEY (name, displays)
        ) STRICT, WITHOUT ROWID;

        -- The history. A sample is in force until the display's next one; without a brightness or a baseline, the state
        -- is unknown. Samples of the ambient light, in lux, have the display "*light".
        CREATE TABLE sample (
            display TEXT NOT NULL,
            at INTEGER NOT NULL,
            brightness REAL,
            baseline REAL,
            is_on INTEGER,
            illuminance REAL,
            PRIMARY KEY (display, at)
        ) STRICT, WITHOUT ROWID;
        -- The changes of all displays in their order, each with the state after it and before it.
        CREATE TABLE change (
            number INTEGER PRIMARY KEY,
            display TEXT NOT NULL,
            at INTEGER NOT NULL,
            brightness REAL NOT NULL,
            baseline REAL NOT NULL,
            is_on INTEGER NOT NULL,
            is_available INTEGER NOT NULL,
            brightness_before REAL,
            baseline_before REAL,
            was_on INTEGER,
            was_available INTEGER,
            lease TEXT,
            is_end INTEGER,
            cause TEXT NOT NULL,
            by TEXT,
            principal TEXT,
            reason TEXT
        ) STRICT;
        CREATE TABLE thinned (step INTEGER PRIMARY KEY, until_at INTEGER NOT NULL) STRICT;
        -- A band is the interval of a lease; `lease` is its id while it is in force.
        CREATE TABLE band (
            number INTEGER PRIMARY KEY,
            display TEXT NOT NULL,
            kind TEXT NOT NULL,
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
        """

    /// Creates the tables in an empty database, completely or not at all. Changes no other one.
    ///
    /// - Throws: `.otherVersion` if the database has other tables than these.
    static func create(in database: SQLiteConnection) throws(DatabaseError) {
        var (found, isEmpty) = (0, true)
        try database.prepare("PRAGMA user_version").run { found = Int($0.integer(0) ?? 0) }
        if found == version { return }
        try database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").run { _ in isEmpty = false }
        guard found == 0, isEmpty else { throw .otherVersion(found) }
        try database.transaction { () throws(DatabaseError) in
            try database.run(tables)
            try database.run("PRAGMA user_version = \(version)")
        }
    }

    /// Checks the tables that a start needs. The history is too large for that; its damage shows when it is read.
    static func check(_ database: SQLiteConnection) throws(DatabaseError) {
        let tables = [
            "display", "provided", "settings", "lease", "automatic", "lesson", "boot", "schedule", "location",
            "preset",
        ]
        for table in tables {
            var findings: [String] = []
            try database.prepare("PRAGMA quick_check(\(table))").run { findings.append($0.text(0) ?? "") }
            guard findings == ["ok"] else { throw .damaged }
        }
    }
}
