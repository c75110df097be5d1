// SPDX-License-Identifier: Apache-2.0

/// A length of time as a person writes it on a command line: `90`, `90s`, `30m`, `1h30m`, `10min`, `2d` or `1w`.
package struct Span: Equatable, Sendable {
    package let seconds: Double

    private static let units: [(names: Set<String>, seconds: Double)] = [
        (["s", "sec", "secs", "second", "seconds"], 1), (["m", "min", "mins", "minute", "minutes"], 60),
        (["h", "hr", "hrs", "hour", "hours"], 3_600), (["d", "day", "days"], 86_400),
        (["w", "week", "weeks"], 604_800),
    ]

    private static let longest = 100 * 365 * 86_400.0

    /// Returns `nil` for anything else, and for a time that is not positive or more than a century.
    ///
    /// - Parameter orZero: Whether it may be 0.
    package init?(_ text: String, orZero: Bool = false) {
        var rest = text[...]
        var sum = 0.0
        repeat {
            let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest[digits.endIndex...]
            let name = rest.prefix { $0.isASCII && $0.isLetter }
            rest = rest[name.endIndex...]
            // Only a number alone is without a unit.
            let isAlone = digits.endIndex == text.endIndex && digits.startIndex == text.startIndex
            let unit = isAlone ? 1 : Self.units.first { $0.names.contains(String(name)) }?.seconds
            guard let number = Double(String(digits)), let unit else { return nil }
            sum += number * unit
        } while !rest.isEmpty
        guard sum > 0 || orZero, sum <= Self.longest else { return nil }
        seconds = sum
    }

    package init(seconds: Double) { self.seconds = seconds }

    /// The longest unit that leaves no rest: `1 h`, `90 s`.
    package var text: String {
        for (unit, length) in [("d", 86_400.0), ("h", 3_600), ("min", 60)] where seconds >= length {
            if seconds.truncatingRemainder(dividingBy: length) == 0 { return "\(Int(seconds / length)) \(unit)" }
        }
        return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
    }
}
