// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CSQLite

/// One connection to a SQLite file. One thread at a time.
///
/// Write-ahead log with `synchronous=NORMAL`: a commit survives the end of the process at any instant, and costs no wait
/// for the disk. The end of the power may cost the newest commits, never the file; those that must survive that, too, wait
/// for the disk.
/// - SeeAlso: https://www.sqlite.org/wal.html
final class SQLiteConnection {
    /// Bytes of a page in the log, with its head.
    private static let frame = 4_096 + 24

    private let connection: OpaquePointer

    /// Opens or creates the file; `:memory:` is a database that ends with this value.
    ///
    /// - Parameters:
    ///   - logPages: How many pages the log has before they go into the file, which waits for the disk.
    ///   - timeout: How long to wait for another program that holds the file.
    init(
        path: String,
        on disk: any JournalDisk = SystemDisk(),
        logPages: Int = 1_024,
        timeout: Duration = .zero
    ) throws(DatabaseError) {
        connection = try Self.open(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs: disk.vfs)
        // SQLite opens a file all the same that it must not write.
        if sqlite3_db_readonly(connection, "main") == 1 { throw .sqlite(code: SQLITE_READONLY, message: "") }
        sqlite3_busy_timeout(connection, Int32(clamping: timeout.milliseconds))
        // Exclusive first: then the log needs no index file, and can be read when the disk is full.
        try run(
            """
            PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
            PRAGMA wal_autocheckpoint=\(logPages); PRAGMA journal_size_limit=\(logPages * Self.frame)
            """
        )
    }

    /// Opens a file only to read it. Takes no lock, so that nobody can keep it from that, and changes nothing.
    init(reading path: String, on disk: any JournalDisk) throws(DatabaseError) {
        // Without a log everything is in the file. With one SQLite must not take the file for immutable: it would pass the
        // log over, and with it the newest records.
        let hasLog = try disk.size(of: "\(path)-wal") ?? 0 > 0
        let uri = "file:\(Self.escape(path))?immutable=\(hasLog ? 0 : 1)"
        connection = try Self.open(uri, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, vfs: disk.locklessVFS)
        csqlite_keep_log(connection)
        // Exclusive: then the log's index is in memory.
        try run("PRAGMA locking_mode=EXCLUSIVE")
    }

    private static func open(_ path: String, flags: Int32, vfs: String?) throws(DatabaseError) -> OpaquePointer {
        var opened: OpaquePointer?
        let code = sqlite3_open_v2(path, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, vfs)
        guard let opened else { throw DatabaseError.sqlite(code: code & 0xFF, message: "SQLite has no memory") }
        guard code == SQLITE_OK else {
            defer { sqlite3_close_v2(opened) }
            throw DatabaseError.sqlite(code: code & 0xFF, message: String(cString: sqlite3_errmsg(opened)))
        }
        return opened
    }

    /// What would mean something in a URI is written as its code.
    private static func escape(_ path: String) -> String {
        path.utf8.reduce(into: "") { text, byte in
            if "?#%".utf8.contains(byte) || byte > 0x7E || byte < 0x21 {
                text += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
            } else {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            }
        }
    }

    deinit { sqlite3_close_v2(connection) }

    /// How many pages the log may have where so many bytes are free: a quarter of them, at most 4 MiB.
    static func logPages(in room: Int) -> Int { min(max(room / 4 / frame, 64), 1_024) }

    /// Whether a transaction is open; after `transaction` there is none, unless it could neither be ended nor undone.
    var isStuck: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Whether the file is not where it was when it was opened: renamed, or deleted.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

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

    /// All that `body` does, or nothing of it. On a full disk it is tried once more in the place of what the log no longer
    /// needs, so `body` may run twice.
    func transaction(
        safeFrom danger: Danger = .crash,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        if danger == .powerCut { try run("PRAGMA synchronous=FULL") }
        defer { if danger == .powerCut { try? run("PRAGMA synchronous=NORMAL") } }
        do throws(DatabaseError) {
            try once(body)
        } catch  where error.isFullDisk {
            emptyLog()
            try once(body)
        }
    }

    private func once(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
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

    /// Brings the log's pages into the file, so that the next commit is written over them: the log keeps its place on the
    /// disk, and does not outgrow it. What cannot be done now is done later; the next commit shows whether it matters.
    func emptyLog() { try? run("PRAGMA wal_checkpoint(RESTART)") }

    /// Replaces all that is in another database by what is in this one.
    func copy(into other: SQLiteConnection) throws(DatabaseError) {
        guard let backup = sqlite3_backup_init(other.connection, "main", connection, "main") else { throw other.error }
        sqlite3_backup_step(backup, -1)
        guard sqlite3_backup_finish(backup) == SQLITE_OK else { throw other.error }
    }

    private var error: DatabaseError {
        DatabaseError.sqlite(
            code: sqlite3_errcode(connection) & 0xFF,
            message: String(cString: sqlite3_errmsg(connection))
        )
    }
}
