// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Executes one display's commands in order on its panel's queue.
///
/// All waiting commands form one batch, which passes through stages:
///
/// | stage | work | next stage |
/// | --- | --- | --- |
/// | `new` | read the panel, keep a copy of the model, execute the commands | `planned` |
/// | `planned` | at most one write | `resolved`; `rejected` if it fails; `planned` if others set the panel |
/// | `rejected` | write the step without the demands | `corrected`; `planned` if others set the panel |
/// | `resolved`, `corrected` | publish and answer | none |
///
/// A record that has changed is stored between two stages; one that raises a panel before the write. The journal does
/// not block the queue: the batch continues in the journal's callback, and new commands form the next batch. A slow
/// panel lags by at most one write. A failed write leaves the model unchanged.
final class DisplayWorker: Sendable {
    package typealias Completion = DisplayService.Completion

    private struct State {
        var waiting: [Job] = []
        /// The number of clients' commands in `waiting`.
        var clients = 0
        /// The chores in `waiting`, at most one of each.
        var chores: Set<Chore> = []
        var isRunning = false
        /// The error of later commands, once the last one is in `waiting` or was executed.
        var refusal: CommandError?
        var isEnding: Bool { refusal != nil }
        var persistence: PersistencePolicy

        /// Returns whether the caller must run it.
        mutating func add(_ job: Job) -> Bool {
            waiting.append(job)
            defer { isRunning = true }
            return !isRunning
        }

        /// Removes the waiting commands that have no effect before this one.
        mutating func removeAll(supersededBy command: Command) -> [Job] {
            guard command.requester == nil, command.channel.isOfDaemonHolder else { return [] }
            let superseded = waiting.filter { command.supersedes($0.command) }
            if !superseded.isEmpty { waiting.removeAll { command.supersedes($0.command) } }
            return superseded
        }

        mutating func takeAll() -> [Job] {
            defer { (waiting, clients, chores) = ([], 0, []) }
            return waiting
        }
    }

    /// The display's model, in an object so that no stage of a batch copies it.
    private final class Current: @unchecked Sendable {  // Used by `run`, once at a time, or inside the lock of `state`
        var model: DisplayModel
        /// The model after the panel was read, and before the jobs of the newest batch: for their second execution.
        var beforeJobs: DisplayModel

        init(_ model: DisplayModel) { (self.model, beforeJobs) = (model, model) }
    }

    let panel: any Panel
    private let comesAndGoes: Bool
    private let queue: any JobQueue
    let dependencies: Dependencies
    private let state: Mutex<State>
    private let current: Current
    let writesDone = Atomic(0)
    let writesFailed = Atomic(0)
    /// Whether a device that keeps another step than the written one was reported.
    let isLimitReported = Atomic(false)

    init(
        _ registration: DisplayService.PanelRegistration,
        model: DisplayModel,
        in dependencies: Dependencies,
        goingOnFrom earlier: RecoveredRecord?,
        isEarlierKnown: Bool
    ) {
        panel = registration.panel
        comesAndGoes = registration.comesAndGoes
        queue = registration.queue
        self.dependencies = dependencies
        current = Current(model)
        state = Mutex(
            State(
                persistence: PersistencePolicy(
                    goingOnFrom: earlier,
                    orUnread: isEarlierKnown ? nil : model.record,
                    keepsStepWithoutPower: registration.panel.keepsStepWithoutPower
                )
            )
        )
    }

    var writes: (done: Int, failed: Int) {
        (writesDone.load(ordering: .relaxed), writesFailed.load(ordering: .relaxed))
    }

    /// Whether it has `visible` leases, or executes commands that may grant some.
    var mayHaveVisibleLeases: Bool { state.withLock { $0.isRunning || current.model.leases.hasVisible } }

    /// The newest record for the journal; `nil` if there is none.
    var lastRecord: DisplayRecord? { state.withLock { $0.persistence.submitted?.record } }

    /// Pings the queue: `completion` is called after all jobs that wait now.
    func echo(completion: @escaping @Sendable () -> Void) { queue.enqueue(completion) }

    /// Executes a command. `completion` is called once: on this thread, the queue's, or one that executes a batch
    /// already.
    ///
    /// - Parameter turn: Begins with the commands that wait then; `nil` to begin at once.
    func submit(_ command: Command, at now: Moment, in turn: CommandTurn? = nil, completion: @escaping Completion) {
        var superseded: [Job] = []
        var refusal: CommandError?
        let mustRun = state.withLock { state in
            let isFull = command.requester != nil && state.clients >= dependencies.queueLimit
            refusal = state.refusal ?? (isFull ? .busy : nil)
            if refusal != nil { return false }
            if command.requester != nil { state.clients += 1 }
            superseded = state.removeAll(supersededBy: command)
            return state.add(Job(command: command, at: now, completion: completion))
        }
        for job in superseded { job.completion(.failure(.superseded)) }
        if let refusal { return completion(.failure(refusal)) }
        guard mustRun else { return }
        if let turn { turn.begin { self.queue.enqueue { self.run() } } } else { queue.enqueue { self.run() } }
    }

