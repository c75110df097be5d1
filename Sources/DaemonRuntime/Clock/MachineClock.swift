// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The machine's clocks: the source of every `Moment`, and the clock by which tasks sleep.
struct MachineClock: Clock {
    private static let sleepers = Sleepers()

    let minimumResolution: Duration = .nanoseconds(1)

    var now: Instant {
        let time = Self.read(CLOCK_BOOTTIME)
        return Instant(sinceBoot: .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec))
    }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        if let sleepers = Self.sleepers { return try await sleepers.sleep(until: deadline) }
        // It uses the same system clock.
        try await ContinuousClock().sleep(for: deadline - now, tolerance: tolerance)
    }

    /// The current time.
    @Sendable static func moment() -> Moment {
        let wall = read(CLOCK_REALTIME)
        let milliseconds = Int64(wall.tv_sec) * 1_000 + Int64(wall.tv_nsec) / 1_000_000
        return Moment(instant: MachineClock().now, wall: Timestamp(milliseconds: milliseconds))
    }

    /// How long the machine has slept since it was started.
    @Sendable static func slept() -> Duration {
        let (all, awake) = (read(CLOCK_BOOTTIME), read(CLOCK_MONOTONIC))
        return .seconds(all.tv_sec - awake.tv_sec) + .nanoseconds(all.tv_nsec - awake.tv_nsec)
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
