// SPDX-License-Identifier: Apache-2.0
import Support

/// The time of the day at which a schedule begins or ends.
package enum ScheduleTime: Hashable, Sendable {
    /// A minute of the day by local clocks, `0..<1_440`.
    case clock(minute: Int)
    /// Minutes after sunrise or sunset, at most 12 hours either way.
    case sun(SunEvent, offset: Int)

    private static let longestOffset = 720

    /// Reads `22:00`, `sunset`, `sunset-00:30` or `sunrise+01:00`.
    package init?(_ text: String) {
        guard let event = SunEvent.allCases.first(where: { text.hasPrefix($0.rawValue) }) else {
            guard let minute = Self.minutes(text[...]), minute < 1_440 else { return nil }
            self = .clock(minute: minute)
            return
        }
        let rest = text.dropFirst(event.rawValue.count)
        guard let sign = rest.first else {
            self = .sun(event, offset: 0)
            return
        }
        guard sign == "+" || sign == "-", let minutes = Self.minutes(rest.dropFirst()), minutes <= Self.longestOffset
        else { return nil }
        self = .sun(event, offset: sign == "-" ? -minutes : minutes)
    }

    /// The inverse of `init(_:)`.
    package var text: String {
        switch self {
        case .clock(let minute): Self.text(minute)
        case .sun(let event, 0): event.rawValue
        case .sun(let event, let offset): "\(event.rawValue)\(offset < 0 ? "-" : "+")\(Self.text(abs(offset)))"
        }
    }

    var isOfSun: Bool { if case .sun = self { true } else { false } }

    /// Reads `HH:MM`, less than 24 hours.
    private static func minutes(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy(\.isDigit) }),
            let hours = Int(parts[0]), let minutes = Int(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }

    private static func text(_ minutes: Int) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }
}

package enum SunEvent: String, Hashable, Sendable, CaseIterable {
    case sunrise, sunset
}
