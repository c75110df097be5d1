// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// Writes records, one transaction for all that wait, on a queue of its own. Any thread.
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
    private let store: Mutex<JournalStore>
    private let tally: Mutex<JournalCounts>
    private let queue: any JobQueue
    private let poster: NotificationPoster
    private let now: @Sendable () -> Moment
    /// Rings when something is to be written soon.
    private let bell = Bell()
    /// Rings when the file is to be looked at some time later.
    private let checks = Bell()

    /// - Parameter now: Reads the clocks, once a transaction.
    package init(
        _ store: consuming sending JournalStore,
        on queue: any JobQueue,
        poster: NotificationPoster,
        now: @escaping @Sendable () -> Moment
    ) {
        poster.post(.journal(store.health))
        store.measure()
        tally = Mutex(store.counts)
        let (isBehind, isAtStake) = (store.isBehind, store.isAtStake)
        self.store = Mutex(store)
        self.queue = queue
        self.poster = poster
        self.now = now
        if isBehind { bell.ring() }
        if isAtStake { checks.ring() }
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
        bell.ring()
    }

    /// What it has done, and how large it is; also while the disk hangs.
    package var counts: JournalCounts { tally.withLock { $0 } }

    /// Writes what waits by now, closes the file, and calls back.
    package func end(_ completion: @escaping @Sendable () -> Void) {
        queue.enqueue {
            self.write()
            self.work { store in store.close(at: self.now()) }
            completion()
        }
    }

    /// Sees to it that nothing waits for long, and that the file stays, until the task is cancelled.
    package func keepTime(on clock: some Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup { group in
            group.addTask { await self.answer(self.bell, after: Self.writeInterval, on: clock) { self.write() } }
            group.addTask { await self.answer(self.checks, after: Self.checkInterval, on: clock) { self.check() } }
        }
    }

    private func answer(
        _ bell: Bell,
        after interval: Duration,
        on clock: some Clock<Duration>,
        _ job: @escaping @Sendable () -> Void
    ) async {
        for await _ in bell.rings {
            guard (try? await clock.sleep(for: interval)) != nil else { return }
            queue.enqueue(job)
        }
    }

    /// Runs a job with the store on the journal's queue, then gives `completion` what came of it.
    func enqueue<Result: Sendable>(
        _ job: @escaping @Sendable (inout JournalStore) -> Result,
        completion: @escaping @Sendable (Result) -> Void
    ) {
        queue.enqueue { completion(self.work(job)) }
    }

    /// Runs a job with the store, reports the journal's health if that changed, and sees to what is left to do.
    private func work<Result: Sendable>(_ job: @Sendable (inout JournalStore) -> Result) -> Result {
        let (result, news, isBehind, isAtStake) = store.withLock { store in
            let old = store.health
            let result = job(&store)
            store.measure()
            let counts = store.counts
            tally.withLock { $0 = counts }
            return (result, store.health == old ? nil : store.health, store.isBehind, store.isAtStake)
        }
        if let news { poster.post(.journal(news)) }
        if isBehind { bell.ring() }
        if isAtStake { checks.ring() }
        return result
    }

    /// Writes what waits by now. For jobs of the queue.
    func write() {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        work { store in store.write(taken.records, safeFrom: taken.danger, at: now()) }
        for completion in taken.completions { completion() }
    }

    private func check() { work { store in store.checkPlace(at: now()) } }
}
