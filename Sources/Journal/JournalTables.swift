// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The journal's tables and prepared statements over one open connection. One thread at a time.
///
/// Each function that writes is one transaction.
struct JournalTables: ~Copyable {
    private let connection: SQLiteConnection
    private let clock: BootClock
    private(set) var records: RecordTables
    private var history: HistoryTables
    private let schedules: ScheduleTable

    /// Whether the tables are a copy in memory: writes are lost.
    private let isCopy: Bool

    /// Migrates an open database if necessary.
    init(_ connection: SQLiteConnection, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        try Schema.migrate(connection)
        // A file with all its pages needs no more space on a full disk. An earlier run may have left a log.
        connection.emptyLog()
        let records = try RecordTables(connection, clock)
        let history = try HistoryTables(connection)
        let schedules = try ScheduleTable(connection)
        self.connection = connection
        self.clock = clock
        self.records = records
        self.history = history
        self.schedules = schedules
        self.isCopy = isCopy
    }

    /// Opens or creates the file, and writes this run's records.
    ///
    /// - Parameters: See `begin`.
    ///   - timeout: How long to wait for another program that locks the file.
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

    /// Copies a file that cannot be written into memory. Does not change the file or its log.
    static func copy(of file: JournalFile) throws(DatabaseError) -> JournalTables {
        let memory = try SQLiteConnection(path: ":memory:")
        if try file.exists { try SQLiteConnection(reading: file.path, on: file.disk).copy(into: memory) }
        return try JournalTables(memory, file.clock, isCopy: true)
    }

    var hasMoved: Bool { connection.hasMoved }

    var isStuck: Bool { connection.isStuck }

    // MARK: Records

    /// Starts or continues a run of the daemon. Afterwards `records.known` has the run's initial records and `new`.
    ///
    /// - Parameters:
    ///   - known: The records as this run knows them; `nil` to read them from the tables.
    ///   - new: Records of this run that replace them.
    mutating func begin(
        over known: RecoveredRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        at now: Moment
    ) throws(DatabaseError) {
        let found = try recovered(at: now)
        // All of it must survive a power cut: an earlier run's records, and those that this run could not write until
        // now.
        try connection.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            try records.begin(connection, with: known ?? found, over: found, at: now)
            try records.write(new.values, at: now)
        }
        records.wrote(new.values)
    }

    /// Returns the records of the earlier run.
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

    /// Checks the tables that the start needs. The history is too large for that; its damage shows when it is read.
    private func check() throws(DatabaseError) {
        for table in ["display", "lease", "automatic", "lesson", "boot", "schedule"] {
            var findings: [String] = []
            try connection.prepare("PRAGMA quick_check(\(table))").run { findings.append($0.text(0) ?? "") }
            guard findings == ["ok"] else { throw .damaged }
        }
    }

    // MARK: Schedules

    func readSchedules() throws(DatabaseError) -> [ScheduleRecord] { try ScheduleTable.read(connection) }

    /// Writes schedules so that they survive a power cut. A record of `nil` removes one.
    func write(_ changes: [ScheduleName: ScheduleRecord?]) throws(DatabaseError) {
        try connection.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            for (name, record) in changes { try schedules.write(name, record) }
        }
    }

    /// The newest time of any display's sample.
    func newestTime() throws(DatabaseError) -> Timestamp? {
        var newest: Int64?
        try connection.prepare(
            "SELECT max((SELECT max(at) FROM sample WHERE sample.display = display.id)) FROM display"
        ).run { newest = $0.integer(0) }
        return newest.map { Timestamp(milliseconds: $0) }
    }

    // MARK: History

    /// Writes the unwritten part of the history.
    mutating func write(_ memory: inout HistoryMemory, boot: Timestamp, at now: Moment) throws(DatabaseError) {
        var isWritten = false
        try connection.transaction { () throws(DatabaseError) in
            isWritten = try history.write(&memory, boot: boot.milliseconds, at: now)
        }
        history.wrote()
        if isWritten { memory.wrote() }
    }

    /// Reads the history. The first read connects an earlier run's history to this run.
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
                // Unwritten samples are still in memory, and the rest can be read.
            }
        }
        return try history.read(query, with: memory, at: now)
    }
}
