// SPDX-License-Identifier: Apache-2.0

/// The requested brightness of a display, as a fraction of its own range.
///
/// - `0` is the dimmest step the device offers (not off), `1` its maximum.
/// - Not a luminance: two displays at `0.5` need not look alike.
package struct Brightness: Hashable, Sendable, Comparable {
    package let fraction: Double

    /// Returns `nil` outside `0...1` and for NaN.
    package init?(fraction: Double) {
        guard (0...1).contains(fraction) else { return nil }
        // Adding zero takes the sign from a negative zero.
        self.fraction = fraction + 0
    }

    /// The nearest brightness to any number; NaN becomes `0`.
    package init(clamping fraction: Double) {
        self.fraction = fraction > 0 ? min(fraction, 1) : 0
    }

    package static let full = Brightness(clamping: 1)

    package static func < (left: Brightness, right: Brightness) -> Bool { left.fraction < right.fraction }
}

/// The integer steps of a device, `minimum...maximum`, and their relation to fractions.
///
/// - `minimum` is the lowest step that can be requested. Many panels go dark at step 0, so it is at least 1 there. A
///   lower step that was read from the panel is restored exactly.
/// - Without a curve the relation is linear in the device's own units (`step / maximum`), as `brightnessctl` and the
///   kernel count it.
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`
package struct BrightnessRange: Hashable, Sendable {
    package let minimum: Int
    package let maximum: Int
    package var curve = PanelCurve.linear

    /// Returns `nil` unless `0 <= minimum <= maximum` and `1 <= maximum <= Int32.max`, the kernel's limit.
    package init?(minimum: Int = 0, maximum: Int) {
        guard (1...Int(Int32.max)).contains(maximum), (0...maximum).contains(minimum) else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The range of a panel that cannot be dimmed: the step 1 of 1.
    package static let fixed = BrightnessRange(minimum: 1, maximum: 1)!

    package func with(_ curve: PanelCurve) -> BrightnessRange {
        var range = self
        range.curve = curve
        return range
    }

    /// The nearest step to a fraction, at least `minimum`.
    package func step(for brightness: Brightness) -> Int { max(minimum, nearestStep(to: brightness)) }

    private func nearestStep(to brightness: Brightness) -> Int {
        Int((curve.level(of: brightness.fraction) * Double(maximum)).rounded())
    }

    /// A number for a step such that equal differences are equal changes of brightness, for transitions.
    func position(of step: Int) -> Double { curve == .linear ? Double(step) : brightness(of: step).fraction }

    /// The step with this `position`, with a fraction between two steps.
    func step(at position: Double) -> Double {
        curve == .linear ? position : curve.level(of: position) * Double(maximum)
    }

    /// The brightness of `minimum`, the lowest that can be requested.
    var dimmest: Brightness { brightness(of: minimum) }

    /// The fraction of a step. Steps outside `0...maximum`, and outside the range that the curve uses, are clamped.
    package func brightness(of step: Int) -> Brightness {
        let level = Brightness(clamping: Double(step) / Double(maximum))
        return Brightness(clamping: curve.brightness(of: level.fraction))
    }

    /// The conversion of steps for a panel whose maximum has changed.
    package static func scale(from old: Int, to new: Int) -> (Int) -> Int {
        { step in Int((Double(step) * Double(new) / Double(old)).rounded()) }
    }

    /// Whether a panel that rounds may report `other` after `step` was written.
    func isRounding(of step: Int, _ other: Int) -> Bool { abs(other - step) <= Self.rounding(of: maximum) }

    /// The largest rounding error of a panel in steps: 2 % of its range.
    static func rounding(of maximum: Int) -> Int { maximum / 50 }

    /// Returns `brightness` moved by `delta`, within `minimum...maximum`. A delta that is too small to reach another
    /// step moves one step in its direction. A brightness below `minimum` is not moved down.
    package func moving(_ brightness: Brightness, by delta: Double) -> Brightness {
        guard !delta.isNaN, delta != 0 else { return brightness }
        let here = nearestStep(to: brightness)
        if delta < 0, here <= minimum { return min(brightness, dimmest) }
        let asked = Brightness(clamping: brightness.fraction + delta)
        guard step(for: asked) == here else { return max(asked, dimmest) }
        let next = here + (delta > 0 ? 1 : -1)
        return next > maximum ? asked : self.brightness(of: next)
    }
}

/// A brightness as a request may have it.
package enum BrightnessLevel: Hashable, Sendable {
    case fraction(Brightness)
    /// In the panel's own steps, `0...maximum`.
    case step(Int)
}