    /// Submits the last command.
    ///
    /// - Parameter refusal: The error of later ones.
    func submitLast(
        _ command: Command,
        rejectingLater refusal: CommandError = .stopping,
        at now: Moment,
        completion: @escaping Completion
    ) {
        let mustRun = state.withLock { state in
            state.refusal = refusal
            return state.add(Job(command: command, at: now, completion: completion))
        }
        if mustRun { queue.enqueue { self.run() } }
    }

    /// Executes a chore. One covers everything since, so at most one waits, and it is never rejected. A hanging panel
    /// collects none; its work is done when it is back.
    func perform(_ chore: Chore, at now: Moment) {
        let mustRun = state.withLock { state in
            if state.isEnding { return false }
            if !state.chores.insert(chore).inserted {
                guard chore == .clockSet else { return false }
                // The newest time is the right one.
                state.waiting.removeAll { $0.command.chore == .clockSet }
            }
            return state.add(Job(command: chore.command, at: now) { _ in })
        }
        if mustRun { queue.enqueue { self.run() } }
    }

    /// Executes batches until none waits, starting with `begun` if there is one.
    private func run(goingOnWith begun: Batch? = nil) {
        var begun = begun
        while let batch = begun.take() ?? nextBatch() {
            if advance(batch, &current.model) { continue }
            if let kept = submitRecord(of: &current.model, in: batch) {
                let isDarkened = current.model.isSwitchPending && !current.model.powerTarget
                if kept.record.leases.isEmpty, !isDarkened, state.withLock({ $0.isEnding }) {
                    // At the end a lit panel returns to its baseline without waiting for the disk.
                    keep(kept) {}
                } else {
                    // Back on the panel's queue: the callback runs on the journal's thread.
                    return keep(kept) { self.queue.enqueue { self.run(goingOnWith: batch) } }
                }
            }
            begun = batch
        }
    }

    /// Advances a batch by one stage.
    ///
    /// - Returns: Whether the batch is finished. If it is not, a record may have to be stored next.
    private func advance(_ batch: Batch, _ model: inout DisplayModel) -> Bool {
        switch batch.stage {
        case .new: plan(batch, &model)
        case .planned:
            bringToPanel(batch, &model)
            // No record has to be stored first: one that only removes the mark of a raised panel needs no wait.
            let answersAtOnce = if case .resolved = batch.stage { !batch.storesAfterWrite } else { false }
            if answersAtOnce { publish(batch, &model) }
            return answersAtOnce
        case .rejected(let error, let step):
            let isOvertaken = correct(&model, after: error, refusing: step, at: batch.now)
            batch.stage = isOvertaken ? .planned : .corrected
        case .resolved, .corrected:
            publish(batch, &model)
            return true
        }
        return false
    }

    /// Submits the model's record. Returns it if it is to be kept now. If it needs no wait, the journal gets it; if it
    /// waits for the write, the batch notes that. A display that was replaced has none: the record is the other one's.
    ///
    /// - Parameter model: Not changed; `inout` avoids a copy.
    private func submitRecord(
        of model: inout DisplayModel,
        in batch: Batch
    ) -> (record: DisplayRecord, danger: Danger)? {
        guard let journal = dependencies.journal else { return nil }
        let record = model.record
        let isUnderWay = model.transition != nil
        // A slow panel may hang: a client may get its answer before the write.
        let isBeforeWrite = if case .planned = batch.stage { panel.isCheapToRead } else { false }
        let urgency = state.withLock {
            $0.persistence.accept(record, isUnderWay: isUnderWay, isBeforeWrite: isBeforeWrite)
        }
        batch.storesAfterWrite = urgency == .afterWrite
        guard urgency != .none, dependencies.store.owner(of: model.id)?.worker === self else { return nil }
        switch urgency {
        case .beforeWrite: return (record, .crash)
        case .beforeWriteForPowerCut: return (record, .powerCut)
        case .soon: journal.keepSoon(record)
        case .afterWrite, .none: break
        }
        return nil
    }

    /// - Parameter completion: Called after the record is stored.
    private func keep(
        _ kept: (record: DisplayRecord, danger: Danger),
        completion: @escaping @Sendable () -> Void
    ) {
        let record = kept.record
        dependencies.journal?.keep(record, safeFrom: kept.danger) {
            self.state.withLock { $0.persistence.markStored(record) }
            completion()
        }
    }

    private func nextBatch() -> Batch? {
        panel.awaitWriteInterval()
        let clockTime = dependencies.now?()
        return state.withLock { state -> Batch? in
            guard var newest = state.waiting.first?.at else {
                state.isRunning = false
                return nil
            }
            for job in state.waiting where job.at.instant > newest.instant { newest = job.at }
            // Commands may have waited for the panel.
            let now = if let clockTime, clockTime.instant > newest.instant { clockTime } else { newest }
            // After the last command there is no later time for a switch or write.
            if state.isEnding { current.model.skipPauses() }
            return Batch(jobs: state.takeAll(), now: now)
        }
    }

