// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The forms that several options have.
extension DaemonOption {
    /// Any text but an empty one.
    static func text(_ name: String, _ meaning: String, form: String, stated: String? = nil) -> Self
    where Value == String? {
        Self(name, meaning, form: form, stated: stated) { $0.isEmpty ? nil : $0 }
    }

    /// A brightness from 0 to 1.
    static func fraction(_ name: String, _ meaning: String, default text: String) -> Self where Value == Brightness {
        Self(name, meaning, form: "fraction", values: "a number from 0 to 1", default: text) { text in
            Double(text).flatMap { Brightness(fraction: $0) }
        }
    }

    /// A duration that is given in seconds.
    static func seconds(
        _ name: String,
        _ meaning: String,
        in range: ClosedRange<Double>,
        default text: String
    ) -> Self where Value == Duration {
        Self(name, meaning, form: "seconds", values: range.asValues, default: text) { .seconds($0, in: range) }
    }

    static func seconds(_ name: String, _ meaning: String, in range: ClosedRange<Double>) -> Self
    where Value == Duration? {
        Self(name, meaning, form: "seconds", values: range.asValues) { .seconds($0, in: range) }
    }
}

extension ClosedRange<Double> {
    fileprivate var asValues: String { "a number from \(Int(lowerBound)) to \(Int(upperBound))" }
}

extension Duration {
    static func seconds(_ text: String, in range: ClosedRange<Double>) -> Duration? {
        Double(text).flatMap { range.contains($0) ? .seconds($0) : nil }
    }
}

extension Int {
    init?(_ text: String, in range: ClosedRange<Int>) {
        guard let number = Int(text), range.contains(number) else { return nil }
        self = number
    }
}
