// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// Records the history from the hub and answers queries. Any thread; works on the journal's queue.
///
/// ```
///   hub ──► mailbox ──at most once a second──► HistoryMemory ──at most once a minute──► HistoryTables
/// ```
///
/// The mailbox conflates: its content after a second is the sample of that second, however often a display changed.
/// Without changes there are no wakes and no writes.
package final class HistoryRecorder: Sendable {
    private static let drainInterval: Duration = .seconds(1)
    private static let commitInterval: Duration = .seconds(60)
    /// The maximum number of waiting queries.
    private static let queryLimit = 64

    /// Answers a query; returns the call that delivers the answer.
    private typealias PendingQuery = @Sendable (inout HistoryMemory, JournalDatabase, Moment) -> @Sendable () -> Void

    private let journal: JournalWriter
    private let leases: @Sendable (DisplayID) -> [Lease]?
    private let now: @Sendable () -> Moment
    /// Both are locked only by jobs of the queue, so there is no contention.
    private let memory: Mutex<HistoryMemory>
    private let listener: Mutex<HistoryListener>
    private let queries = Mutex<[PendingQuery]>([])
    private let (drains, drainSignal) = WakeSignal.makeStream()
    private let (commits, commitSignal) = WakeSignal.makeStream()

    /// - Parameters:
    ///   - leases: Returns the leases in force on a display; `nil` for an unknown display.
    ///   - now: Reads the clocks.
    package init(
        _ journal: JournalWriter,
        _ source: NotificationSource,
        leases: @escaping @Sendable (DisplayID) -> [Lease]?,
        now: @escaping @Sendable () -> Moment
    ) {
        self.journal = journal
        self.leases = leases
        self.now = now
        memory = Mutex(HistoryMemory(begin: now()))
        listener = Mutex(HistoryListener(source) { [drainSignal] in drainSignal.send() })
        drainSignal.send()
    }

    /// Reads the mailbox and writes at the intervals above, until the task is cancelled.
    package func runDeadlines(on clock: some Clock<Duration> = ContinuousClock()) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                for await _ in self.drains {
                    // Every job begins with a drain.
                    self.work { _, _, _ in }
                    guard (try? await clock.sleep(for: Self.drainInterval)) != nil else { return }
                }
            }
            group.addTask {
                for await _ in self.commits {
                    guard (try? await clock.sleep(for: Self.commitInterval)) != nil else { return }
                    self.work { memory, database, now in
                        memory.isCommitAwaited = false
                        self.commit(&memory, database, at: now)
                    }
                }
            }
        }
    }

    /// Writes the rest, and marks all displays' state as unknown from now on.
    package func end(_ completion: @escaping @Sendable () -> Void) {
        work({ memory, database, now in
            memory.end(at: now)
            self.commit(&memory, database, at: now)
        }) { completion() }
    }

    /// Answers a query later, on the journal's queue. One query at a time, so that records of displays are written in
    /// between.
    ///
    /// - Parameter completion: Called once on that queue; `nil` if the history cannot be read now.
    /// - Throws: The problem if too many queries wait.
    package func read(_ query: HistoryQuery, completion: @escaping @Sendable (History?) -> Void) throws(Problem) {
        try enqueue(completion) { history, memory, now throws(DatabaseError) in
            try history.read(query, with: &memory, at: now)
        }
    }

    /// Answers a query for changes, as above.
    package func read(
        _ query: ChangesQuery,
        completion: @escaping @Sendable ([DisplayChange]?) -> Void
    ) throws(Problem) {
        try enqueue(completion) { history, memory, now throws(DatabaseError) in
            try history.read(query, with: &memory, at: now)
        }
    }

    private func enqueue<Answer: Sendable>(
        _ completion: @escaping @Sendable (Answer?) -> Void,
        read: @escaping @Sendable (HistoryTables, inout HistoryMemory, Moment) throws(DatabaseError) -> Answer
    ) throws(Problem) {
        let position = queries.withLock { queries -> Int? in
            guard queries.count < Self.queryLimit else { return nil }
            queries.append { memory, database, now in
                // The second try uses the file that replaced a damaged one.
                let answer =
                    self.read(from: &memory, in: database, at: now, read)
                    ?? self.read(from: &memory, in: database, at: now, read)
                return { completion(answer) }
            }
            return queries.count
        }
        guard let position else {
            let detail = "\(Self.queryLimit) queries of the history are waiting, the maximum."
            throw .retry(.serverLimitReached, detail, after: 1)
        }
        if position == 1 { answerNext() }
    }

    private func answerNext() {
        guard let query = queries.withLock({ $0.first }) else { return }
        work(query) { deliver in
            deliver()
            let isMore = self.queries.withLock { queries in
                queries.removeFirst()
                return !queries.isEmpty
            }
            if isMore { self.answerNext() }
        }
    }

    private func read<Answer>(
        from memory: inout HistoryMemory,
        in database: JournalDatabase,
        at now: Moment,
        _ read: (HistoryTables, inout HistoryMemory, Moment) throws(DatabaseError) -> Answer
    ) -> Answer? {
        database.readHistory(at: now) { tables throws(DatabaseError) in try read(tables.history, &memory, now) }
    }

    private func commit(_ memory: inout HistoryMemory, _ database: JournalDatabase, at now: Moment) {
        if memory.isWritten { return }
        _ = database.writeHistory(at: now) { tables throws(DatabaseError) in
            try tables.history.write(&memory, at: now)
        }
    }

    /// Runs a job on the journal's queue, after adding all unread notifications.
    private func work<Result: Sendable>(
        _ job: @escaping @Sendable (inout HistoryMemory, JournalDatabase, Moment) -> Result,
        completion: @escaping @Sendable (Result) -> Void = { _ in }
    ) {
        journal.enqueue(
            { database in
                self.memory.withLock { memory in
                    // As one value: the compiler of Swift 6.0 crashes on a pattern here.
                    let drained = self.listener.withLock { $0.drain(at: self.now().instant) }
                    // After that, so no notification is newer.
                    let now = self.now()
                    memory.record(drained.notifications, drained.content, leases: self.leases, at: now)
                    defer { self.awaitCommit(&memory) }
                    return job(&memory, database, now)
                }
            },
            completion: completion
        )
    }

    private func awaitCommit(_ memory: inout HistoryMemory) {
        if memory.isWritten || memory.isCommitAwaited { return }
        memory.isCommitAwaited = true
        commitSignal.send()
    }
}

