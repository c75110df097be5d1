// SPDX-License-Identifier: Apache-2.0

extension DisplayWorker {
    /// A class, because a command is large and waits, is applied and is answered.
    final class Job: Sendable {
        let command: Command
        let at: Moment
        let completion: Completion

        init(command: Command, at: Moment, completion: @escaping Completion) {
            (self.command, self.at, self.completion) = (command, at, completion)
        }

        /// Whether it asks for something that no part of the daemon wants by itself.
        var isOfClient: Bool { command.isDemand && !command.channel.isOfHolder }
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
        var presenceEvents: [LeaseEvent] = []
        var applied: [(job: Job, outcome: Outcome)] = []
        /// Whether the record is stored between the write and the answers.
        var isKeptLater = false

        init(jobs: [Job], now: Moment) { (self.jobs, self.now) = (jobs, now) }
    }
}
