// SPDX-License-Identifier: Apache-2.0

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
