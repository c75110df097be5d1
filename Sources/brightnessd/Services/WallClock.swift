// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The machine's clocks: where every `Moment` of the daemon comes from.
enum WallClock {
    @Sendable static func now() -> Moment {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let milliseconds = Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
        return Moment(instant: .now, wall: Timestamp(milliseconds: milliseconds))
    }
}
