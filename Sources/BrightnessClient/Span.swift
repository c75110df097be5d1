// SPDX-License-Identifier: Apache-2.0

/// A length of time as a person writes it on a command line: `90`, `90s`, `30m`, `1h`, `2d` or `1w`.
package struct Span: Equatable, Sendable {
    package let seconds: Double

    private static let units: [Character: Double] = ["s": 1, "m": 60, "h": 3_600, "d": 86_400, "w": 604_800]

    private static let longest = 100 * 365 * 86_400.0

    /// Returns `nil` for anything else, and for what is not positive or more than a century.
    ///
    /// - Parameter orZero: Whether it may be 0.
    package init?(_ text: String, orZero: Bool = false) {
        var digits = text[...]
        var unit = 1.0
        if let last = digits.last, let known = Self.units[last] {
            digits.removeLast()
            unit = known
        }
        guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let number = Double(String(digits)),
            number > 0 || orZero, number * unit <= Self.longest
        else { return nil }
        seconds = number * unit
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