    /// Reads the panel and the holders' streams, and executes the jobs on the model. Keeps a copy from before them.
    private func plan(_ batch: Batch, _ model: inout DisplayModel) {
        if model.automatic.isEnabled || batch.jobs.contains(where: \.command.setsAutomatic) {
            (model.light, model.lacksLight) = dependencies.light()
        }
        readPanel(for: batch.jobs, &model, at: batch.now)
        if model.leases.hasVisible {
            let holders = dependencies.holders
            let version = holders.version
            let changed = model.leases.updateGracePeriods(by: holders.connectivity, version: version, at: batch.now)
            batch.connectivityEvents = changed.map { LeaseEvent($0, .renewed) }
        }
        current.beforeJobs = model
        batch.executed = execute(batch.jobs, on: &model, at: batch.now)
        batch.stage = .planned
    }

    private func bringToPanel(_ batch: Batch, _ model: inout DisplayModel) {
        let isDemanded = batch.executed.contains { $0.job.command.isDemand && $0.outcome.isSuccess }
        // `nil` if the panel rejected the demand before a write.
        var written: Int?
        let switchesFirst = model.needsSwitch(at: batch.now.instant)
        do throws(DeviceError) {
            if isDemanded, model.wearsPanel(at: batch.now.instant), let refusal = panel.demandRefusal {
                throw refusal
            }
            written = model.step(at: batch.now.instant)
            // A change by others right after the write is stored before any command is answered.
            let isOvertaken = try switchAndWrite(isDemanded: isDemanded, &model, at: batch.now)
            batch.stage = isOvertaken ? .planned : .resolved
        } catch .asleep {
            // The command succeeds; the panel is written when it is awake.
            if model.fault?.kind != .gone { model.failed(.gone, cause: .external, at: batch.now) }
            batch.stage = .resolved
        } catch .abandoned(_, step: _?) {
            // The command was accepted while the client was there, and its request may have been answered.
            batch.stage = .resolved
            guard model.fault?.kind != .gone else { return }
            let isOn = panel.readPower()
            if let step = try? panel.read() {
                // A person has set something at the client before that left, which is stored before any answer.
                model.observe(step, isOn: isOn, at: batch.now)
                batch.stage = .planned
            }
            model.failed(.gone, isAbandoned: true, at: batch.now)
        } catch {
            if panel.hasParts, switchesFirst, !model.isSwitchPending, !model.power.isDark {
                // A monitor that has just got its power from the other device of its pair answers later.
                dependencies.poster.post(.failure(model.id, error))
                batch.stage = .resolved
                return noteUnwritten(&model, after: error, at: batch.now)
            }
            // Demands fail and change nothing. Releases stay in force.
            let refused = model
            model = current.beforeJobs
            batch.executed = execute(batch.jobs, on: &model, at: batch.now, refusing: error)
            model.learnPower(from: refused, at: batch.now)
            // After a switch that fails, no brightness was written.
            if error.mayHaveTakenEffect, !(switchesFirst && refused.isSwitchPending) {
                model.markUnconfirmed(targetOf: refused, at: batch.now)
            }
            // A holder reports the first refusal of each of its wishes.
            let demands = batch.jobs.map(\.command).filter(\.isDemand)
            if demands.isEmpty || demands.contains(where: { !$0.channel.isOfDaemonHolder }) {
                dependencies.poster.post(.failure(model.id, error))
            }
            batch.stage = .rejected(error, step: written)
        }
    }

    private func publish(_ batch: Batch, _ model: inout DisplayModel) {
        model.writes = panel.writes
        model.device = panel.deviceRecord
        model.isPowerKnown = panel.isPowerKnown
        var events = batch.connectivityEvents
        var isActivity = false
        for (job, outcome) in batch.executed {
            guard case .success(let changes) = outcome else { continue }
            events += changes
            isActivity = isActivity || job.command.isActivity(with: changes)
        }
        let isPresent = !(comesAndGoes && model.isUnplugged)
        let published = dependencies.store.commit(&model, events, by: self, isPresent: isPresent)
        // A restored panel loses its mark; no command waits for that.
        if let record = submitRecord(of: &model, in: batch) { keep(record) {} }
        dependencies.timer.set(for: published?.deadline)
        if isActivity, published != nil { dependencies.poster.post(.activity) }
        for (job, outcome) in batch.executed {
            job.completion(
                outcome.flatMap { events in
                    // The display was withdrawn during the batch.
                    published.map { .success(CommandSuccess(state: $0.state, events: events)) }
                        ?? .failure(.unknownDisplay)
                }
            )
        }
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
