// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// An open journal: a SQLite database with today's tables, and statements that are prepared. One thread at a time.
struct JournalDatabase: ~Copyable {
    private let database: Database
    private let clock: BootClock
    private var records: RecordStore
    private var history: HistoryStore

    /// Whether it is only to be read: what is written here is in no file.
    private let isCopy: Bool

    /// Brings a database that is open to today's tables, if need be.
    init(_ database: Database, _ clock: BootClock, isCopy: Bool = false) throws(DatabaseError) {
        try Schema.migrate(database)
        // A file that has all its pages needs no more room when the disk is full; and an earlier run may have left a log.
        database.emptyLog()
        let records = try RecordStore(database, clock)
        let history = try HistoryStore(database)
        self.database = database
        self.clock = clock
        self.records = records
        self.history = history
        self.isCopy = isCopy
    }

    /// Begins a run of the daemon, or goes on with one, all of it or nothing.
    ///
    /// - Parameters:
    ///   - known: The records as this run knows them; `nil` to go by what is here.
    ///   - new: Records of this run that replace them.
    /// - Returns: What was to be gone on with.
    mutating func begin(
        over known: EarlierRecords? = nil,
        with new: [DisplayID: DisplayRecord] = [:],
        at now: Moment
    ) throws(DatabaseError) -> EarlierRecords {
        let found = try earlier(at: now)
        let earlier = known ?? found
        // All of it is safe from a power cut: what a run before left, and what this one could not write until now.
        try database.transaction(safeFrom: .powerCut) { () throws(DatabaseError) in
            try records.begin(database, with: earlier, over: found, at: now)
            try records.write(new.values, at: now)
        }
        records.wrote(new.values)
        return earlier
    }

    /// What the run before left.
    func earlier(at now: Moment) throws(DatabaseError) -> EarlierRecords {
        try check()
        return try EarlierRecords(database, clock, at: now)
    }

    /// Writes all of these, or none.
    mutating func write(
        _ new: [DisplayID: DisplayRecord],
        safeFrom danger: Danger = .crash,
        at now: Moment
    ) throws(DatabaseError) {
        try database.transaction(safeFrom: danger) { () throws(DatabaseError) in try records.write(new.values, at: now)
        }
        records.wrote(new.values)
    }

    /// Every record that was ever written here.
    var known: EarlierRecords { records.known }

    /// Whether a display would not be put right after a crash without this.
    var isAtStake: Bool { records.written.values.contains { $0.ceiling != nil || !$0.leases.isEmpty } }

    var hasMoved: Bool { database.hasMoved }

    var isStuck: Bool { database.isStuck }

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
        if !history.isBegun, !isCopy {
            do throws(DatabaseError) {
                try write(&memory, boot: boot, at: now)
            } catch  where !error.condemnsFile {
                // What cannot be written is in memory, and the rest can be read all the same.
            }
        }
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
