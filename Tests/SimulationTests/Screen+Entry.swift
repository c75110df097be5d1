// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension Screen {
    /// An event that changes the expected state once the daemon has reacted to it, in the daemon's order.
    struct Entry {
        enum Kind {
            case command(Command, number: Int)
            /// The daemon ends what is over.
            case tick
            /// A holder opened its first stream or closed its last.
            case presence(holder: String)
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
        /// Whether the command must succeed.
        var mustHold = false
        /// The holders with a stream when the entry's batch began.
        var present: Set<String> = []

        var isCommand: Bool { if case .command = kind { true } else { false } }
        var isFound: Bool {
            switch kind {
            case .found, .foundPower, .adoptedPower: true
            case .command, .tick, .presence: false
            }
        }
    }

    /// A possible earlier state, and the boot in which it may have been written.
    struct Past: Hashable {
        let expected: Expectation
        let boot: Int
        /// The baseline before an unanswered batch, which the panel may show still.
        var before: Expectation.Baseline?
    }
}
