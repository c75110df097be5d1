// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

extension Moment {
    /// The start of tests: two hours after the machine's start, at 2026-11-21T06:00:00.123Z by the wall clock.
    package static let start = Moment(
        instant: Instant(sinceBoot: .seconds(7_200)),
        wall: Timestamp(milliseconds: 1_795_240_800_123)
    )

    /// This much later than `start`.
    package static func after(_ duration: Duration) -> Moment { start + duration }
}

/// The time that a test sets, for code that reads a clock.
package final class ManualTime: Sendable {
    private let moment = Mutex(Moment.start)

    package init() {}

    package var now: Moment { moment.withLock { $0 } }

    package func advance(by duration: Duration) { moment.withLock { $0 = $0 + duration } }
}
