// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The write limits of a monitor, whose memory wears.
///
/// - Two writes are at least `pace` apart.
/// - After `limit` writes in a day (UTC) commands are rejected until the next day; boosts in force still end.
struct WriteBudget: Sendable {
    static let pace: Duration = .milliseconds(500)

    let limit: Int
    /// The writes of the newest day with one; `nil` for none.
    private(set) var writes: DailyWrites?
    private var last: Instant?

    /// - Parameter writes: The writes of an earlier run.
    init(limit: Int, goingOnFrom writes: DailyWrites? = nil) { (self.limit, self.writes) = (limit, writes) }

    /// The number of writes on the day of `now`.
    func today(at now: Moment) -> Int {
        let day = Self.day(of: now)
        return writes.map { $0.day == day ? $0.count : 0 } ?? 0
    }

    /// Returns how long a write must wait at `now`.
    func delay(at now: Instant) -> Duration {
        guard let last else { return .zero }
        return max(.zero, last + Self.pace - now)
    }

    /// Counts a write that may have reached the monitor.
    mutating func wrote(at now: Moment) {
        writes = DailyWrites(day: Self.day(of: now), count: today(at: now) + 1)
        last = now.instant
    }

    func isSpent(at now: Moment) -> Bool { today(at: now) >= limit }

    private static func day(of now: Moment) -> Int64 { now.wall.milliseconds / 86_400_000 }
}
