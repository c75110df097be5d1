// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The rules for how far to trust the wall clock, which dates the history and may be wrong.
///
/// - The history ages at most 100 times as fast as the daemon runs. A clock that is a year ahead for a second or an
///   hour thins and deletes 100 seconds or four days of history, and not a year.
/// - A clock that is behind the newest sample writes nothing for an hour. Then it is trusted, and this run's later
///   samples are deleted. An earlier run's samples stay: either clock may have been wrong.
struct HistoryClock: Sendable {
    /// Smaller corrections of the clock do not count as a jump. In milliseconds.
    static let tolerance: Int64 = 60_000
    /// How long a clock that is behind is not trusted.
    static let doubt: Duration = .seconds(3_600)
    static let agingRate: Int64 = 100

    private var last: Moment?
    private var behindSince: Instant?
    private var agedAt: Instant?

    /// Returns whether the clock jumped since the previous call.
    mutating func jumps(at now: Moment) -> Bool {
        agedAt = agedAt ?? now.instant
        defer { last = now }
        guard let last else { return false }
        let expected = last.wall + (now.instant - last.instant)
        return abs(now.wall.milliseconds - expected.milliseconds) > Self.tolerance
    }

    /// Whether a sample may be written now, if the newest written one has the date `newest`.
    mutating func believes(_ now: Moment, over newest: Int64?) -> Bool {
        guard let newest, newest > now.wall.milliseconds + Self.tolerance else {
            behindSince = nil
            return true
        }
        let since = behindSince ?? now.instant
        behindSince = since
        return now.instant - since >= Self.doubt
    }

    /// Returns the time for thinning: the wall clock, limited by the running time since the previous call.
    ///
    /// - Parameter age: The result of the previous call, in this or an earlier run; `nil` for a new history.
    mutating func age(at now: Moment, after age: Int64?) -> Int64 {
        let passed = now.instant - (agedAt ?? now.instant)
        agedAt = now.instant
        guard let age else { return now.wall.milliseconds }
        return min(now.wall.milliseconds, age + passed.milliseconds * Self.agingRate)
    }
}
