// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The write limits of a monitor, whose memory wears.
///
/// - Two writes are at least `pace` apart.
/// - After `limit` writes in a day (UTC) commands are rejected until the next day; boosts in force still end.
struct WriteBudget: Sendable {
    static let pace: Duration = .milliseconds(500)

    let limit: Int
    private var day: Int64?
    private(set) var today = 0
    private var last: Instant?

    init(limit: Int) { self.limit = limit }

    /// Returns how long a write must wait at `now`.
    func delay(at now: Instant) -> Duration {
        guard let last else { return .zero }
        return max(.zero, last + Self.pace - now)
    }

    /// Counts a write that may have reached the monitor.
    mutating func wrote(at now: Moment) {
        turn(to: now)
        today += 1
        last = now.instant
    }

    func isSpent(at now: Moment) -> Bool { day == Self.day(of: now) && today >= limit }

    private mutating func turn(to now: Moment) {
        guard day != Self.day(of: now) else { return }
        day = Self.day(of: now)
        today = 0
    }

    private static func day(of now: Moment) -> Int64 { now.wall.milliseconds / 86_400_000 }
}
