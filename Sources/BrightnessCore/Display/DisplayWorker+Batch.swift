// SPDX-License-Identifier: Apache-2.0

extension DisplayWorker {
    struct Job {
        let command: Command
        let at: Moment
        let completion: Completion
    }

    typealias Outcome = Result<[LeaseEvent], CommandError>

    /// Commands on their way, and how far they are.
    struct Batch {
        enum Stage {
            case new
            /// The panel has to show what the model says.
            case planned
            /// It does.
            case shown
            /// The panel refused a step: the commands that asked for more have failed, and the panel has to show what is left.
            case takenBack(DeviceError, step: Int?)
            /// It does, or will be tried again.
            case refused
        }

        let jobs: [Job]
        let now: Moment
        var stage = Stage.new
        /// What the jobs made of it.
        var model: DisplayModel
        /// Before they did, with the panel looked at.
        var seen: DisplayModel
        var applied: [(job: Job, outcome: Outcome)] = []

        init(jobs: [Job], now: Moment, model: DisplayModel) {
            self.jobs = jobs
            self.now = now
            self.model = model
            seen = model
        }
    }
}
