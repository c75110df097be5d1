// SPDX-License-Identifier: Apache-2.0

/// The integer steps of a device, `minimum...maximum`, and their relation to fractions.
///
/// - `minimum` is the guard: the lowest step that anybody can ask for. Many panels go dark at step 0, so it is at least
///   1 there. A lower one that was found on the panel is put back as it was.
/// - The relation is linear in the device's own units (`step / maximum`), as `brightnessctl` and the kernel count it.
/// - SeeAlso: Linux `Documentation/ABI/stable/sysfs-class-backlight`
package struct BrightnessRange: Hashable, Sendable {
    package let minimum: Int
    package let maximum: Int

    /// Returns `nil` unless `0 <= minimum <= maximum` and `1 <= maximum <= Int32.max`, the most that the kernel has.
    package init?(minimum: Int = 0, maximum: Int) {
        guard (1...Int(Int32.max)).contains(maximum), (0...maximum).contains(minimum) else { return nil }
        self.minimum = minimum
        self.maximum = maximum
    }

    /// The nearest step to a fraction, never below the guard.
    package func step(for brightness: Brightness) -> Int { max(minimum, nearestStep(to: brightness)) }

    private func nearestStep(to brightness: Brightness) -> Int {
        Int((brightness.fraction * Double(maximum)).rounded())
    }

    /// The brightness of the guard, below which nobody can ask.
    package var dimmest: Brightness { brightness(of: minimum) }

    /// The fraction a step stands for; steps outside `0...maximum` count as the nearest end.
    package func brightness(of step: Int) -> Brightness {
        Brightness(clamping: Double(step) / Double(maximum))
    }

    /// Whether a panel that rounds may report `other` after `step` was written.
    func isRounding(of step: Int, _ other: Int) -> Bool { abs(other - step) <= Self.rounding(of: maximum) }

    /// By how many steps a panel rounds at most: 2 % of its range.
    static func rounding(of maximum: Int) -> Int { maximum / 50 }

    /// `brightness` moved by `delta`, up to the guard or the maximum. A delta too small to reach another step moves one step in
    /// its direction. What is below the guard already is not moved down.
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
