// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The journal's database: keeps records in memory while they cannot be written, reads a file that cannot be written,
/// and replaces a damaged one. One thread at a time.
///
/// ```
///   open ──fails──► copy in memory ──retries──► open, with the copy's records and later ones
/// ```
final class JournalDatabase {
    /// How long the start waits for another program that locks the file. Later operations do not wait.
    private static let timeout: Duration = .seconds(1)
    /// The minimum time between two attempts to open the file.
    private static let attemptInterval: Duration = .milliseconds(500)
    /// The minimum time between two files that are set aside: a disk that damages each new file fills up otherwise.
    private static let setAsideInterval: Duration = .seconds(3_600)

    private let clock: BootClock
    /// `nil` for a database in memory.
    private var file: JournalFile?
    private var lock: (any AnyObject & Sendable)?
    /// The file's tables; `nil` while it cannot be opened.
    private var tables: JournalTables?
    /// The readable content of a file that cannot be opened for writing; `nil` while `tables` is not.
    private var copy: JournalTables?
    private var lastAttempt: Instant?
    private var lastSetAside: Instant?
    /// Whether the records of an earlier run were read.
    private var isRead = false
    private var displays: DisplayRecords
    /// The documents of all records that the file has or should have.
    private(set) var documents: [RecordKey: [UInt8]] = [:]
    /// The documents that differ from the file's; `nil` for one that is to be removed.
    private var unwritten: [RecordKey: [UInt8]?] = [:]
    /// The event that the unwritten records have to survive.
    private var danger = Danger.crash
    /// The records that were invalid when they were read.
    private(set) var invalid: [RecordKey] = []
    /// The newest time of the history when the file was opened.
    private(set) var newestTime: Timestamp?
    private(set) var health = JournalHealth.durable
    private(set) var counts = JournalCounts()

    /// Opens or creates a file. If it cannot be written, reads it and retries later.
    ///
    /// - Throws: Only if another daemon has locked the directory.
    init(in file: JournalFile, at now: Moment) throws(StateDirectory.Failure) {
        self.file = file
        clock = file.clock
        displays = DisplayRecords(clock)
        do throws(StateDirectory.Failure) {
            lock = try file.disk.lock(file.directory)
        } catch {
            // `open` meets any other error again and reports it.
            if case .inUse = error { throw error }
        }
        tryOpening(isStart: true, timeout: Self.timeout, at: now)
        newestTime = try? (tables ?? copy)?.history.newestTime()
    }

    /// Creates a database in memory, which ends with this value. Without memory it behaves like a file that cannot be
    /// written.
    init(inMemory clock: BootClock) {
        self.clock = clock
        displays = DisplayRecords(clock)
        tables = try? JournalTables(SQLiteConnection(path: ":memory:"), clock)
        isRead = true
    }

    /// The records of the displays, which at the start are an earlier run's; `nil` if those could not be read.
    var records: [DisplayID: RecoveredRecord]? { isRead ? displays.all : nil }

    /// Whether records wait to be written, or the file to be opened for writing.
    var hasUnwritten: Bool { !unwritten.isEmpty || (file != nil && tables == nil) }

    /// Whether a display could not be restored after a crash if the file were lost.
    var isAtStake: Bool { file != nil && tables != nil && displays.isAtStake }

    /// Writes records and documents, and all that could not be written before, in one transaction.
    ///
    /// - Parameter documents: `nil` removes one.
    func write(
        _ records: [DisplayID: DisplayRecord] = [:],
        _ documents: [RecordKey: [UInt8]?] = [:],
        safeFrom danger: Danger = .crash,
        at now: Moment
    ) {
        self.danger = max(self.danger, danger)
        for record in records.values {
            displays.put(record, at: now) { put($0, $1) }
        }
        for (key, document) in documents {
            displays.note(document, under: key)
            put(key, document)
        }
        checkFile(at: now)
        if tables == nil { tryOpening(at: now) } else { writeAll(at: now) }
    }

    /// Removes the record of a display with the next write.
    func forget(_ id: DisplayID) {
        for key in displays.forget(id) { put(key, nil) }
    }

    private func put(_ key: RecordKey, _ document: [UInt8]?) {
        // Before the read, a document that is removed may still be in the file.
        if isRead, documents[key] == document { return }
        documents[key] = document
        unwritten[key] = .some(document)
    }

    private func writeAll(at now: Moment) {
        if !unwritten.isEmpty {
            switch run({ tables throws(DatabaseError) in try tables.write(unwritten, safeFrom: danger) }) {
            case .success:
                counts.commits += 1
                markWritten()
            case .failure(let error):
                counts.failures += 1
                failed(error, at: now)
            case nil: break
            }
        }
        if case .failing = health, tables != nil, unwritten.isEmpty { health = .durable }
    }

    private func markWritten() { (unwritten, danger) = ([:], .crash) }

    /// Runs a job with the open tables; `nil` without them. Nothing refers to them afterwards, so that setting them to
    /// `nil` closes the file.
    private func run<Value>(_ job: (JournalTables) throws(DatabaseError) -> Value) -> Result<Value, DatabaseError>? {
        guard let tables else { return nil }
        return Result { () throws(DatabaseError) in try job(tables) }
    }

    /// Checks that the file still exists. If it or its directory was deleted, creates another one with the same
    /// content.
    func checkFile(at now: Moment) {
        guard let file, let hasMoved = tables?.connection.hasMoved, hasMoved || !file.hasLog else { return }
        tables = nil
        // The lock was in the directory, too.
        lock = nil
        lastAttempt = nil
        tryOpening(at: now)
        if case .durable = health { health = .recreated(setAside: nil, why: "the file was removed") }
    }

    func measure() { counts.size = file?.size ?? 0 }

