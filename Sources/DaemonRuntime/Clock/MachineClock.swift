// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import Support

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
        // Without a descriptor for a timer. `ContinuousClock` uses the same system clock.
        try await ContinuousClock().sleep(for: deadline - now, tolerance: tolerance)
    }

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

/// The time zone of this process, by glibc. It is that of the last `tzset`.
struct LocalTime: TimeZoneRules {
    func offset(at second: Int64) -> Int64 {
        var time = time_t(second)
        var local = tm()
        guard localtime_r(&time, &local) != nil else { return 0 }
        return Int64(local.tm_gmtoff)
    }

    /// Makes `name` the time zone of this process. Call it before there are other threads.
    static func use(_ name: String) { setenv("TZ", name == "UTC" ? "UTC0" : ":\(name)", 1) }

    /// Whether the system knows a time zone, such as `Europe/Berlin`.
    static func exists(_ name: String) -> Bool {
        let isName = name.utf8.allSatisfy { $0.isLetterOrDigit || "/_+-".utf8.contains($0) }
        guard isName, let first = name.first, first.isLetter else { return false }
        if name == "UTC" { return true }
        let directory = getenv("TZDIR").map { String(cString: $0) } ?? "/usr/share/zoneinfo"
        return (try? RegularFile.read("\(directory)/\(name)", upTo: 1))?.bytes.starts(with: "TZif".utf8) ?? false
    }
}
