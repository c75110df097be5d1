// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// How often a monitor may be written: its memory wears.
///
/// - Two writes are at least `pace` apart.
/// - After `limit` writes in a day (UTC), nobody may ask for more until the next; what was raised is still put back.
struct WriteBudget: Sendable {
    static let pace: Duration = .milliseconds(500)

    let limit: Int
    private var day: Int64?
    private(set) var today = 0
    private var last: Instant?

    init(limit: Int) { self.limit = limit }

    /// How long a write has to wait at `now`.
    func delay(at now: Instant) -> Duration {
        guard let last else { return .zero }
        return max(.zero, last + Self.pace - now)
    }

    /// The monitor was written, and has it or not since `now`.
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