/// The recorder's subscription to displays, states, light and leases. After a mailbox overflow it ignores changes of
/// leases for a minute and reads the leases in force instead, which limits the cost of many leases.
struct HistoryListener: Sendable {
    static let pause: Duration = .seconds(60)

    private let source: NotificationSource
    private let wake: @Sendable () -> Void
    private var listener: Listener
    private var pausedAt: Instant?

    init(_ source: NotificationSource, wake: @escaping @Sendable () -> Void) {
        self.source = source
        self.wake = wake
        listener = Self.listen(to: [.state, .ambient, .lease, .display], at: source, wake: wake)
    }

    mutating func drain(at now: Instant) -> (notifications: [Notification], content: DrainedContent) {
        guard let notifications = listener.drainWhole() else {
            pausedAt = now
            return (listen(to: [.state, .ambient, .display]), .restarted)
        }
        guard let pausedAt else { return (notifications, .whole) }
        guard now - pausedAt >= Self.pause else { return (notifications, .withoutLeases) }
        self.pausedAt = nil
        return (listen(to: [.state, .ambient, .lease, .display]), .restarted)
    }

    /// Subscribes again: the retained notifications include everything missed except ends.
    private mutating func listen(to kinds: Set<Notification.Kind>) -> [Notification] {
        listener = Self.listen(to: kinds, at: source, wake: wake)
        return listener.drain()
    }

    /// The changes include the states between two drains.
    private static func listen(
        to kinds: Set<Notification.Kind>,
        at source: NotificationSource,
        wake: @escaping @Sendable () -> Void
    ) -> Listener {
        source.listen(to: NotificationFilter(kinds), keepsStates: true, wake: wake)
    }
}
