// SPDX-License-Identifier: Apache-2.0

/// Wall-clock time in milliseconds since 1970-01-01T00:00:00Z. For people; durations are measured with `Instant`.
package struct Timestamp: Hashable, Sendable, Comparable {
    package let milliseconds: Int64

    package init(milliseconds: Int64) { self.milliseconds = milliseconds }

    package static func < (left: Timestamp, right: Timestamp) -> Bool { left.milliseconds < right.milliseconds }

    package static func + (timestamp: Timestamp, duration: Duration) -> Timestamp {
        let (seconds, attoseconds) = duration.components
        return Timestamp(milliseconds: timestamp.milliseconds + seconds * 1_000 + attoseconds / 1_000_000_000_000_000)
    }
}

/// One point in time on both clocks. Read once by the receiver of a command, and passed as an argument.
///
/// `instant` measures leases; `wall` is for people.
package struct Moment: Hashable, Sendable {
    package let instant: Instant
    package let wall: Timestamp

    package init(instant: Instant, wall: Timestamp) {
        self.instant = instant
        self.wall = wall
    }

    /// Returns the same instant with the wall time after the clock was set at `now`. Unchanged if the clock jumped by
    /// less than a second, because the two clocks are not read at the same time.
    package func corrected(at now: Moment) -> Moment {
        let shown = now.wall + (instant - now.instant)
        return abs(shown.milliseconds - wall.milliseconds) < 1_000 ? self : Moment(instant: instant, wall: shown)
    }

    /// Returns the moment of a wall-clock time, on the assumption that the wall clock is correct at this moment.
    package func moment(of wall: Timestamp) -> Moment {
        Moment(instant: instant + .milliseconds(wall.milliseconds - self.wall.milliseconds), wall: wall)
    }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(instant: moment.instant + duration, wall: moment.wall + duration)
    }
}

/// A point in time for measuring leases. Includes time spent asleep, and is independent of the wall clock.
///
/// `ContinuousClock.Instant` means the same, but the compiler does not know its size. It then treats every type that
/// contains one, such as leases and displays, as a value of unknown size, which more than doubles the work of each
/// change.
package struct Instant: InstantProtocol, Hashable, Sendable {
    /// The time since the machine was started; `CLOCK_BOOTTIME` on Linux.
    package let sinceBoot: Duration

    package init(sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    package func advanced(by duration: Duration) -> Instant { Instant(sinceBoot: sinceBoot + duration) }

    package func duration(to other: Instant) -> Duration { other.sinceBoot - sinceBoot }

    package static func < (left: Instant, right: Instant) -> Bool { left.sinceBoot < right.sinceBoot }

    package static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }

    package static func - (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: .zero - duration) }

    package static func - (later: Instant, earlier: Instant) -> Duration { earlier.duration(to: later) }
}
