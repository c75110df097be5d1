// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
internal import CLinux

extension Timestamp {
    static var now: Timestamp { Timestamp(milliseconds: clinux_wall_milliseconds()) }

    /// The local time of day.
    package var clock: String { text("%H:%M:%S") }

    /// The local time of day, with the date where that is not the date of `now`.
    package func clock(at now: Timestamp) -> String {
        let day = text("%Y-%m-%d")
        return day == now.text("%Y-%m-%d") ? clock : "\(day) \(clock)"
    }

    /// As `clock(at:)`, without seconds.
    ///
    /// - Parameter utcOffset: How many seconds the shown clock is ahead of UTC; by default it is this machine's.
    package func minute(at now: Timestamp, utcOffset: Int64? = nil) -> String {
        let (date, today) = (moved(by: utcOffset ?? 0), now.moved(by: utcOffset ?? 0))
        let isUTC = utcOffset != nil
        let day = date.text("%Y-%m-%d", isUTC: isUTC)
        let isToday = day == today.text("%Y-%m-%d", isUTC: isUTC)
        return (isToday ? "" : "\(day) ") + date.text("%H:%M", isUTC: isUTC)
    }

    private func moved(by seconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds + seconds * 1_000) }

    private func text(_ format: String, isUTC: Bool = false) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress,
                clinux_format_time(milliseconds / 1_000, isUTC ? 1 : 0, format, start, 64) > 0
            else { return "" }
            return String(cString: start)
        }
    }
}

extension Moment {
    /// Only the wall clock counts: the client shows dates, and measures nothing.
    static var now: Moment { Moment(instant: Instant(sinceBoot: .zero), wall: .now) }
}
