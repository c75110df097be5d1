// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// The journal: stores all waiting records in one transaction, on its own queue. Any thread.
///
/// Keeps records that could not be written and retries them. Their completions are called nevertheless: a full disk
/// does not end a boost.
package final class JournalWriter: DisplayJournal, RecordJournal {
    /// The maximum delay of a record without a completion, and of a retry.
    private static let writeInterval: Duration = .seconds(1)
    /// The interval for checking that the file still exists, while a display could not be restored without it.
    private static let checkInterval: Duration = .seconds(5)

    private struct Waiting {
        var records: [DisplayID: DisplayRecord] = [:]
        /// The newest document of each other record; `nil` to remove it.
        var documents: [RecordKey: [UInt8]?] = [:]
        /// The displays whose earlier records are removed.
        var forgotten: Set<DisplayID> = []
        var completions: [@Sendable () -> Void] = []
        var danger = Danger.crash

        /// A record has its display's settings, too, and replaces an earlier document of them.
        mutating func put(_ record: DisplayRecord) {
            records[record.id] = record
            if !documents.isEmpty { documents[DisplayRecords.settingsKey(of: record.id)] = nil }
        }

        mutating func forget(_ id: DisplayID) {
            records[id] = nil
            documents[DisplayRecords.settingsKey(of: id)] = nil
            forgotten.insert(id)
        }
    }

    private let waiting = Mutex(Waiting())
    /// Locked only by jobs of the queue, so there is no contention.
    private let database: Mutex<JournalDatabase>
    private let tally: Mutex<JournalCounts>
    private let queue: any JobQueue
    /// `nil` without a file: no records are stored, so the health is not posted.
    private let poster: NotificationPoster?
    private let now: @Sendable () -> Moment
    /// Signals that records have to be written later.
    private let (writes, writeSignal) = WakeSignal.makeStream()
    /// Signals that the file has to be checked later.
    private let (checks, checkSignal) = WakeSignal.makeStream()

    /// The records of an earlier run; `nil` if some may exist but could not be read.
    package let recovered: [DisplayID: RecoveredRecord]?
    private let documents: [RecordKey: [UInt8]]
    /// The newest time of an earlier run's history; `nil` if it has none.
    package let newestTime: Timestamp?

    /// Opens or creates the journal in a directory. Blocks for a few milliseconds, or for a second while another
    /// program locks the file.
    ///
    /// A directory or file that cannot be written does not stop the daemon. It continues with the readable records,
    /// posts the reason, and writes the file as soon as possible.
    /// - Parameter now: Reads the clocks, once per transaction.
    /// - Throws: Only if another daemon has locked the directory.
    package convenience init(
        in directory: String,
        _ clock: BootClock = .ofThisMachine(),
        on queue: any JobQueue,
        disk: any JournalDisk = SystemDisk(),
        poster: NotificationPoster,
        now: @escaping @Sendable () -> Moment
    ) throws(StateDirectory.Failure) {
        let file = JournalFile(directory: directory, clock: clock, disk: disk)
        self.init(try JournalDatabase(in: file, at: now()), on: queue, poster: poster, now: now)
    }

    /// Creates a journal in memory, for the history until the daemon ends.
    package convenience init(
        inMemory clock: BootClock,
        on queue: any JobQueue,
        now: @escaping @Sendable () -> Moment
    ) {
        self.init(JournalDatabase(inMemory: clock), on: queue, poster: nil, now: now)
    }

    init(
        _ database: sending JournalDatabase,
        on queue: any JobQueue,
        poster: NotificationPoster?,
        now: @escaping @Sendable () -> Moment
    ) {
        poster?.post(.journal(database.health))
        database.measure()
        tally = Mutex(database.counts)
        recovered = database.records
        documents = database.documents
        newestTime = database.newestTime
        let (hasUnwritten, isAtStake, invalid) = (database.hasUnwritten, database.isAtStake, database.invalid)
        self.database = Mutex(database)
        self.queue = queue
        self.poster = poster
        self.now = now
        if hasUnwritten { writeSignal.send() }
        if isAtStake { checkSignal.send() }
        report(invalid)
    }

    /// Returns the records of a type that an earlier run stored. Skips invalid ones, which another program may have
    /// written.
    package func kept<Record: KeptRecord>(_ type: Record.Type) -> [Record] {
        var (records, invalid) = ([Record](), [RecordKey]())
        for (key, document) in documents where key.kind == Record.kind {
            if let record = Record(kept: document, under: key.name) {
                records.append(record)
            } else {
                invalid.append(key)
            }
        }
        report(invalid)
        return records
    }

    private func report(_ invalid: [RecordKey]) {
        guard let first = invalid.map(\.description).min() else { return }
        let others = invalid.count > 1 ? " and \(invalid.count - 1) more" : ""
        poster?.post(.notice(.journal("ignored what cannot be read: \(first)\(others)")))
    }

    package func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        enqueueWrite(completion, safeFrom: danger) { $0.put(record) }
    }

    package func store(_ document: [UInt8]?, _ key: RecordKey, completion: @escaping @Sendable () -> Void) {
        // `.some(nil)` removes the stored document; the literal `nil` would only withdraw one that waits.
        enqueueWrite(completion, safeFrom: .powerCut) { $0.documents[key] = .some(document) }
    }

    private func enqueueWrite(
        _ completion: @escaping @Sendable () -> Void,
        safeFrom danger: Danger,
        _ add: (inout Waiting) -> Void
    ) {
        let isFirst = waiting.withLock { waiting in
            add(&waiting)
            waiting.completions.append(completion)
            waiting.danger = max(waiting.danger, danger)
            return waiting.completions.count == 1
        }
        if isFirst { queue.enqueue { self.write() } }
    }

    package func keepSoon(_ record: DisplayRecord) {
        waiting.withLock { $0.put(record) }
        writeSignal.send()
    }

    package func forget(_ id: DisplayID) { enqueueWrite({}, safeFrom: .crash) { $0.forget(id) } }

    /// The counters; available even while the disk hangs.
    package var counts: JournalCounts { tally.withLock { $0 } }

    /// Writes all waiting records, closes the file, and calls `completion`.
    package func end(_ completion: @escaping @Sendable () -> Void) {
        queue.enqueue {
            self.write()
            self.work { database in database.close(at: self.now()) }
            completion()
        }
    }

    /// Writes delayed records and checks the file, until the task is cancelled.
    package func runDeadlines(on clock: some Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.delay(self.writes, by: Self.writeInterval, on: clock) { self.write() } }
            group.addTask { await self.delay(self.checks, by: Self.checkInterval, on: clock) { self.check() } }
        }
    }

    private func delay(
        _ signals: AsyncStream<Void>,
        by interval: Duration,
        on clock: some Clock<Duration>,
        _ job: @escaping @Sendable () -> Void
    ) async {
        for await _ in signals {
            guard (try? await clock.sleep(for: interval)) != nil else { return }
            queue.enqueue(job)
        }
    }

    /// Runs a job with the database on the journal's queue, and passes its result to `completion`.
    func enqueue<Result: Sendable>(
        _ job: @escaping @Sendable (JournalDatabase) -> Result,
        completion: @escaping @Sendable (Result) -> Void
    ) {
        queue.enqueue { completion(self.work(job)) }
    }

    /// Runs a job with the database, posts a change of the journal's health, and schedules the pending work.
    private func work<Result: Sendable>(_ job: @Sendable (JournalDatabase) -> Result) -> Result {
        let (result, health, hasUnwritten, isAtStake) = self.database.withLock { database in
            let old = database.health
            let result = job(database)
            database.measure()
            let counts = database.counts
            tally.withLock { $0 = counts }
            return (result, database.health == old ? nil : database.health, database.hasUnwritten, database.isAtStake)
        }
        if let health { poster?.post(.journal(health)) }
        if hasUnwritten { writeSignal.send() }
        if isAtStake { checkSignal.send() }
        return result
    }

    /// Writes all waiting records. Call it from jobs of the queue.
    func write() {
        let taken = waiting.exchange(Waiting())
        work { database in
            for id in taken.forgotten { database.forget(id) }
            database.write(taken.records, taken.documents, safeFrom: taken.danger, at: now())
        }
        for completion in taken.completions { completion() }
    }

    private func check() { work { database in database.checkFile(at: now()) } }
}

/// The counters of a journal since the daemon started.
package struct JournalCounts: Sendable {
    /// The transactions with records. Those of the history do not count.
    package internal(set) var commits = 0
    package internal(set) var failures = 0
    /// The size of the file and its log in bytes, history included.
    package internal(set) var size = 0
}
