// SPDX-License-Identifier: Apache-2.0

/// The commands that a display executes together.
extension DisplayWorker {
    /// A command and its completion. A class, because a command is large and passes through several lists.
    final class Job: Sendable {
        let command: Command
        let at: Moment
        let completion: Completion

        init(command: Command, at: Moment, completion: @escaping Completion) {
            (self.command, self.at, self.completion) = (command, at, completion)
        }
    }

    typealias Outcome = Result<[LeaseEvent], CommandError>

    /// The commands that are executed together, and their progress.
    final class Batch: @unchecked Sendable {  // Only the worker's `run` uses it, which runs once at a time.
        enum Stage {
            case new
            /// The panel needs to be written.
            case planned
            /// The panel shows the model's step, or gets it later: once it is awake, or its client is back.
            case resolved
            /// The panel rejected a step. The demands have failed; the step of the remaining commands needs to be
            /// written.
            case rejected(DeviceError, step: Int?)
            /// The remaining step was written, or is retried later.
            case corrected
        }

        let jobs: [Job]
        let now: Moment
        var stage = Stage.new
        /// The leases that changed because their holders came or went.
        var connectivityEvents: [LeaseEvent] = []
        var executed: [(job: Job, outcome: Outcome)] = []
        /// Whether the record is stored after the write, and before the results are reported.
        var storesAfterWrite = false

        init(jobs: [Job], now: Moment) { (self.jobs, self.now) = (jobs, now) }
    }

    /// Executes jobs in order, each at its own time. A lease that had expired by then is ended first. What has expired
    /// by the time of the batch is ended last: the panel does not show a lease that is over.
    ///
    /// - Parameter error: The error of demands that would succeed otherwise.
    func execute(
        _ jobs: [Job],
        on model: inout DisplayModel,
        at now: Moment,
        refusing error: DeviceError? = nil
    ) -> [(job: Job, outcome: Outcome)] {
        var executed: [(job: Job, outcome: Outcome)] = []
        for job in jobs {
            if job.command.chore != .tick { executed += expire(&model, at: job.at) }
            if let error, job.command.isDemand {
                var rejected = model
                executed.append((job, execute(job, on: &rejected).flatMap { _ in .failure(.panel(error)) }))
            } else {
                executed.append((job, execute(job, on: &model)))
            }
        }
        executed += expire(&model, at: now)
        return executed
    }

    private func expire(_ model: inout DisplayModel, at now: Moment) -> [(job: Job, outcome: Outcome)] {
        guard model.isOverdue(at: now.instant) else { return [] }
        let tick = Job(command: Command(.tick), at: now) { _ in }
        return [(tick, execute(tick, on: &model))]
    }

    private func execute(_ job: Job, on model: inout DisplayModel) -> Outcome {
        Outcome { () throws(CommandError) in
            // The ambient light must not wear a panel that has used up its write budget.
            if job.command.chore == .follow, panel.demandRefusal != nil { return [] }
            if let wanted = job.command.onlyAt, let published = dependencies.store[model.id]?.state,
                !wanted.contains(published.revision) || model.differs(from: published.properties)
            {
                throw .otherRevision
            }
            if job.command.followers.isEmpty { return try execute(job.command, at: job.at, on: &model) }
            // If one of them fails, those before it change nothing either.
            var changed = model
            var events = try execute(job.command, at: job.at, on: &changed)
            for follower in job.command.followerCommands { events += try execute(follower, at: job.at, on: &changed) }
            model = changed
            return events
        }
    }

    private func execute(
        _ command: Command,
        at now: Moment,
        on model: inout DisplayModel
    ) throws(CommandError) -> [LeaseEvent] {
        try model.execute(
            command,
            leaseID: dependencies.makeLeaseID,
            connectivity: dependencies.holders.connectivity,
            at: now
        )
    }
}
