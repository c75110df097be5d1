// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A time of a shard's loop: nanoseconds since the machine's start, including suspend.
///
/// A loop that turns for every request cannot afford the 128-bit arithmetic of `ContinuousClock.Instant`, which counts
/// the same time.
struct LoopTime: Comparable, Sendable {
    let nanoseconds: Int64

    init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

    static var now: LoopTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return LoopTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    static func + (time: LoopTime, duration: Duration) -> LoopTime {
        let (seconds, attoseconds) = duration.components
        return LoopTime(nanoseconds: time.nanoseconds + seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }

    func after(milliseconds: Int64) -> LoopTime { LoopTime(nanoseconds: nanoseconds + milliseconds * 1_000_000) }

    static func - (time: LoopTime, earlier: LoopTime) -> Duration {
        .nanoseconds(time.nanoseconds - earlier.nanoseconds)
    }

    /// Returns whole seconds.
    func seconds(since earlier: LoopTime) -> UInt32 { UInt32((nanoseconds - earlier.nanoseconds) / 1_000_000_000) }

    /// Returns the milliseconds until this time, rounded up; 0 if it has passed.
    func milliseconds(after now: LoopTime) -> Int64 { max(0, (nanoseconds - now.nanoseconds + 999_999) / 1_000_000) }

    static func < (left: LoopTime, right: LoopTime) -> Bool { left.nanoseconds < right.nanoseconds }
}

/// The time of one shard's loop, read once a turn. Used on the shard's thread only.
final class LoopClock {
    let start: LoopTime
    /// When this turn began.
    private(set) var now: LoopTime
    /// Whole seconds since `start`, in which connections measure time.
    private(set) var second: UInt32 = 0

    init(at start: LoopTime = .now) {
        self.start = start
        now = start
    }

    func advance(to time: LoopTime) {
        now = time
        second = time.seconds(since: start)
    }
}
