// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// An open journal: a SQLite database with today's tables, and statements that are prepared. One thread at a time.
struct JournalDatabase: ~Copyable {
    private let database: Database
    private let clock: BootClock
    private var records: RecordStore
    private var history: HistoryStore

    /// Brings a database that is open to today's tables, if need be.
    init(_ database: Database, _ clock: BootClock) throws(DatabaseError) {
        try Schema.migrate(database)
        let records = try RecordStore(database, clock)
        let history = try HistoryStore(database)
        self.database = database
        self.clock = clock
        self.records = records
        self.history = history
    }

    /// Begins a run of the daemon, with what the one before it left.
    mutating func begin(at now: Moment) throws(DatabaseError) -> [DisplayID: EarlierRecord] {
        try check()
        let earlier = try EarlierRecords(database, clock, at: now)
        try database.transaction { () throws(DatabaseError) in
            try records.begin(database, with: earlier, at: now)
        }
        return earlier.records.mapValues {
            EarlierRecord($0, isOfThisBoot: !earlier.ofOtherBoots.contains($0.id))
        }
    }

    /// Writes all of these, or none.
    mutating func write(_ new: [DisplayID: DisplayRecord], at now: Moment) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in try records.write(new.values, at: now) }
        records.wrote(new.values)
    }

    /// Every record that was ever written here.
    var written: [DisplayID: DisplayRecord] { records.written }

    /// Writes what the history has in memory, all of it or nothing.
    mutating func write(_ memory: inout HistoryMemory, boot: Timestamp, at now: Moment) throws(DatabaseError) {
        var isWritten = false
        try database.transaction { () throws(DatabaseError) in
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
        if !history.isBegun { try write(&memory, boot: boot, at: now) }
        return try history.read(query, with: memory, at: now)
    }

    /// Reads what must be right at the start; the history is too much for that, and its damage shows when it is read.
    private func check() throws(DatabaseError) {
        for table in ["display", "lease", "automatic", "lesson", "boot"] {
            var findings: [String] = []
            try database.prepare("PRAGMA quick_check(\(table))").run { findings.append($0.text(0) ?? "") }
            guard findings == ["ok"] else { throw .damaged }
        }
    }
}
