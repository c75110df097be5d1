// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The records and the history over one open connection. One thread at a time.
struct JournalTables {
    let connection: SQLiteConnection
    let history: HistoryTables
    private let put: Statement
    private let remove: Statement

    /// Creates the tables in an empty database.
    ///
    /// - Parameter isCopy: Whether it is a copy in memory: writes are lost.
    init(_ connection: SQLiteConnection, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        try Schema.create(in: connection)
        // Moves the log, also that of an earlier run, into the file, which then needs no more space on a full disk.
        connection.emptyLog()
        self.connection = connection
        history = try HistoryTables(connection, clock, isCopy: isCopy)
        put = try connection.prepare(
            "INSERT INTO record (kind, name, body) VALUES (?1, ?2, ?3) ON CONFLICT DO UPDATE SET body = ?3"
        )
        remove = try connection.prepare("DELETE FROM record WHERE kind = ?1 AND name = ?2")
    }

    /// Opens or creates the file.
    ///
    /// - Parameter timeout: How long to wait for another program that locks the file.
    init(in file: JournalFile, timeout: Duration) throws(DatabaseError) {
        try file.create()
        let log = SQLiteConnection.logPages(in: file.logCapacity)
        let connection = try SQLiteConnection(path: file.path, on: file.disk, logPages: log, timeout: timeout)
        try self.init(connection, file.clock)
    }

    /// Copies a file that cannot be written into memory. Does not change the file or its log.
    init(copyOf file: JournalFile) throws(DatabaseError) {
        let memory = try SQLiteConnection(path: ":memory:")
        if try file.check() { try SQLiteConnection(reading: file.path, on: file.disk).copy(into: memory) }
        try self.init(memory, file.clock, isCopy: true)
    }

    /// Checks the tables that a start needs, and reads every record. The history is too large for that; its damage
    /// shows when it is read.
    ///
    /// - Returns: The documents, and the boot of the run that wrote them.
    func read() throws(DatabaseError) -> (documents: [RecordKey: [UInt8]], boot: String) {
        for table in ["record", "boot"] {
            let findings = try connection.prepare("PRAGMA quick_check(\(table))").all { $0.text(0) ?? "" }
            guard findings == ["ok"] else { throw .damaged }
        }
        let boot = try connection.prepare("SELECT id FROM boot").only { $0.text(0) } ?? ""
        return (try Self.documents(in: connection), boot)
    }

    private static func documents(in connection: SQLiteConnection) throws(DatabaseError) -> [RecordKey: [UInt8]] {
        var documents: [RecordKey: [UInt8]] = [:]
        try connection.prepare("SELECT kind, name, body FROM record").run { row in
            guard let kind = row.text(0), let name = row.text(1) else { return }
            documents[RecordKey(kind, name)] = row.bytes(2)
        }
        return documents
    }

    /// Everything that people have set, in the file of another version. Its other records may have another meaning.
    static func settings(in file: JournalFile) throws(DatabaseError) -> [RecordKey: [UInt8]] {
        let connection = try SQLiteConnection(reading: file.path, on: file.disk)
        return try documents(in: connection).filter { !DisplayRecords.includes($0.key) }
    }

    /// Starts or continues a run: all of it must survive a power cut.
    func begin(in boot: String, _ changes: [RecordKey: [UInt8]?]) throws(DatabaseError) {
        try connection.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            try connection.run("DELETE FROM boot")
            try connection.prepare("INSERT INTO boot (id) VALUES (?1)").run(.text(boot))
            try store(changes)
        }
    }

    /// Writes documents in one transaction; `nil` removes one.
    func write(_ changes: [RecordKey: [UInt8]?], safeFrom danger: Danger) throws(DatabaseError) {
        try connection.transaction(safeFrom: danger) { () throws(DatabaseError) in try store(changes) }
    }

    private func store(_ changes: [RecordKey: [UInt8]?]) throws(DatabaseError) {
        for (key, document) in changes {
            if let document {
                try put.run(.text(key.kind), .text(key.name), .utf8(document))
            } else {
                try remove.run(.text(key.kind), .text(key.name))
            }
        }
    }
}
