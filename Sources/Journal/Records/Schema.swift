// SPDX-License-Identifier: Apache-2.0

/// The tables of the journal.
///
/// Records are updated often: there is no index apart from the key.
///
/// Times are milliseconds since 1970 by the wall clock.
enum Schema {
    /// The file's `user_version`. Every change of the tables increases it; a file of another version is set aside.
    /// Versions 1 to 19 are those of builds before 0.1.0.
    static let version = 20

    static let tables = """
        CREATE TABLE boot (id TEXT NOT NULL) STRICT;
        -- The document (JSON) of each record, such as those of a display, its leases, and a preset.
        CREATE TABLE record (
            kind TEXT NOT NULL,
            name TEXT NOT NULL,
            body TEXT NOT NULL,
            PRIMARY KEY (kind, name)
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
        -- The changes of all displays in their order, each with the brightness after it and its document (JSON).
        CREATE TABLE change (
            number INTEGER PRIMARY KEY,
            display TEXT NOT NULL,
            at INTEGER NOT NULL,
            brightness REAL NOT NULL,
            is_available INTEGER NOT NULL,
            body TEXT NOT NULL
        ) STRICT;
        CREATE TABLE thinned (step INTEGER PRIMARY KEY, until_at INTEGER NOT NULL) STRICT;
        -- A band is the interval of a lease, with its document (JSON); `lease` is its id until its end was observed.
        CREATE TABLE band (
            number INTEGER PRIMARY KEY,
            display TEXT NOT NULL,
            lease TEXT,
            began_at INTEGER NOT NULL,
            ends_at INTEGER,
            ended_at INTEGER,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX band_began ON band (display, began_at);
        CREATE INDEX band_length ON band (display, ended_at - began_at);
        CREATE INDEX band_lease ON band (lease) WHERE lease IS NOT NULL;
        """

    /// Creates the tables in an empty database, completely or not at all. Changes no other one.
    ///
    /// - Throws: `.otherVersion` if the database has other tables than these.
    static func create(in database: SQLiteConnection) throws(DatabaseError) {
        let found = Int(try database.prepare("PRAGMA user_version").only { $0.integer(0) } ?? 0)
        if found == version { return }
        let hasTables = try database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").only { $0.integer(0) } != nil
        guard found == 0, !hasTables else { throw .otherVersion(found) }
        try database.transaction { () throws(DatabaseError) in
            try database.run(tables)
            try database.run("PRAGMA user_version = \(version)")
        }
    }
}
