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

    /// Returns the moment of a wall-clock time, if the clock is right now.
    package func moment(of wall: Timestamp) -> Moment {
        Moment(instant: instant + .milliseconds(wall.milliseconds - self.wall.milliseconds), wall: wall)
    }

    package static func + (moment: Moment, duration: Duration) -> Moment {
        Moment(instant: moment.instant + duration, wall: moment.wall + duration)
    }
}
