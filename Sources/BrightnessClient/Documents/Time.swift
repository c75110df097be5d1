// SPDX-License-Identifier: Apache-2.0
import Glibc

/// A moment, in whole seconds: enough for what a person reads.
package struct Time: Hashable, Sendable {
    package let secondsSince1970: Int

    package init(secondsSince1970: Int) { self.secondsSince1970 = secondsSince1970 }

    /// Reads the daemon's form of RFC 3339, which is UTC: `2026-11-21T06:00:00.123Z`.
    package init?(_ text: String) {
        let halves = text.split(separator: "T")
        guard halves.count == 2, halves[1].last == "Z" else { return nil }
        let date = halves[0].split(separator: "-").compactMap { Int32($0) }
        let clock = halves[1].prefix(8).split(separator: ":").compactMap { Int32($0) }
        guard date.count == 3, clock.count == 3 else { return nil }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (date[0] - 1_900, date[1] - 1, date[2])
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (clock[0], clock[1], clock[2])
        self.init(secondsSince1970: timegm(&parts))
    }

    package static var now: Time { Time(secondsSince1970: time(nil)) }

    /// The form that the daemon reads.
    package var rfc3339: String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        gmtime_r(&seconds, &parts)
        return parts.text("%Y-%m-%dT%H:%M:%SZ")
    }

    /// The local time of day.
    package var clock: String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        localtime_r(&seconds, &parts)
        return parts.text("%H:%M:%S")
    }

    /// The local time of day, with the date where that is not the date of `now`.
    package func clock(at now: Time) -> String {
        day == now.day ? clock : "\(day) \(clock)"
    }

    private var day: String {
        var (seconds, parts) = (time_t(secondsSince1970), tm())
        localtime_r(&seconds, &parts)
        return parts.text("%Y-%m-%d")
    }
}

extension tm {
    fileprivate mutating func text(_ format: String) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
            guard let start = buffer.baseAddress, strftime(start, 64, format, &self) > 0 else { return "" }
            return String(cString: start)
        }
    }
}