    /// Only a damaged file or an unusable connection is an error of the journal: the history need not survive.
    ///
    /// - Returns: `nil` if the job failed. If the file was damaged, a retry can succeed now.
    func writeHistory<Value>(at now: Moment, _ job: (JournalTables) throws(DatabaseError) -> Value) -> Value? {
        switch run(job) {
        case .success(let value): return value
        case .failure(let error):
            if error.condemnsFile || isSpoilt(by: error) { failed(error, at: now) }
            return nil
        case nil: return nil
        }
    }

    /// Reads the history, also from a file that cannot be written.
    func readHistory<Value>(at now: Moment, _ job: (JournalTables) throws(DatabaseError) -> Value) -> Value? {
        guard tables == nil, let copy else { return writeHistory(at: now, job) }
        return try? job(copy)
    }

    /// Writes the pending records and removes the write-ahead log. A later write opens the file again.
    func close(at now: Moment) {
        // Neither this write nor a later one waits for `attemptInterval`.
        lastAttempt = nil
        write(at: now)
        tables = nil
        lastAttempt = nil
    }

    // MARK: Opening

    /// Opens the file and writes this run's records to it.
    ///
    /// - Parameter isStart: Whether this run continues from the records that are read now.
    private func tryOpening(isStart: Bool = false, timeout: Duration = .zero, at now: Moment) {
        guard let file = file?.located else { return }
        self.file = file
        if let lastAttempt, now.instant - lastAttempt < Self.attemptInterval { return }
        lastAttempt = now.instant
        do throws(DatabaseError) {
            try open(file, timeout: timeout, at: now)
        } catch {
            counts.failures += 1
            health = .failing(error.description)
            readCopy(of: file, isStart: isStart, at: now)
        }
    }

    /// Opens the file, or creates one in place of an unusable file.
    private func open(_ file: JournalFile, timeout: Duration = .zero, at now: Moment) throws(DatabaseError) {
        if lock == nil { lock = try file.lock() }
        do throws(DatabaseError) {
            try begin(in: JournalTables(in: file, timeout: timeout), at: now)
            health = .durable
        } catch  where error.condemnsFileAtOpening {
            let kept = error.isOfOtherVersion ? (try? JournalTables.settings(in: file)) ?? [:] : [:]
            let setAside = try setAside(file, because: error, at: now)
            if !kept.isEmpty { recover(kept, ofBoot: "", at: now) }
            try begin(in: JournalTables(in: file, timeout: timeout), at: now)
            let note = kept.isEmpty ? "" : ". What people have set was kept"
            health = .recreated(setAside: setAside, why: error.description + note)
        }
    }

    /// Continues with these tables, once they contain all records of this run.
    private func begin(in opened: JournalTables, at now: Moment) throws(DatabaseError) {
        let found = try opened.read()
        recover(found.documents, ofBoot: found.boot, at: now)
        var changes: [RecordKey: [UInt8]?] = [:]
        for (key, document) in documents where found.documents[key] != document { changes[key] = document }
        // Removed documents, and those of displays that this run does not have.
        for key in found.documents.keys where documents[key] == nil {
            if unwritten[key] != nil || DisplayRecords.includes(key) { changes[key] = .some(nil) }
        }
        try opened.begin(in: clock.boot, changes)
        if !unwritten.isEmpty { counts.commits += 1 }
        tables = opened
        copy = nil
        markWritten()
    }

    /// Recovers the records of an earlier run, once, apart from those that this run has replaced.
    private func recover(_ found: [RecordKey: [UInt8]], ofBoot boot: String, at now: Moment) {
        if isRead { return }
        isRead = true
        let recovered = displays.recover(found, ofBoot: boot, at: now)
        let others = found.filter { !DisplayRecords.includes($0.key) && unwritten[$0.key] == nil }
        for earlier in [recovered.documents, others] { documents.merge(earlier) { own, _ in own } }
        invalid = recovered.invalid
    }

    private func readCopy(of file: JournalFile, isStart: Bool, at now: Moment) {
        guard copy == nil else { return }
        do throws(DatabaseError) {
            let read = try JournalTables(copyOf: file)
            let found = try read.read()
            if isStart { recover(found.documents, ofBoot: found.boot, at: now) }
            copy = read
        } catch {
            copy = try? JournalTables(SQLiteConnection(path: ":memory:"), clock, isCopy: true)
        }
    }

    // MARK: Recovery

    /// Sets a file aside and returns its new path.
    ///
    /// - Throws: The error itself, if that would be too soon.
    private func setAside(
        _ file: JournalFile,
        because error: DatabaseError,
        at now: Moment
    ) throws(DatabaseError) -> String {
        if let lastSetAside, now.instant - lastSetAside < Self.setAsideInterval { throw error }
        lastSetAside = now.instant
        return try file.setAside(because: error, at: now)
    }

    private func failed(_ error: DatabaseError, at now: Moment) {
        if error.condemnsFile { return replaceFile(since: error, at: now) }
        health = .failing(error.description)
        // A new connection does not have the old one's transaction.
        if file != nil, isSpoilt(by: error) { tables = nil }
    }

    /// Whether an error has left the connection unusable, although the file is not damaged.
    private func isSpoilt(by error: DatabaseError) -> Bool {
        tables.map { error.isAboutStatement || $0.connection.isStuck } ?? false
    }

    /// Writes the content of the damaged file into a new one.
    private func replaceFile(since damage: DatabaseError, at now: Moment) {
        guard let file else { return health = .failing(damage.description) }
        tables = nil
        do throws(DatabaseError) {
            let setAside = try setAside(file, because: damage, at: now)
            try open(file, at: now)
            health = .recreated(setAside: setAside, why: damage.description)
        } catch {
            health = .failing(error.description)
        }
    }
}
