// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The journal's tables over one open connection. One thread at a time.
struct JournalTables {
    let connection: SQLiteConnection
    let records: RecordTables
    let schedules: ScheduleTable
    let presets: PresetTable
    let location: LocationTable
    let history: HistoryTables

    /// Creates the tables in an empty database.
    ///
    /// - Parameter isCopy: Whether it is a copy in memory: writes are lost.
    init(_ connection: SQLiteConnection, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        try Schema.create(in: connection)
        // A file with all its pages needs no more space on a full disk. An earlier run may have left a log.
        connection.emptyLog()
        self.connection = connection
        records = try RecordTables(connection, clock)
        schedules = try ScheduleTable(connection)
        presets = try PresetTable(connection)
        location = try LocationTable(connection)
        history = try HistoryTables(connection, clock, isCopy: isCopy)
    }

    /// Opens or creates the file, and writes this run's records.
    ///
    /// - Parameters: See `RecordTables.begin`.
    ///   - timeout: How long to wait for another program that locks the file.
    static func open(
        _ file: JournalFile,
        over known: RecoveredRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        timeout: Duration = .zero,
        at now: Moment
    ) throws(DatabaseError) -> JournalTables {
        try file.create()
        let log = SQLiteConnection.logPages(in: file.room)
        let connection = try SQLiteConnection(path: file.path, on: file.disk, logPages: log, timeout: timeout)
        let tables = try JournalTables(connection, file.clock)
        try tables.records.begin(over: known, with: new, at: now)
        return tables
    }

    /// Copies a file that cannot be written into memory. Does not change the file or its log.
    static func copy(of file: JournalFile) throws(DatabaseError) -> JournalTables {
        let memory = try SQLiteConnection(path: ":memory:")
        if try file.check() { try SQLiteConnection(reading: file.path, on: file.disk).copy(into: memory) }
        return try JournalTables(memory, file.clock, isCopy: true)
    }
}
