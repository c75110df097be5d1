// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Conflation
import Synchronization

/// The journal: keeps records, one transaction for all that wait, on a queue of its own. Any thread.
///
/// What cannot be written stays and is tried again, while those who wait for it go on: a full disk ends no boost.
package final class JournalWriter: DisplayJournal {
    /// For so long a record waits at most that nobody waits for, and one that could not be written.
    private static let writeInterval: Duration = .seconds(1)
    /// How often it is seen, while something is at stake, whether the file is still there.
    private static let checkInterval: Duration = .seconds(5)

    private struct Waiting {
        /// The newest of each display.
        var records: [DisplayID: DisplayRecord] = [:]
        var completions: [@Sendable () -> Void] = []
        var danger = Danger.crash
    }

    private let waiting = Mutex(Waiting())
    /// Locked by jobs of the queue only, so nobody ever waits for it.
    private let database: Mutex<JournalDatabase>
    private let tally: Mutex<JournalCounts>
    private let queue: any JobQueue
    /// `nil` without a file: no record is kept, so its health is not posted.
    private let poster: NotificationPoster?
    private let now: @Sendable () -> Moment
    /// Something is to be written soon.
    private let (writes, writeSignal) = Signal.makeStream()
    /// The file is to be looked at some time later.
    private let (checks, checkSignal) = Signal.makeStream()

    /// What an earlier run left; `nil` if there may be something that could not be read.
    package let recovered: [DisplayID: RecoveredRecord]?

    /// Opens the journal in a directory, or begins one. Blocks for a few milliseconds, or for a second while another program
    /// holds the file.
    ///
    /// A directory or file that cannot be written keeps no daemon from running, and from going on with what can be read:
    /// the reason is posted, and the file is written when that is possible.
    /// - Parameter now: Reads the clocks, once a transaction.
    /// - Throws: Only when another daemon holds the directory.
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

    /// A journal without a file, for the history until the daemon ends.
    package convenience init(
        inMemory clock: BootClock,
        on queue: any JobQueue,
        now: @escaping @Sendable () -> Moment
    ) {
        self.init(JournalDatabase(inMemory: clock), on: queue, poster: nil, now: now)
    }

    init(
        _ database: consuming sending JournalDatabase,
        on queue: any JobQueue,
        poster: NotificationPoster?,
        now: @escaping @Sendable () -> Moment
    ) {
        poster?.post(.journal(database.health))
        database.measure()
        tally = Mutex(database.counts)
        recovered = database.records?.all
        let (isBehind, isAtStake) = (database.isBehind, database.isAtStake)
        self.database = Mutex(database)
        self.queue = queue
        self.poster = poster
        self.now = now
        if isBehind { writeSignal.send() }
        if isAtStake { checkSignal.send() }
    }

    package func keep(_ record: DisplayRecord, completion: @escaping @Sendable () -> Void) {
        keep(record, safeFrom: .crash, completion: completion)
    }

    package func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.records[record.id] = record
            waiting.completions.append(completion)
            waiting.danger = max(waiting.danger, danger)
            return waiting.completions.count == 1
        }
        if isFirst { queue.enqueue { self.write() } }
    }

    package func keepSoon(_ record: DisplayRecord) {
        waiting.withLock { $0.records[record.id] = record }
        writeSignal.send()
    }

    /// What it has done, and how large it is; also while the disk hangs.
    package var counts: JournalCounts { tally.withLock { $0 } }

    /// Writes what waits by now, closes the file, and calls back.
    package func end(_ completion: @escaping @Sendable () -> Void) {
        queue.enqueue {
            self.write()
            self.work { database in database.close(at: self.now()) }
            completion()
        }
    }

    /// Sees to it that nothing waits for long, and that the file stays, until the task is cancelled.
    package func runDeadlines(on clock: some Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup { group in
            group.addTask { await self.answer(self.writes, after: Self.writeInterval, on: clock) { self.write() } }
            group.addTask { await self.answer(self.checks, after: Self.checkInterval, on: clock) { self.check() } }
        }
    }

    private func answer(
        _ signals: AsyncStream<Void>,
        after interval: Duration,
        on clock: some Clock<Duration>,
        _ job: @escaping @Sendable () -> Void
    ) async {
        for await _ in signals {
            guard (try? await clock.sleep(for: interval)) != nil else { return }
            queue.enqueue(job)
        }
    }

    /// Runs a job with the database on the journal's queue, then gives `completion` what came of it.
    func enqueue<Result: Sendable>(
        _ job: @escaping @Sendable (inout JournalDatabase) -> Result,
        completion: @escaping @Sendable (Result) -> Void
    ) {
        queue.enqueue { completion(self.work(job)) }
    }

    /// Runs a job with the database, reports the journal's health if that changed, and sees to what is left to do.
    private func work<Result: Sendable>(_ job: @Sendable (inout JournalDatabase) -> Result) -> Result {
        let (result, news, isBehind, isAtStake) = self.database.withLock { database in
            let old = database.health
            let result = job(&database)
            database.measure()
            let counts = database.counts
            tally.withLock { $0 = counts }
            return (result, database.health == old ? nil : database.health, database.isBehind, database.isAtStake)
        }
        if let news { poster?.post(.journal(news)) }
        if isBehind { writeSignal.send() }
        if isAtStake { checkSignal.send() }
        return result
    }

    /// Writes what waits by now. For jobs of the queue.
    func write() {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        work { database in database.write(taken.records, safeFrom: taken.danger, at: now()) }
        for completion in taken.completions { completion() }
    }

    private func check() { work { database in database.checkPlace(at: now()) } }
}

/// What a journal has done since its daemon began.
package struct JournalCounts: Sendable {
    /// Transactions with records. Those of the history are not counted.
    package internal(set) var commits = 0
    package internal(set) var failures = 0
    /// Bytes of the file and its log, history included.
    package internal(set) var size = 0
}
