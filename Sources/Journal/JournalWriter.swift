// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// Writes records, one transaction for all that wait, on a queue of its own. Any thread.
///
/// What cannot be written stays and is tried again, while those who wait for it go on: a full disk ends no boost.
package final class JournalWriter: DisplayJournal {
    /// For so long a record waits at most that nobody waits for, and one that could not be written.
    private static let patience: Duration = .seconds(1)

    private struct Waiting {
        /// The newest of each display.
        var records: [DisplayID: DisplayRecord] = [:]
        var completions: [@Sendable () -> Void] = []
    }

    private let waiting = Mutex(Waiting())
    /// Locked by jobs of the queue only, so nobody ever waits for it.
    private let store: Mutex<JournalStore>
    private let tally: Mutex<JournalCounts>
    private let queue: any JobQueue
    private let poster: NotificationPoster
    private let now: @Sendable () -> Moment
    private let rings: AsyncStream<Void>
    private let bell: AsyncStream<Void>.Continuation

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
        self.store = Mutex(store)
        self.queue = queue
        self.poster = poster
        self.now = now
        (rings, bell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    package func keep(_ record: DisplayRecord, completion: @escaping @Sendable () -> Void) {
        let isFirst = waiting.withLock { waiting in
            waiting.records[record.id] = record
            waiting.completions.append(completion)
            return waiting.completions.count == 1
        }
        if isFirst { queue.enqueue { self.write() } }
    }

    package func keepSoon(_ record: DisplayRecord) {
        waiting.withLock { $0.records[record.id] = record }
        bell.yield()
    }

    /// What it has done, and how large it is; also while the disk hangs.
    package var counts: JournalCounts { tally.withLock { $0 } }

    /// Writes what waits by now, closes the file, and calls back.
    package func end(_ completion: @escaping @Sendable () -> Void) {
        queue.enqueue {
            self.write()
            self.store.withLock { $0.close() }
            completion()
        }
    }

    /// Sees to it that nothing waits for long, until the task is cancelled.
    package func keepTime(on clock: some Clock<Duration> = ContinuousClock()) async {
        for await _ in rings {
            guard (try? await clock.sleep(for: Self.patience)) != nil else { return }
            queue.enqueue { self.write() }
        }
    }

    /// Runs a job with the store on the journal's queue, then gives `completion` what came of it.
    func enqueue<Result: Sendable>(
        _ job: @escaping @Sendable (inout JournalStore) -> Result,
        completion: @escaping @Sendable (Result) -> Void
    ) {
        queue.enqueue { completion(self.work(job)) }
    }

    /// Tells of the journal's health if the job changed it.
    private func work<Result: Sendable>(_ job: @Sendable (inout JournalStore) -> Result) -> Result {
        let (result, news) = store.withLock { store in
            let old = store.health
            let result = job(&store)
            store.measure()
            let counts = store.counts
            tally.withLock { $0 = counts }
            return (result, store.health == old ? nil : store.health)
        }
        if let news { poster.post(.journal(news)) }
        return result
    }

    /// Writes what waits by now. For jobs of the queue.
    func write() {
        let taken = waiting.withLock { waiting in
            defer { waiting = Waiting() }
            return waiting
        }
        work { store in store.write(taken.records, at: now()) }
        if store.withLock({ $0.isBehind }) { bell.yield() }
        for completion in taken.completions { completion() }
    }
}
