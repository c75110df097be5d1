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

    /// `nil` for a database in memory.
    private var file: JournalFile?
    /// The lock on the directory.
    private var holding: (any AnyObject & Sendable)?
    /// The file's tables; `nil` while it cannot be opened.
    private var tables: JournalTables?
    /// The readable content of a file that cannot be opened for writing.
    private var copy: JournalTables?
    /// The file's records when it was last read, while it is not open; `nil` if it was never read.
    private var known: RecoveredRecords?
    private var lastAttempt: Instant?
    /// The records that are missing in the file.
    private var unwritten: [DisplayID: DisplayRecord] = [:]
    private(set) var schedules = NamedRecords<ScheduleRecord>()
    private(set) var presets = NamedRecords<Preset>()
    private(set) var location = NamedRecords<Location>()
    /// The newest time of the history when the file was opened.
    private(set) var newestTime: Timestamp?
    /// The event that the unwritten records have to survive.
    private var danger = Danger.crash
    private(set) var health = JournalHealth.durable
    private(set) var counts = JournalCounts()

    /// Opens or creates a file. If it cannot be written, reads it and retries later.
    ///
    /// - Throws: Only if another daemon holds the directory.
    init(in file: JournalFile, at now: Moment) throws(StateDirectory.Failure) {
        self.file = file
        do throws(StateDirectory.Failure) {
            holding = try file.disk.hold(file.directory)
        } catch {
            // `open` meets any other error again and reports it.
            if case .inUse = error { throw error }
        }
        attempt(isStart: true, timeout: Self.timeout, at: now)
        readNamed()
    }

    /// Creates a database in memory, which ends with this value. Without memory it behaves like a file that cannot be
    /// written.
    init(inMemory clock: BootClock) {
        file = nil
        tables = try? JournalTables(SQLiteConnection(path: ":memory:"), clock)
        known = RecoveredRecords([:], ofOtherBoots: [])
    }

    /// The stored records, which at the start are an earlier run's; `nil` if they could not be read.
    var records: RecoveredRecords? { tables?.records.known ?? known }

    /// Whether a retry is pending.
    var isBehind: Bool { isUnwritten || file != nil && tables == nil }

    /// Whether a record is missing in the file.
    private var isUnwritten: Bool {
        !unwritten.isEmpty || schedules.isBehind || presets.isBehind || location.isBehind
    }

    /// Whether a display could not be restored after a crash if the file were lost.
    var isAtStake: Bool { file != nil && tables?.records.isAtStake ?? false }

    func write(_ new: [DisplayID: DisplayRecord], safeFrom danger: Danger = .crash, at now: Moment) {
        self.danger = max(self.danger, danger)
        unwritten.merge(new) { _, newest in newest }
        checkPlace(at: now)
        if tables == nil { attempt(at: now) } else { writeRecords(at: now) }
        write(\.schedules, at: now) { tables, changes throws(DatabaseError) in try tables.schedules.write(changes) }
        write(\.presets, at: now) { tables, changes throws(DatabaseError) in try tables.presets.write(changes) }
        write(\.location, at: now) { tables, changes throws(DatabaseError) in try tables.location.write(changes) }
        if case .failing = health, tables != nil, !isUnwritten { health = .durable }
    }

    /// Removes the record of a display. One that cannot be removed now is not written again either.
    func forget(_ id: DisplayID, at now: Moment) {
        unwritten[id] = nil
        known?.forget(id)
        let result = run { tables throws(DatabaseError) in try tables.records.forget(id) }
        if case .failure(let error) = result { failed(error, at: now) }
    }

    private func writeRecords(at now: Moment) {
        if unwritten.isEmpty { return }
        let result = run { tables throws(DatabaseError) in
            try tables.records.write(unwritten, safeFrom: danger, at: now)
        }
        switch result {
        case .success:
            counts.commits += 1
            wrote()
        case .failure(let error):
            counts.failures += 1
            failed(error, at: now)
        case nil: break
        }
    }

    /// Runs a job with the open tables; `nil` without them. Nothing refers to them afterwards, so that `shut` closes
    /// the file.
    private func run<Value>(
        _ job: (JournalTables) throws(DatabaseError) -> Value
    ) -> Result<Value, DatabaseError>? {
        guard let tables else { return nil }
        do throws(DatabaseError) {
            return .success(try job(tables))
        } catch {
            return .failure(error)
        }
    }

    // MARK: Schedules, presets and the place

    private func readNamed() {
        let readable = tables ?? copy
        newestTime = try? readable?.history.newestTime()
        schedules = NamedRecords(((try? readable?.schedules.read()) ?? []).map { ($0.schedule.name, $0) })
        presets = NamedRecords(((try? readable?.presets.read()) ?? []).map { ($0.name, $0) })
        location = NamedRecords((try? readable?.location.read()) ?? [])
    }

    /// - Parameter record: `nil` removes the schedule.
    func write(_ name: ResourceName, schedule record: ScheduleRecord?, at now: Moment) {
        schedules.put(name, record)
        write([:], at: now)
    }

    /// - Parameter preset: `nil` removes it.
    func write(_ name: ResourceName, preset: Preset?, at now: Moment) {
        presets.put(name, preset)
        write([:], at: now)
    }

    /// - Parameter location: `nil` removes the place.
    func write(location: Location?, at now: Moment) {
        self.location.put(LocationTable.name, location)
        write([:], at: now)
    }

    private func write<Record>(
        _ records: ReferenceWritableKeyPath<JournalDatabase, NamedRecords<Record>>,
        at now: Moment,
        _ job: (JournalTables, [ResourceName: Record?]) throws(DatabaseError) -> Void
    ) {
        guard self[keyPath: records].isBehind else { return }
        let changes = self[keyPath: records].changes
        switch run({ tables throws(DatabaseError) in try job(tables, changes) }) {
        case .success: self[keyPath: records].wrote()
        case .failure(let error):
            counts.failures += 1
            failed(error, at: now)
        case nil: break
        }
    }

    /// Checks that the file still exists. If it or its directory was deleted, creates another one with the same
    /// content.
    func checkPlace(at now: Moment) {
        guard let file, let hasMoved = tables?.connection.hasMoved, hasMoved || !file.hasLog else { return }
        shut()
        // The lock was in the directory, too.
        holding = nil
        lastAttempt = nil
        attempt(at: now)
        if case .durable = health { health = .recreated(setAside: nil, why: "the file was removed") }
    }

    /// Measures the size of the file.
    func measure() { counts.size = file?.size ?? 0 }

    /// Lets the history write to the database. Only a damaged file is an error of the journal: the history need not
    /// survive.
    ///
    /// - Returns: `nil` if the job failed. If the file was damaged, a retry can succeed now.
    func use<Value>(
        at now: Moment,
        _ job: (JournalTables) throws(DatabaseError) -> Value
    ) -> Value? {
        switch run(job) {
        case .success(let value): return value
        case .failure(let error):
            if error.condemnsFile || isSpoilt(by: error) { failed(error, at: now) }
            return nil
        case nil: return nil
        }
    }

    /// Lets the history read from the database, also from a file that cannot be written.
    func read<Value>(
        at now: Moment,
        _ job: (JournalTables) throws(DatabaseError) -> Value
    ) -> Value? {
        guard tables == nil, let copy else { return use(at: now, job) }
        return try? job(copy)
    }

    /// Writes the pending records and removes the write-ahead log. A later write opens the file again.
    func close(at now: Moment) {
        lastAttempt = nil
        write([:], at: now)
        shut()
        lastAttempt = nil
    }

    private func shut() {
        guard tables != nil else { return }
        known = tables?.records.known
        tables = nil
    }

    // MARK: Opening

    /// Opens the file and writes this run's records to it.
    ///
    /// - Parameter isStart: Whether this run continues from the records that are read now.
    private func attempt(isStart: Bool = false, timeout: Duration = .zero, at now: Moment) {
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
        if holding == nil { holding = try file.hold() }
        do throws(DatabaseError) {
            let opened = try JournalTables.open(file, over: known, with: unwritten, timeout: timeout, at: now)
            takeOver(opened, .durable)
        } catch  where error.condemnsFileAtOpening {
            let setAside = try file.setAside(because: error, at: now)
            let opened = try JournalTables.open(file, over: known, with: unwritten, timeout: timeout, at: now)
            takeOver(opened, .recreated(setAside: setAside, why: error.description))
        }
    }

    /// Continues with tables that contain all records of this run.
    private func takeOver(_ opened: JournalTables, _ health: JournalHealth) {
        if !unwritten.isEmpty { counts.commits += 1 }
        self.health = health
        tables = opened
        // The file may be a new one.
        schedules.beginAgain()
        presets.beginAgain()
        location.beginAgain()
        known = nil
        copy = nil
        wrote()
    }

    private func readCopy(of file: JournalFile, isStart: Bool, at now: Moment) {
        guard copy == nil else { return }
        do throws(DatabaseError) {
            let read = try JournalTables.copy(of: file)
            let recovered = try read.records.recovered(at: now)
            if isStart { known = recovered }
            copy = read
        } catch {
            copy = try? JournalTables(SQLiteConnection(path: ":memory:"), file.clock, isCopy: true)
        }
    }

    private func wrote() {
        unwritten = [:]
        danger = .crash
    }

    // MARK: Recovery

    private func failed(_ error: DatabaseError, at now: Moment) {
        if error.condemnsFile { return replaceFile(since: error, at: now) }
        health = .failing(error.description)
        // A new connection does not have the old one's transaction.
        if file != nil, isSpoilt(by: error) { shut() }
    }

    private func isSpoilt(by error: DatabaseError) -> Bool {
        tables.map { error.isAboutStatement || $0.connection.isStuck } ?? false
    }

    /// Writes the content of the damaged file into a new one.
    private func replaceFile(since damage: DatabaseError, at now: Moment) {
        guard let file else { return health = .failing(damage.description) }
        shut()
        do throws(DatabaseError) {
            let setAside = try file.setAside(because: damage, at: now)
            try open(file, at: now)
            health = .recreated(setAside: setAside, why: damage.description)
        } catch {
            health = .failing(error.description)
        }
    }
}
