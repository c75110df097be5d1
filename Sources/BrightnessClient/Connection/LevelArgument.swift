// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support

/// A brightness as a person writes it on a command line.
///
/// - `40%`, `40` and `0.4` are absolute, `raw:480` is a step of the display. A whole number alone is percent.
/// - `+5%` and `+0.05` raise the baseline; `-5%`, `5%-`, `-0.05` and `0.05-` lower it. `5%+` and `5%-` are
///   brightnessctl's forms.
/// - `max` is 100%, `min` is 0%.
package enum LevelArgument: Equatable, Sendable {
    case absolute(BrightnessLevel)
    /// A difference from the baseline, as a fraction: -1…1.
    case delta(Double)

    /// Returns `nil` for anything else, and for what is out of range.
    package init?(_ text: String) {
        if text.hasPrefix("raw:") {
            let digits = text.dropFirst(4)
            guard digits.utf8.allSatisfy(\.isDigit), let step = Int(digits) else { return nil }
            self = .absolute(.step(step))
            return
        }
        if let end = ["max": 1.0, "min": 0][text] {
            self = Self.absolute(end)
            return
        }
        var rest = text[...]
        if rest.hasPrefix("=") { rest.removeFirst() }
        let sign = Self.takeSign(&rest)
        let isPercent = rest.hasSuffix("%")
        if isPercent { rest.removeLast() }
        let isFraction = !isPercent && rest.contains(".")
        guard let number = Self.decimal(rest), (0...(isFraction ? 1 : 100)).contains(number) else { return nil }
        let fraction = isFraction ? number : number / 100
        self = sign.map { .delta(fraction * $0) } ?? Self.absolute(fraction)
    }

    private static func absolute(_ fraction: Double) -> Self { .absolute(.fraction(Brightness(clamping: fraction))) }

    /// Why a text is not a level, and what to write in its place. One sentence.
    package static func advice(on text: String) -> String {
        let shown = text.plain(upTo: 64)
        var rest = text[...]
        let sign = takeSign(&rest).map { $0 > 0 ? "+" : "-" } ?? ""
        let isPercent = rest.hasSuffix("%")
        if isPercent { rest.removeLast() }
        guard let number = decimal(rest) else { return "\"\(shown)\" is not a brightness: write \(forms)." }
        if !isPercent, number <= 100 { return "\"\(shown)\" has no unit: write \(sign)\(rest)%." }
        let mayBeStep = sign.isEmpty && !isPercent && !rest.contains(".")
        let step = mayBeStep ? ", or write raw:\(rest) for a step of the display" : ""
        return "\"\(shown)\" is too much: a brightness is at most 100%\(step)."
    }

    /// The forms that a person may write, for messages.
    static var forms: String { "40%, 0.4, +5%, -5% or raw:480" }

    package var action: Command.Action {
        switch self {
        case .absolute(let level): .set(level)
        case .delta(let delta): .move(delta: delta)
        }
    }

    /// Takes a sign from either end; 1 or -1.
    private static func takeSign(_ rest: inout Substring) -> Double? {
        let signs: [Character: Double] = ["+": 1, "-": -1]
        if let first = rest.first, let sign = signs[first] {
            rest.removeFirst()
            return sign
        }
        guard let last = rest.last, let sign = signs[last] else { return nil }
        rest.removeLast()
        return sign
    }

    /// Digits with at most one point in them.
    private static func decimal(_ text: Substring) -> Double? {
        guard text.first != nil, text != ".", text.utf8.allSatisfy({ $0 == UInt8(ascii: ".") || $0.isDigit }) else {
            return nil
        }
        return Double(String(text))
    }
}
