// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Decides whether to believe the wall clock, which the history is dated by. A jump is believed after an hour: until then
/// a clock that went back writes nothing, and one that went ahead forgets nothing.
struct HistoryClock: Sendable {
    /// A clock that is put right by less does not jump. In milliseconds.
    static let tolerance: Int64 = 60_000
    static let patience: Duration = .seconds(3_600)

    private var last: Moment?
    private var jumpedAt: Instant?
    private var behindSince: Instant?

    /// Returns whether it jumped since it was last looked at.
    mutating func jumps(at now: Moment) -> Bool {
        defer { last = now }
        guard let last else { return false }
        let expected = last.wall + (now.instant - last.instant)
        guard abs(now.wall.milliseconds - expected.milliseconds) > Self.tolerance else { return false }
        jumpedAt = now.instant
        return true
    }

    /// Whether something may be written at this time, when the newest that was written has the date `newest`.
    mutating func believes(_ now: Moment, over newest: Int64?) -> Bool {
        guard let newest, newest > now.wall.milliseconds + Self.tolerance else {
            behindSince = nil
            return true
        }
        let since = behindSince ?? now.instant
        behindSince = since
        return now.instant - since >= Self.patience
    }

    func mayThin(at now: Moment) -> Bool { jumpedAt.map { now.instant - $0 >= Self.patience } ?? true }
}
