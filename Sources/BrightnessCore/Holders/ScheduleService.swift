// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

/// Holds the leases of the schedules. Any thread; works on a queue of its own, so that changes of one display arrive in
/// their order.
///
/// ```
///   clock, displays, edits ──► ScheduleBoard ──► DisplayService
///                                   └──► journal, NotificationHub
/// ```
package final class ScheduleService: Sendable {
    /// The maximum number of schedules.
    package static let limit = 64

    /// How often an unset clock is read again.
    fileprivate static let clockInterval: Duration = .seconds(1)
    /// The maximum time between two looks at the clock: the time zone may change, and clocks drift.
    fileprivate static let longestSleep: Duration = .seconds(60)
    /// When a change that a display has refused is repeated.
    private static let retryInterval: Duration = .seconds(30)

    package enum Failure: Error, Equatable {
        /// There are `limit` schedules.
        case tooMany
        /// A time by the sun, without a place.
        case noLocation
        case unknown
    }

    package struct Clock: Sendable {
        package let now: @Sendable () -> Moment
        /// Whether the wall clock can be trusted at this time.
        package let isSet: @Sendable (Timestamp) -> Bool

        package init(now: @escaping @Sendable () -> Moment, isSet: @escaping @Sendable (Timestamp) -> Bool) {
            self.now = now
            self.isSet = isSet
        }
    }

    fileprivate struct State {
        var board: ScheduleBoard
        /// Once set, a clock stays trusted.
        var isClockSet = false
        var retry: Instant?
        /// The present displays whose leases of an earlier run were compared with the schedules.
        var seen: Set<DisplayID> = []
    }

    private let displays: DisplayService
    private let submit: DisplayService.Submission
    private let planner: SchedulePlanner
    private let clock: Clock
    private let queue: any JobQueue
    private let journal: (any ScheduleJournal)?
    private let source: NotificationSource
    private let poster: NotificationPoster
    /// Locked only by jobs of the queue, so there is no contention.
    private let state: Mutex<State>
    private let published = Mutex(ScheduleReport([], isClockSet: false))
    private let timer = DeadlineTimer()

    /// - Parameters:
    ///   - records: The schedules of an earlier run.
    ///   - journal: Stores schedules; `nil` keeps them in memory only.
    ///   - submit: Takes the commands; the displays themselves by default.
    package init(
        _ displays: DisplayService,
        _ planner: SchedulePlanner,
        _ records: [ScheduleRecord] = [],
        journal: (any ScheduleJournal)? = nil,
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster,
        clock: Clock,
        submit: DisplayService.Submission? = nil
    ) {
        self.displays = displays
        self.submit = submit ?? displays.submit
        self.planner = planner
        self.journal = journal
        self.queue = queue
        self.source = source
        self.poster = poster
        self.clock = clock
        state = Mutex(State(board: ScheduleBoard(planner, records)))
        // Before anybody can ask for the schedules. No job of the queue runs yet.
        evaluateNow()
    }

    /// All schedules.
    package var report: ScheduleReport { published.withLock { $0 } }

    /// Adds or replaces a schedule.
    ///
    /// - Parameter completion: Called once, after it was stored, with whether it is a new one.
    package func put(_ schedule: Schedule, completion: @escaping @Sendable (Result<Bool, Failure>) -> Void) {
        if schedule.needsLocation, planner.location == nil { return completion(.failure(.noLocation)) }
        queue.enqueue { [self] in
            let result: Result<(isNew: Bool, ends: [ScheduleBoard.Action]), Failure> = state.withLock { state in
                let isNew = state.board.record(schedule.name) == nil
                if isNew, state.board.count >= Self.limit { return .failure(.tooMany) }
                return .success((isNew, state.board.put(schedule)))
            }
            switch result {
            case .failure(let failure):
                completion(.failure(failure))
            case .success((let isNew, let ends)):
                carryOut(ends)
                evaluateNow(isStored: schedule.name)
                let record = state.withLock { $0.board.record(schedule.name) }
                store(schedule.name, record) { completion(.success(isNew)) }
            }
        }
    }

    /// Removes a schedule and ends its leases.
    ///
    /// - Parameter completion: Called once, after that was stored.
    package func remove(_ name: ScheduleName, completion: @escaping @Sendable (Result<Void, Failure>) -> Void) {
        queue.enqueue { [self] in
            guard let ends = state.withLock({ $0.board.remove(name) }) else { return completion(.failure(.unknown)) }
            carryOut(ends)
            evaluateNow()
            store(name, nil) { completion(.success(())) }
        }
    }

    /// Begins and ends schedules in time, until the task is cancelled.
    ///
    /// - Parameter clockChanges: An element each time the wall clock was set.
    package func run<C: _Concurrency.Clock<Duration>>(
        on clock: C,
        clockChanges: AsyncStream<Void>
    ) async where C.Instant == Instant {
        let displays = SubscriptionGroup(
            source,
            [Subscription(to: NotificationFilter([.display])) { [weak self] _ in self?.lookAgain() }]
        )
        await withDiscardingTaskGroup { group in
            group.addTask { for await _ in clockChanges { self.lookAgain() } }
            group.addTask {
                for await _ in self.timer.rings {
                    self.timer.answer()
                    let next = await withCheckedContinuation { continuation in
                        self.queue.enqueue { continuation.resume(returning: self.evaluate()) }
                    }
                    self.timer.sleep(until: next, on: clock)
                }
            }
            lookAgain()
        }
        displays.end()
    }

    /// Evaluates the schedules soon.
    private func lookAgain() { timer.set(for: Instant(sinceBoot: .zero)) }

    /// Brings the displays to what the schedules require now. A job of the queue.
    ///
    /// - Parameter isStored: A schedule that the caller stores.
    /// - Returns: When to evaluate again; `nil` without schedules.
    func evaluate(isStored: ScheduleName? = nil) -> Instant? {
        let now = clock.now()
        let present = displays.own.map(\.id)
        let (result, report, next, arrived) = state.withLock { state in
            if !state.isClockSet { state.isClockSet = clock.isSet(now.wall) }
            state.retry = state.retry.flatMap { $0 <= now.instant ? nil : $0 }
            let result = state.board.evaluate(at: now.wall, isClockSet: state.isClockSet, displays: present)
            defer { state.seen = Set(present) }
            return (result, state.board.report, state.deadline(at: now), present.filter { !state.seen.contains($0) })
        }
        let old = published.withLock { published in
            defer { published = report }
            return published
        }
        endEarlierLeases(except: result.actions, on: arrived)
        carryOut(result.actions)
        for record in result.records where record.schedule.name != isStored {
            store(record.schedule.name, record) {}
        }
        // Without a schedule there is nothing to report.
        let isNews = report != old && !(report.schedules.isEmpty && old.schedules.isEmpty)
        if isNews { poster.post(.schedules(report)) }
        return next
    }

    /// Evaluates outside the loop of `run`, which then sleeps until the next deadline.
    private func evaluateNow(isStored: ScheduleName? = nil) { timer.set(for: evaluate(isStored: isStored)) }

    private func carryOut(_ actions: [ScheduleBoard.Action]) {
        let now = clock.now()
        for action in actions {
            submit(action.command, action.display, now) { [weak self] result in
                guard case .begin(let schedule, let display) = action, case .failure(let error) = result else { return }
                guard error.isPassing else { return }
                self?.retry(schedule.name, on: display)
            }
        }
    }

    /// Ends the leases of schedules that an earlier run left and that are not in force now. The others go on.
    private func endEarlierLeases(except actions: [ScheduleBoard.Action], on arrived: [DisplayID]) {
        let now = clock.now()
        for id in arrived {
            for lease in displays.leases(of: id)?.all ?? [] where lease.isOfSchedule {
                let isInForce = actions.contains { action in
                    guard case .begin(let schedule, id) = action else { return false }
                    return schedule.holder == lease.holder && schedule.leaseKind == lease.kind
                }
                if isInForce { continue }
                var command = Command(.release(lease.id), by: lease.holder)
                command.channel = .schedule
                submit(command, id, now) { _ in }
            }
        }
    }

    private func retry(_ name: ScheduleName, on display: DisplayID) {
        let at = clock.now().instant + Self.retryInterval
        queue.enqueue { [self] in
            state.withLock { state in
                state.board.forget(name, on: display)
                state.retry = at
            }
            timer.set(for: at)
        }
    }

    private func store(_ name: ScheduleName, _ record: ScheduleRecord?, completion: @escaping @Sendable () -> Void) {
        guard let journal else { return completion() }
        journal.keep(name, record, completion: completion)
    }
}

extension ScheduleService.State {
    /// When to evaluate again; `nil` without schedules.
    fileprivate func deadline(at now: Moment) -> Instant? {
        if board.isEmpty { return nil }
        guard isClockSet else { return now.instant + ScheduleService.clockInterval }
        var sleep = ScheduleService.longestSleep
        if let change = board.nextBoundary {
            sleep = min(sleep, .milliseconds(max(change.milliseconds - now.wall.milliseconds, 1)))
        }
        return min(now.instant + sleep, retry ?? now.instant + sleep)
    }
}

extension Lease {
    fileprivate var isOfSchedule: Bool { principal == .daemon && (holder?.hasPrefix("schedule:") ?? false) }
}
