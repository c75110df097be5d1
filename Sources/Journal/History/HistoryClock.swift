// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Decides how far to believe the wall clock, which the history is dated by, and which may be wrong.
///
/// - The history ages at most 100 times as fast as the daemon runs. A clock that is ahead, for a second or an hour, so thins
///   and forgets what came of age in 100 seconds or four days, and not a year.
/// - A clock that is behind what was written writes nothing for an hour. Then it is believed, and what this run has written
///   ahead of it is forgotten, but nothing that an earlier run wrote: nobody knows which of the two clocks was right.
struct HistoryClock: Sendable {
    /// A clock that is put right by less does not jump. In milliseconds.
    static let tolerance: Int64 = 60_000
    /// How long a clock that is behind is not believed.
    static let doubt: Duration = .seconds(3_600)
    static let agingRate: Int64 = 100

    private var last: Moment?
    private var behindSince: Instant?
    private var agedAt: Instant?

    /// Returns whether it jumped since it was last looked at.
    mutating func jumps(at now: Moment) -> Bool {
        agedAt = agedAt ?? now.instant
        defer { last = now }
        guard let last else { return false }
        let expected = last.wall + (now.instant - last.instant)
        return abs(now.wall.milliseconds - expected.milliseconds) > Self.tolerance
    }

    /// Whether something may be written at this time, when the newest that was written has the date `newest`.
    mutating func believes(_ now: Moment, over newest: Int64?) -> Bool {
        guard let newest, newest > now.wall.milliseconds + Self.tolerance else {
            behindSince = nil
            return true
        }
        let since = behindSince ?? now.instant
        behindSince = since
        return now.instant - since >= Self.doubt
    }

    /// Returns the time that the history is thinned by: the wall clock's, as far as it has come since that was last done.
    ///
    /// - Parameter age: What this returned then, in this run or an earlier one; `nil` for a history that begins.
    mutating func age(at now: Moment, after age: Int64?) -> Int64 {
        let passed = now.instant - (agedAt ?? now.instant)
        agedAt = now.instant
        guard let age else { return now.wall.milliseconds }
        return min(now.wall.milliseconds, age + passed.milliseconds * Self.agingRate)
    }
}
