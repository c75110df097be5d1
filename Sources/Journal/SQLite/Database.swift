// SPDX-License-Identifier: Apache-2.0
internal import CSQLite

/// One connection to a SQLite file. One thread at a time.
///
/// Write-ahead log with `synchronous=NORMAL`: a commit survives the end of the process at any instant, and costs no wait
/// for the disk. The end of the power may cost the newest commits, never the file.
/// - SeeAlso: https://www.sqlite.org/wal.html
final class Database {
    private let connection: OpaquePointer

    /// Opens or creates the file; `:memory:` is a database that ends with this value.
    init(path: String) throws(DatabaseError) {
        var opened: OpaquePointer?
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
        let code = sqlite3_open_v2(path, &opened, flags, nil)
        guard let opened else { throw DatabaseError.sqlite(code: code & 0xFF, message: "SQLite has no memory") }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError.sqlite(code: code & 0xFF, message: String(cString: sqlite3_errmsg(opened)))
        }
        connection = opened
        // Exclusive first: then the log needs no index file, and can be read when the disk is full. It goes into the
        // file, which waits for the disk, every 16 MiB.
        try run(
            """
            PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
            PRAGMA wal_autocheckpoint=4096
            """
        )
    }

    deinit { sqlite3_close_v2(connection) }

    /// Runs statements that give no rows, or whose rows nobody wants.
    func run(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    /// A statement to be run many times. It must not outlive the connection.
    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw error }
        return Statement(statement)
    }

    /// All that `body` does, or nothing of it.
    func transaction(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            // On some errors SQLite has rolled back already, and says so; either way it is.
            try? run("ROLLBACK")
            throw error
        }
    }

    private var error: DatabaseError {
        DatabaseError.sqlite(
            code: sqlite3_errcode(connection) & 0xFF,
            message: String(cString: sqlite3_errmsg(connection))
        )
    }
}
