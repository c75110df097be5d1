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
    private let state: Mutex<State>

    init(
        _ seat: DisplayService.Seat,
        model: DisplayModel,
        ledger: StateLedger,
        poster: NotificationPoster,
        makeLeaseID: @escaping @Sendable () -> LeaseID
    ) {
        panel = seat.panel
        queue = seat.queue
        self.ledger = ledger
        self.poster = poster
        self.makeLeaseID = makeLeaseID
        state = Mutex(State(model: model))
    }

    /// `completion` is called once, on this thread or the queue's.
    func submit(_ command: Command, at now: Moment, completion: @escaping Completion) {
        let starts = state.withLock { state in
            state.waiting.append(Job(command: command, at: now, completion: completion))
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if starts { queue.enqueue { self.run() } }
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
        var outcomes = batch.map { apply($0, to: &model) }
        do {
            try write(for: batch, &model, at: now)
        } catch {
            // Whoever asked for more gets the error and has changed nothing; what was given up stays given up.
            model = seen
            outcomes = batch.map { $0.command.isDemand ? .failure(.panel(error)) : apply($0, to: &model) }
            if model.target != model.shown { model.failed(.refusing, at: now) }
            poster.post(.failure(model.id, error))
        }

        let published = ledger.commit(model, outcomes.flatMap { (try? $0.get()) ?? [] })
        state.withLock { $0.model = model }
        for (job, outcome) in zip(batch, outcomes) {
            job.completion(outcome.map { Answer(state: published, events: $0) })
        }
    }

    private func apply(_ job: Job, to model: inout DisplayModel) -> Outcome {
        Outcome { () throws(CommandError) in
            if let wanted = job.command.onlyAt, let published = ledger[model.id]?.state,
                !wanted.contains(published.revision) || model.differs(from: published)
            {
                throw .otherRevision
            }
            return try model.apply(job.command, leaseID: makeLeaseID, at: job.at)
        }
    }

    /// Reads the panel where that is cheap, asked for, or the way to find out whether it is back.
    private func look(for batch: [Job], _ model: inout DisplayModel, at now: Moment) {
        let isAsked = batch.contains { if case .refresh = $0.command.action { true } else { false } }
        guard panel.isCheapToRead || isAsked || model.isDue(at: now.instant) else { return }
        do {
            model.observe(try panel.read(), at: now)
        } catch {
            if model.trouble == nil { poster.post(.failure(model.id, error)) }
            if model.trouble == nil || model.isDue(at: now.instant) { model.failed(.gone, at: now) }
        }
    }

    /// Writes what the panel is owed. One that is in trouble is left alone until it is due or somebody asks for more.
    private func write(for batch: [Job], _ model: inout DisplayModel, at now: Moment) throws(DeviceError) {
        let isDemanded = batch.contains(where: \.command.isDemand)
        guard model.target != model.shown || isDemanded && model.trouble != nil else { return }
        guard isDemanded || model.trouble == nil || model.isDue(at: now.instant) else { return }
        try panel.write(model.target)
        model.wrote(model.target, at: now)
    }
}
