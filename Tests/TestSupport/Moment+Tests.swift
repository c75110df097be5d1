// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

extension Moment {
    /// The start of tests: two hours after the machine's start, at 2026-11-21T06:00:00.123Z by the wall clock.
    package static let start = Moment(
        instant: Instant(sinceBoot: .seconds(7_200)),
        wall: Timestamp(milliseconds: 1_795_240_800_123)
    )

    /// This much later than `start`.
    package static func after(_ duration: Duration) -> Moment { start + duration }
}
