// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Carries out the commands for one display, in order, on the panel's queue.
///
/// Everything that waits is taken as one batch: applied to a copy of the model, brought to the panel with at most one
/// write, then published. So a slow panel is never behind by more than one write, and a write that fails leaves the
/// model as it was.
final class DisplayWorker: Sendable {
    typealias Completion = @Sendable (Result<Answer, CommandError>) -> Void

    private struct Job {
        let command: Command
        let at: Moment
        let completion: Completion
    }

    private typealias Outcome = Result<[LeaseEvent], CommandError>

    private enum Start {
        case runs, queued, refused
    }

    /// How many commands wait for a panel that hangs; more are refused.
    static let patience = 1_024

    private struct State {
        var waiting: [Job] = []
        var isRunning = false
        /// Replaced only by `run`, of which there is one at a time.
        var model: DisplayModel
    }

    private let panel: any Panel
    private let queue: any PanelQueue
    private let ledger: StateLedger
    private let poster: NotificationPoster
    private let makeLeaseID: @Sendable () -> LeaseID
    private let presence: HolderPresence
    private let state: Mutex<State>

    init(
        _ seat: DisplayService.Seat,
        model: DisplayModel,
        ledger: StateLedger,
        poster: NotificationPoster,
        presence: HolderPresence,
        makeLeaseID: @escaping @Sendable () -> LeaseID
    ) {
        self.presence = presence
        panel = seat.panel
        queue = seat.queue
        self.ledger = ledger
        self.poster = poster
        self.makeLeaseID = makeLeaseID
        state = Mutex(State(model: model))
    }

    /// `completion` is called once: on this thread, the queue's, or another that is carrying out commands already.
    func submit(_ command: Command, at now: Moment, completion: @escaping Completion) {
        let start: Start = state.withLock { state in
            guard state.waiting.count < Self.patience else { return .refused }
            state.waiting.append(Job(command: command, at: now, completion: completion))
            defer { state.isRunning = true }
            return state.isRunning ? .queued : .runs
        }
        switch start {
        case .runs: queue.enqueue { self.run() }
        case .queued: break
        case .refused: completion(.failure(.busy))
        }
    }

    private func run() {
        while let (batch, model) = nextBatch() { carryOut(batch, on: model) }
    }

    private func nextBatch() -> (batch: [Job], model: DisplayModel)? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isRunning = false
                return nil
            }
            defer { state.waiting = [] }
            return (state.waiting, state.model)
        }
    }

    private func carryOut(_ batch: [Job], on current: DisplayModel) {
        guard let now = batch.map(\.at).max(by: { $0.instant < $1.instant }) else { return }
        var seen = current
        look(for: batch, &seen, at: now)

        var model = seen
        var applied = apply(batch, to: &model)
        do {
            try write(isDemanded: applied.contains { $0.job.command.isDemand && $0.outcome.isSuccess }, &model, at: now)
        } catch {
            // Whoever asked for more gets the error and has changed nothing; what was given up stays given up.
            let refused = model.target
            model = seen
            applied = apply(batch, to: &model, refusing: error)
            if error.leavesDoubt { model.doubt(refused) }
            putRight(&model, after: error, refusing: refused, at: now)
            poster.post(.failure(model.id, error))
        }

        let published = ledger.commit(model, applied.flatMap { (try? $0.outcome.get()) ?? [] })
        state.withLock { $0.model = model }
        for (job, outcome) in applied {
            job.completion(outcome.map { Answer(state: published, events: $0) })
        }
    }

    /// Applies jobs in order, each at its own time: a lease that was over by then is over, whether or not anybody has
    /// said so yet.
    ///
    /// - Parameter error: Why demands fail that would succeed otherwise.
    private func apply(
        _ batch: [Job],
        to model: inout DisplayModel,
        refusing error: DeviceError? = nil
    ) -> [(job: Job, outcome: Outcome)] {
        var applied: [(job: Job, outcome: Outcome)] = []
        for job in batch {
            if model.hasOverdueLease(at: job.at.instant), !job.command.isTick {
                let tick = Job(command: Command(.tick), at: job.at) { _ in }
                applied.append((tick, apply(tick, to: &model)))
            }
            if let error, job.command.isDemand {
                var vain = model
                applied.append((job, apply(job, to: &vain).flatMap { _ in .failure(.panel(error)) }))
            } else {
                applied.append((job, apply(job, to: &model)))
            }
        }
        return applied
    }

    private func apply(_ job: Job, to model: inout DisplayModel) -> Outcome {
        Outcome { () throws(CommandError) in
            if let wanted = job.command.onlyAt, let published = ledger[model.id]?.state,
                !wanted.contains(published.revision) || model.differs(from: published)
            {
                throw .otherRevision
            }
            return try model.apply(
                job.command,
                leaseID: makeLeaseID,
                isPresent: { presence.isPresent($0) },
                at: job.at
            )
        }
    }

    /// Reads the panel where that is cheap, asked for, or the way to find out whether it is back.
    private func look(for batch: [Job], _ model: inout DisplayModel, at now: Moment) {
        let isAsked = batch.contains(where: \.command.isRefresh)
        guard panel.isCheapToRead || isAsked || model.isDue(at: now.instant) else { return }
        do {
            model.observe(try panel.read(), at: now)
        } catch {
            if model.trouble == nil { poster.post(.failure(model.id, error)) }
            if model.trouble?.kind != .gone || model.isDue(at: now.instant) { model.failed(.gone, at: now) }
        }
    }

    /// After a failed write: what the panel should show after all is tried at once if it is something else, and later
    /// again if need be.
    private func putRight(
        _ model: inout DisplayModel,
        after error: DeviceError,
        refusing refused: Int,
        at now: Moment
    ) {
        if case .absent = error { return model.failed(.gone, at: now) }
        guard model.owes else { return }
        guard model.target != refused else { return model.failed(.refusing, at: now) }
        do {
            try write(model.target, &model, at: now)
        } catch {
            model.failed(.refusing, at: now)
        }
    }

    /// Writes what the panel is owed. One that is in trouble is left alone until it is due or somebody asks for more.
    private func write(isDemanded: Bool, _ model: inout DisplayModel, at now: Moment) throws(DeviceError) {
        guard model.owes || isDemanded && model.trouble != nil else { return }
        guard isDemanded || model.trouble == nil || model.isDue(at: now.instant) else { return }
        try write(model.target, &model, at: now)
    }

    private func write(_ step: Int, _ model: inout DisplayModel, at now: Moment) throws(DeviceError) {
        try panel.write(step)
        model.wrote(step, echo: panel.isCheapToRead ? try? panel.read() : nil, at: now)
    }
}

extension Result {
    fileprivate var isSuccess: Bool { if case .success = self { true } else { false } }
}
