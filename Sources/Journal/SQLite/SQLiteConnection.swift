// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
internal import CSQLite
import Glibc

/// One connection to a SQLite file. One thread at a time.
///
/// Uses a write-ahead log with `synchronous=NORMAL`: a commit survives the end of the process at any instant, without a
/// wait for the disk. A power cut may lose the newest commits, but never the file. Commits that must survive a power
/// cut wait for the disk.
/// - SeeAlso: https://www.sqlite.org/wal.html
final class SQLiteConnection {
    /// The bytes of a page in the log, with its header.
    private static let frame = 4_096 + 24

    private let connection: OpaquePointer
    /// Prepared once: most transactions have few statements.
    private var transactions: (begin: Statement, commit: Statement)?

    /// Opens or creates the file; `:memory:` is a database that ends with this value.
    ///
    /// - Parameters:
    ///   - logPages: The number of log pages that triggers a checkpoint, which waits for the disk.
    ///   - timeout: How long to wait for another program that locks the file.
    init(
        path: String,
        on disk: any JournalDisk = SystemDisk(),
        logPages: Int = 1_024,
        timeout: Duration = .zero
    ) throws(DatabaseError) {
        connection = try Self.open(path, flags: SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, vfs: disk.vfs)
        // SQLite opens even a file that it must not write.
        if sqlite3_db_readonly(connection, "main") == 1 { throw .sqlite(code: SQLITE_READONLY, message: "") }
        sqlite3_busy_timeout(connection, Int32(clamping: timeout.milliseconds))
        // Exclusive first: then the log needs no index file, and can be read when the disk is full. A small cache is
        // enough, since the system keeps the file's pages.
        try run(
            """
            PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
            PRAGMA cache_size=-256; PRAGMA wal_autocheckpoint=\(logPages);
            PRAGMA journal_size_limit=\(max(logPages, 64) * Self.frame)
            """
        )
    }

    /// Opens a file for reading. Takes no lock, so that another program's lock does not matter, and changes nothing.
    init(reading path: String, on disk: any JournalDisk) throws(DatabaseError) {
        // Without a log, the file is complete. With a log, SQLite must not treat the file as immutable: it would ignore
        // the log with the newest records.
        let hasLog = try disk.size(of: "\(path)-wal") ?? 0 > 0
        let uri = "file:\(path.percentEncoded(keeping: "/"))?immutable=\(hasLog ? 0 : 1)"
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
            if code & 0xFF == SQLITE_CANTOPEN, sqlite3_system_errno(opened) != 0 {
                // SQLite has the number of its last attempt, to open for reading only. Why it could not write first is
                // unknown then, unless the directory refuses it.
                let directory = String(path.prefix(upTo: path.lastIndex(of: "/") ?? path.startIndex))
                let refusesWrites = access(directory, W_OK) != 0
                throw .unusable(errno: refusesWrites ? errno : sqlite3_system_errno(opened))
            }
            throw DatabaseError.sqlite(code: code & 0xFF, message: String(cString: sqlite3_errmsg(opened)))
        }
        csqlite_distrust_schema(opened)
        return opened
    }

    deinit {
        transactions = nil
        sqlite3_close_v2(connection)
    }

    /// The number of log pages that triggers a checkpoint with this many free bytes: a quarter of them, at most 4 MiB.
    /// A log that has filled a small partition leaves no room for a file that grows at the checkpoint.
    static func logPages(in room: Int) -> Int { min(max(room / 4 / frame, 8), 1_024) }

    /// Whether a transaction is open after `transaction`: it could be neither committed nor rolled back.
    var isStuck: Bool { sqlite3_get_autocommit(connection) == 0 }

    /// Whether the file was renamed or deleted since it was opened.
    var hasMoved: Bool {
        var moved: Int32 = 0
        return sqlite3_file_control(connection, "main", SQLITE_FCNTL_HAS_MOVED, &moved) == SQLITE_OK && moved != 0
    }

    /// Runs statements and ignores their rows.
    func run(_ sql: String) throws(DatabaseError) {
        guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { throw error }
    }

    /// Prepares a statement.
    ///
    /// - Parameter isOwn: Whether this value keeps the statement, which then must not keep this value.
    func prepare(_ sql: String, isOwn: Bool = false) throws(DatabaseError) -> Statement {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
            let statement
        else { throw error }
        return Statement(statement, of: isOwn ? nil : self)
    }

    /// Runs `body` in a transaction. On a full disk, retries once after a checkpoint has freed space in the log, so
    /// `body` may run twice.
    func transaction(
        safeFrom danger: Danger = .crash,
        _ body: () throws(DatabaseError) -> Void
    ) throws(DatabaseError) {
        if danger == .powerCut { try run("PRAGMA synchronous=FULL") }
        defer { if danger == .powerCut { try? run("PRAGMA synchronous=NORMAL") } }
        do throws(DatabaseError) {
            try once(body)
        } catch .sqlite(SQLITE_FULL, _) {
            emptyLog()
            try once(body)
        }
    }

    private func once(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        if transactions == nil {
            transactions = (try prepare("BEGIN IMMEDIATE", isOwn: true), try prepare("COMMIT", isOwn: true))
        }
        try transactions?.begin.run()
        do {
            try body()
            try transactions?.commit.run()
        } catch {
            // SQLite rolls back by itself on some errors, and then reports an error here.
            try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs a checkpoint, so that the next commit overwrites the log: it keeps its space on the disk and does not grow.
    /// A failed checkpoint is repeated later.
    func emptyLog() { try? run("PRAGMA wal_checkpoint(RESTART)") }

    /// Replaces the content of another database by this one's.
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
