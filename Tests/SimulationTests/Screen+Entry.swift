// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Screen {
    /// An event that changes the expected state once the daemon has reacted to it, in the daemon's order.
    struct Entry {
        enum Kind {
            case command(Command, number: Int)
            /// The daemon ends what is over.
            case tick
            /// The daemon compares its leases with the holders' streams.
            case presence
            /// The daemon read the panel and found a step set by others in place of the one that it showed, or that it
            /// may have shown after failed writes; `nil` at a start.
            case found(Int, from: [Int]?, wins: Bool)
            /// The daemon read that others have switched the panel.
            case foundPower(Bool)
            /// The start has found that others have switched the panel.
            case adoptedPower
        }

        var kind: Kind
        var at: Int
        var wall = 0
        /// The values of `faults` and `sleeps` at the time of the command.
        var faults = 0
        var sleeps = 0
        /// A person who has chosen otherwise later than this has priority over the command.
        var unlessChosenSince: Int?
        /// Whether the command must succeed.
        var mustHold = false
        /// The holders that had streams in this run, when the entry's batch began.
        var present: [String: Expectation.Presence] = [:]

        var isCommand: Bool { if case .command = kind { true } else { false } }

        func isCommand(number wanted: Int) -> Bool {
            if case .command(_, let number) = kind { number == wanted } else { false }
        }

        /// Whether it is a command of a schedule, of `idle` or of `presence`.
        var isOfHolder: Bool {
            guard case .command(let command, _) = kind else { return false }
            return [.schedule, .idle, .presence].contains(command.channel)
        }

        /// Whether it is a client's command, which a full queue rejects.
        var isOfClient: Bool { if case .command(let command, _) = kind { command.requester != nil } else { false } }

        func isFound(at wanted: Int) -> Bool { if case .found(wanted, _, _) = kind { true } else { false } }

        var isFound: Bool {
            switch kind {
            case .found, .foundPower, .adoptedPower: true
            case .command, .tick, .presence: false
            }
        }
    }

    /// A possible earlier state, and the boot in which it may have been written.
    struct Past: Hashable {
        var expected: Expectation
        let boot: Int
        /// The baseline before an unanswered batch, which the panel may show still.
        var before: Expectation.Baseline?
        /// The step of the last run's leases, some of which end with it.
        var leased: Int?
    }
}
