// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

/// Keeps the displays of this machine at what the holders want. Any thread; works on a queue of its own, so that
/// changes of one display arrive in their order.
///
/// ```
///   notifications, time ──► Holder (what is wanted?) ──► HolderTable (what changed?) ──► DisplayService
///                             └──► NotificationHub, journal
/// ```
///
/// A display that refuses a wish is asked again: after `retryInterval`, or as soon as it is available if it was not.
/// An end is never refused.
package final class HolderService: Sendable {
    /// When a wish that a display has refused is carried out again.
    static let retryInterval: Duration = .seconds(30)

    package struct Clock: Sendable {
        let now: @Sendable () -> Moment
        /// Whether the wall clock can be trusted at this time.
        let isSet: @Sendable (Moment) -> Bool
        /// Posts that the machine has slept, if it has.
        let noticeSleep: @Sendable () -> Void

        package init(
            now: @escaping @Sendable () -> Moment,
            isSet: @escaping @Sendable (Moment) -> Bool,
            noticeSleep: @escaping @Sendable () -> Void = {}
        ) {
            self.now = now
            self.isSet = isSet
            self.noticeSleep = noticeSleep
        }
    }

    private let displays: DisplayService
    private let submit: DisplayService.Submission
    private let clock: Clock
    private let queue: any JobQueue
    private let journal: any RecordJournal
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let listener: Listener
    /// Only jobs of the queue hold it for long, so there is no contention.
    private let state: Mutex<State>
    private let timer = DeadlineTimer()

    /// Evaluates once.
    ///
    /// - Parameters:
    ///   - holders: At most one of each type.
    ///   - journal: Stores schedules and the location.
    ///   - submit: Takes the commands; the displays themselves by default.
    package init(
        _ displays: DisplayService,
        _ holders: [any Holder],
        journal: any RecordJournal,
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster,
        clock: Clock,
        submit: DisplayService.Submission? = nil
    ) {
        self.displays = displays
        self.submit = submit ?? displays.submit
        self.clock = clock
        self.queue = queue
        self.journal = journal
        self.source = source
        self.poster = poster
        // The health changes when a display becomes available.
        let kinds = holders.reduce(into: [.display, .health] as Set) { $0.formUnion(type(of: $1).kinds) }
        listener = source.listen(to: NotificationFilter(kinds, ofThisMachine: true)) { [timer] in timer.fire() }
        state = Mutex(State(holders: holders.map { ($0, Wanted()) }))
        // Before anybody can ask for the schedules. No job of the queue runs yet.
        timer.set(for: evaluate())
    }

    /// Evaluates in time and after notifications, until the task is cancelled.
    package func run<C: _Concurrency.Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        timer.fire()
        for await _ in timer.firings {
            timer.acknowledge()
            let next = await withCheckedContinuation { continuation in
                queue.enqueue { continuation.resume(returning: self.evaluate(onlyDue: true)) }
            }
            timer.arm(for: next, on: clock)
        }
    }

    /// Brings the displays to what the holders want now. A job of the queue.
    ///
    /// - Parameters:
    ///   - onlyDue: Leaves out holders without notifications before their next time.
    ///   - key: The record that the caller stores.
    /// - Returns: When to evaluate again.
    @discardableResult
    func evaluate(onlyDue: Bool = false, withoutStoring key: RecordKey? = nil) -> Instant? {
        clock.noticeSleep()
        let (notifications, now) = (listener.drain(), clock.now())
        let known = known
        let (actions, wanted, arrived, next) = state.withLock { state in
            let wasSet = state.isClockSet
            if !wasSet { state.isClockSet = clock.isSet(now) }
            let situation = Situation(now: now, isClockSet: state.isClockSet, displays: known)
            let onlyDue = onlyDue && state.isClockSet == wasSet
            let (wanted, differs) = state.evaluate(situation, notifications, onlyDue: onlyDue)
            func present(_ displays: [Situation.Display]) -> Set<DisplayID> {
                Set(displays.filter(\.isPresent).map(\.id))
            }
            let arrived = present(known).subtracting(present(state.known))
            var actions: [HolderTable.Action] = []
            // Not after every notification: a slider changes the state of a display many times a second.
            if differs || state.known != known || state.table.isOutdated(at: now.instant) {
                state.known = known
                actions = state.table.update(state.holders.flatMap(\.wanted.wishes), on: known, at: now.instant)
            }
            return (actions, wanted, arrived, state.nextDeadline)
        }
        for action in actions { execute(action, at: now) }
        for id in arrived { endEarlierLeases(on: id, at: now) }
        for record in wanted.flatMap(\.records) {
            let recordKey = RecordKey(type(of: record).kind, record.key)
            if recordKey != key { journal.store(record.json, recordKey) {} }
        }
        for new in wanted.flatMap(\.notifications) where source.retained(new.kind) != new { poster.post(new) }
        return next
    }

    private var known: [Situation.Display] {
        displays.store.allOwn.map { display in
            let state = display.state
            return Situation.Display(
                id: state.id,
                isPresent: display.isPresent,
                isAvailable: state.isAvailable,
                isDimmable: state.isDimmable,
                isSwitchable: state.power.isSwitchable,
                isInUse: LeaseKind.allCases.contains { kind in
                    kind.demandsLight && state.leases(of: kind).map { !$0.isOverridden } ?? false
                },
                baseline: state.baseline,
                changedAt: display.changedAt,
                setAt: display.setAt
            )
        }
    }

    package var scheduleReport: ScheduleReport {
        if case .schedules(let report)? = source.retained(.schedules) { return report }
        return ScheduleReport(schedules: [], isClockSet: false)
    }

    /// The location in force; `nil` if it is unknown.
    package var location: MachineLocation? { state.withLock { $0.schedules?.location } }

    /// Whether the daemon's options have a location.
    var hasDefaultLocation: Bool { state.withLock { $0.schedules?.hasDefaultLocation ?? false } }

    // MARK: Displays

    private func execute(_ action: HolderTable.Action, at now: Moment) {
        switch action {
        case .grant(let wish, let isNewEpisode):
            // A lease that a person has overridden in an earlier episode ends first, so that the new one has an effect.
            // After a start, only the dates show whether its episode is an earlier one.
            if let lease = overridden(wish), isNewEpisode ?? (lease.grantedAt < wish.episode) {
                submit(wish.endCommand, wish.display, now) { _ in }
            }
            request(wish, at: now)
        case .renew(let wish): request(wish, if: .held, at: now)
        case .regrant(let wish, let since), .set(let wish, let since):
            request(wish, if: .notChosen(since: since), at: now)
        case .end(let wish): end(wish, at: now)
        }
    }

    private func end(_ wish: Wish, at now: Moment) {
        submit(wish.endCommand, wish.display, now) { [weak self] result in
            guard let self, case .success(let success) = result else { return }
            let hadEffect = success.events.contains { $0.change == .released && !$0.lease.isOverridden }
            guard state.withLock({ $0.table.ended(wish, hadEffect: hadEffect) }) else { return }
            // The wish may not be suspended any more.
            timer.fire()
        }
    }

    private func request(_ wish: Wish, if condition: Command.Condition? = nil, at now: Moment) {
        guard var command = wish.command(at: now.instant) else { return }
        let schedule = wish.kind == nil ? state.withLock { $0.schedules?.schedule(of: wish.holder) } : nil
        command.condition = condition
        submit(command, wish.display, now) { [weak self] result in
            guard let self else { return }
            guard case .failure(let error) = result else {
                state.withLock { $0.table.accepted(wish) }
                if let schedule { wasSet(wish, of: schedule) }
                return
            }
            guard error.isPassing else { return }
            let isThere = displays.state(of: wish.display)?.isAvailable == true
            let retry = isThere ? now.instant + Self.retryInterval : nil
            let isFirst = state.withLock { $0.table.refused(wish, until: retry) }
            // A display that was not available may be by now.
            if let retry { timer.set(for: retry) } else { timer.fire() }
            if isFirst, case .panel(let error) = error, !error.isAbsence { poster.post(.failure(wish.display, error)) }
        }
    }

    /// Notes that a display has the baseline of a schedule, and stores that together with what other displays answer.
    private func wasSet(_ wish: Wish, of schedule: Schedule) {
        let isFirst = state.withLock { state in
            defer { state.unstored.formUnion(state.schedules?.wasSet(wish, of: schedule) ?? []) }
            return state.unstored.isEmpty
        }
        guard isFirst else { return }
        queue.enqueue { [self] in
            let records = state.withLock { state in
                defer { state.unstored = [] }
                return state.unstored.compactMap { state.schedules?.record($0) }
            }
            for record in records { journal.keep(record, under: record.schedule.name.text) {} }
        }
    }

    private func overridden(_ wish: Wish) -> Lease? {
        displays.leases(of: wish.display)?.all.first { lease in
            lease.principal == .daemon && lease.holder == wish.holder && lease.kind == wish.kind && lease.isOverridden
        }
    }

    /// Ends the leases that an earlier run left and that no holder wants now.
    private func endEarlierLeases(on id: DisplayID, at now: Moment) {
        for lease in displays.leases(of: id)?.all ?? [] where lease.isOfHolder {
            guard let holder = lease.holder else { continue }
            if state.withLock({ $0.table.holds(lease.kind, on: id, for: holder) }) { continue }
            submit(Command(.release(lease.id), by: holder, channel: .schedule), id, now) { _ in }
        }
    }

    // MARK: Clients

    /// Changes a schedule.
    ///
    /// - Parameters:
    ///   - isWanted: The condition of the change. Until that is carried out, `scheduleReport` stays the same.
    ///   - completion: Called once, after it was stored, with whether the schedule is a new one.
    package func edit(
        _ edit: Schedules.Edit,
        if isWanted: @escaping @Sendable () -> Bool = { true },
        completion: @escaping @Sendable (Result<Bool, Schedules.Failure>) -> Void
    ) {
        queue.enqueue { [self] in
            switch isWanted() ? state.withLock({ $0.apply(edit) }) : .failure(.changed) {
            case .success(let change):
                timer.set(for: evaluate(withoutStoring: RecordKey(ScheduleRecord.kind, change.name.text)))
                keepRecord(of: change.name) { completion(.success(change.isNew)) }
            case .failure(let failure): completion(.failure(failure))
            }
        }
    }

    /// Sets the location, which moves the times of sunrise and sunset.
    ///
    /// - Parameters:
    ///   - location: `nil` for that of the daemon's options.
    ///   - isWanted: The condition of the change. Until that is carried out, `location` stays the same.
    ///   - completion: Called once, after that was stored, with whether the condition held.
    package func setLocation(
        _ location: Location?,
        if isWanted: @escaping @Sendable () -> Bool = { true },
        completion: @escaping @Sendable (_ isWanted: Bool) -> Void
    ) {
        queue.enqueue { [self] in
            guard isWanted() else { return completion(false) }
            state.withLock { $0.schedules?.setLocation(location) }
            timer.set(for: evaluate())
            journal.keep(location, under: Location.machine) { completion(true) }
        }
    }

    /// Stores the record of a schedule, or removes it with the schedule.
    private func keepRecord(of name: ResourceName, completion: @escaping @Sendable () -> Void) {
        let record = state.withLock { $0.schedules?.record(name) }
        journal.keep(record, under: name.text, completion: completion)
    }

    /// Runs a job between the changes of clients.
    func enqueue(_ job: @escaping @Sendable () -> Void) { queue.enqueue(job) }

    /// Replaces all schedules, and the location. A job of the queue.
    ///
    /// - Parameters:
    ///   - new: `nil` keeps the schedules.
    ///   - location: `nil` keeps the location.
    ///   - completion: Called once, after that was stored.
    func replace(_ new: [Schedule]?, at location: Location??, completion: @escaping @Sendable () -> Void) {
        let changed = state.withLock { state -> [ResourceName] in
            guard var schedules = state.schedules else { return [] }
            if let location { schedules.setLocation(location) }
            let changed = new.map { schedules.replace(with: $0) } ?? []
            state.schedules = schedules
            for name in changed { state.table.redo(ReservedHolder.schedule(name.text)) }
            return changed
        }
        timer.set(for: evaluate())
        for name in changed { keepRecord(of: name) {} }
        let chosen = self.location.flatMap { $0.isChosen ? $0.location : nil }
        journal.keep(chosen, under: Location.machine, completion: completion)
    }
}

extension Lease {
    /// Whether a holder of the daemon has it without a time limit of its own.
    fileprivate var isOfHolder: Bool {
        principal == .daemon && lifespan == .lifetime && (holder.map(ReservedHolder.includes) ?? false)
    }
}

extension CommandError {
    /// Whether the same command may succeed later.
    fileprivate var isPassing: Bool {
        switch self {
        case .panel, .busy, .lease: true
        case .superseded, .unknownDisplay, .otherRevision, .outOfRange, .notDimmable, .notSwitchable, .stopping,
            .unreachable, .unanswered, .unsupported, .remote:
            false
        }
    }
}
