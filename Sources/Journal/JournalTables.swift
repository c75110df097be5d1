// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The journal's tables over one open connection, with statements that are prepared. One thread at a time.
///
/// Each function that writes is one transaction: all of it or nothing.
struct JournalTables: ~Copyable {
    private let connection: SQLiteConnection
    private let clock: BootClock
    private(set) var records: RecordTables
    private var history: HistoryTables

    /// Whether it is only to be read: what is written here is in no file.
    private let isCopy: Bool

    /// Brings a database that is open to today's tables, if need be.
    init(_ connection: SQLiteConnection, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        try Schema.migrate(connection)
        // A file that has all its pages needs no more room when the disk is full; and an earlier run may have left a log.
        connection.emptyLog()
        let records = try RecordTables(connection, clock)
        let history = try HistoryTables(connection)
        self.connection = connection
        self.clock = clock
        self.records = records
        self.history = history
        self.isCopy = isCopy
    }

    /// Opens the file or creates it, and writes what this run has for it.
    ///
    /// - Parameters: See `begin`.
    ///   - timeout: How long to wait for another program that holds the file.
    static func open(
        _ file: JournalFile,
        over known: RecoveredRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        timeout: Duration = .zero,
        at now: Moment
    ) throws(DatabaseError) -> JournalTables {
        let log = SQLiteConnection.logPages(in: file.room)
        let connection = try SQLiteConnection(path: file.path, on: file.disk, logPages: log, timeout: timeout)
        var tables = try JournalTables(connection, file.clock)
        try tables.begin(over: known, with: new, at: now)
        return tables
    }

    /// A copy in memory of a file that cannot be written, whatever the reason. Leaves the file and its log as they are.
    static func copy(of file: JournalFile) throws(DatabaseError) -> JournalTables {
        let memory = try SQLiteConnection(path: ":memory:")
        if try file.exists { try SQLiteConnection(reading: file.path, on: file.disk).copy(into: memory) }
        return try JournalTables(memory, file.clock, isCopy: true)
    }

    var hasMoved: Bool { connection.hasMoved }

    var isStuck: Bool { connection.isStuck }

    // MARK: Records

    /// Begins a run of the daemon, or goes on with one. After it `records.known` is what the run goes on from, and `new`.
    ///
    /// - Parameters:
    ///   - known: The records as this run knows them; `nil` to go by what is here.
    ///   - new: Records of this run that replace them.
    mutating func begin(
        over known: RecoveredRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        at now: Moment
    ) throws(DatabaseError) {
        let found = try recovered(at: now)
        // All of it is safe from a power cut: what a run before left, and what this one could not write until now.
        try connection.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            try records.begin(connection, with: known ?? found, over: found, at: now)
            try records.write(new.values, at: now)
        }
        records.wrote(new.values)
    }

    /// What the run before left.
    func recovered(at now: Moment) throws(DatabaseError) -> RecoveredRecords {
        try check()
        return try RecoveredRecords(connection, clock, at: now)
    }

    mutating func write(
        _ new: [DisplayID: DisplayRecord],
        safeFrom danger: Danger = .crash,
        at now: Moment
    ) throws(DatabaseError) {
        try connection.transaction(safeFrom: danger) { () throws(DatabaseError) in
            try records.write(new.values, at: now)
        }
        records.wrote(new.values)
    }

    /// Reads what must be right at the start; the history is too much for that, and its damage shows when it is read.
    private func check() throws(DatabaseError) {
        for table in ["display", "lease", "automatic", "lesson", "boot"] {
            var findings: [String] = []
            try connection.prepare("PRAGMA quick_check(\(table))").run { findings.append($0.text(0) ?? "") }
            guard findings == ["ok"] else { throw .damaged }
        }
    }

    // MARK: History

    /// Writes what the history has in memory.
    mutating func write(_ memory: inout HistoryMemory, boot: Timestamp, at now: Moment) throws(DatabaseError) {
        var isWritten = false
        try connection.transaction { () throws(DatabaseError) in
            isWritten = try history.write(&memory, boot: boot.milliseconds, at: now)
        }
        history.wrote()
        if isWritten { memory.wrote() }
    }

    /// Reads the history; its first reader ties what an earlier run left to this one.
    mutating func read(
        _ query: HistoryQuery,
        with memory: inout HistoryMemory,
        boot: Timestamp,
        at now: Moment
    ) throws(DatabaseError) -> History {
        if !history.isBegun, !isCopy {
            do throws(DatabaseError) {
                try write(&memory, boot: boot, at: now)
            } catch  where !error.condemnsFile {
                // What cannot be written is in memory, and the rest can be read all the same.
            }
        }
        return try history.read(query, with: memory, at: now)
    }
}
