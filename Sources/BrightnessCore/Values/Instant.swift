// SPDX-License-Identifier: Apache-2.0

/// A point on the clock that leases are measured by. It counts time spent asleep and does not jump with the wall clock.
///
/// `ContinuousClock.Instant` is the same thing, but the compiler does not know its size, and so treats everything that
/// holds one, leases and displays, as a value of unknown size: more than twice the work for each change.
package struct Instant: InstantProtocol, Hashable, Sendable {
    /// Since the machine was started; `CLOCK_BOOTTIME` on Linux.
    package let sinceBoot: Duration

    package init(sinceBoot: Duration) { self.sinceBoot = sinceBoot }

    package func advanced(by duration: Duration) -> Instant { Instant(sinceBoot: sinceBoot + duration) }

    package func duration(to other: Instant) -> Duration { other.sinceBoot - sinceBoot }

    package static func < (left: Instant, right: Instant) -> Bool { left.sinceBoot < right.sinceBoot }

    package static func + (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: duration) }

    package static func - (instant: Instant, duration: Duration) -> Instant { instant.advanced(by: .zero - duration) }

    package static func - (later: Instant, earlier: Instant) -> Duration { earlier.duration(to: later) }
}
