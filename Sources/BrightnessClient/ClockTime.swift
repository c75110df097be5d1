// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Glibc

/// A time of the day as a person writes it on a command line: `07:00`, `7:00`, `7am`, `10:30pm`, `noon` or `midnight`.
package struct ClockTime: Equatable, Sendable {
    /// Since midnight.
    package let minute: Int

    /// Returns `nil` for anything else, also for a number alone: `7` may be seven minutes.
    package init?(_ text: String) {
        if let hour = ["noon": 12, "midnight": 0][text] {
            minute = hour * 60
            return
        }
        var rest = text[...]
        let half = ["am": 0, "pm": 12].first { text.hasSuffix($0.key) }
        if half != nil { rest.removeLast(2) }
        let parts = rest.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), half != nil || parts.count == 2,
            parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy { ("0"..."9").contains($0) } }),
            var hour = Int(parts[0]), let past = parts.count == 2 ? Int(parts[1]) : 0,
            parts.count == 1 || parts[1].count == 2, past < 60
        else { return nil }
        if let half {
            guard (1...12).contains(hour) else { return nil }
            hour = hour % 12 + half.value
        }
        guard hour < 24 else { return nil }
        minute = hour * 60 + past
    }

    /// Such as `07:00`.
    package var text: String { ScheduleTime.clock(minute: minute).text }

    /// The time until the clock of this machine next shows it: at most a day, or 25 hours when summer time ends.
    package func span(from now: Timestamp) -> Span {
        for days: Int32 in 0...2 {
            var (seconds, parts) = (time_t(now.milliseconds / 1_000), tm())
            localtime_r(&seconds, &parts)
            parts.tm_mday += days
            (parts.tm_hour, parts.tm_min, parts.tm_sec) = (Int32(minute / 60), Int32(minute % 60), 0)
            // `mktime` determines whether summer time is in force then.
            parts.tm_isdst = -1
            let end = Double(mktime(&parts)) - Double(now.milliseconds) / 1_000
            if end > 0 { return Span(seconds: end) }
        }
        return Span(seconds: 86_400)
    }
}

extension Weekday {
    private static let groups: [String: Set<Weekday>] = [
        "weekdays": [.mon, .tue, .wed, .thu, .fri], "weekend": [.sat, .sun], "weekends": [.sat, .sun],
        "daily": Set(allCases), "all": Set(allCases),
    ]

    private static let names = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]

    /// The days of a list with commas: days, ranges such as `fri-mon`, `weekdays`, `weekend`. In the order of the week,
    /// each once; `nil` for anything else.
    package static func list(_ text: String) -> [Weekday]? {
        var days: Set<Weekday> = []
        for part in text.lowercased().split(separator: ",", omittingEmptySubsequences: false) {
            if let group = groups[String(part)] {
                days.formUnion(group)
                continue
            }
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                // Three letters at least, as in "thurs".
                names.firstIndex { name.count >= 3 && $0.hasPrefix(name) }
            }
            guard ends.count <= 2, let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            var index = first
            while index != last {
                days.insert(allCases[index])
                index = (index + 1) % allCases.count
            }
            days.insert(allCases[last])
        }
        return allCases.filter(days.contains)
    }
}
