// SPDX-License-Identifier: Apache-2.0

/// The combined requests of a display's leases, without those that a person has overridden.
///
/// ```
///   brightness = min(dim…, max(baseline, boost…))       on = wake… ? true : sleep… ? false : power baseline
/// ```
struct LeaseEffect: Hashable, Sendable {
    /// The highest brightness of the boosts.
    var boost: Brightness?
    /// The lowest brightness of the dims.
    var dim: Brightness?
    var wakes = false
    var sleeps = false

    /// Returns the brightness to show.
    ///
    /// A baseline below `dimmest` was read from the panel, and stays unless a lease changes it.
    ///
    /// - Parameters:
    ///   - cap: The highest brightness that a boost can reach.
    ///   - dimmest: The lowest brightness that can be requested.
    func brightness(over baseline: Brightness, cap: Brightness, dimmest: Brightness) -> Brightness {
        let raised = boost.map { max(Self.granted($0, over: baseline, cap: cap, dimmest: dimmest), baseline) }
        let undimmed = raised ?? baseline
        return dim.map { min(max($0, dimmest), undimmed) } ?? undimmed
    }

    /// Returns the effect of a boost alone: at most the cap, and at least what the panel can show if it raises it.
    static func granted(
        _ boost: Brightness,
        over baseline: Brightness,
        cap: Brightness,
        dimmest: Brightness
    ) -> Brightness {
        let capped = min(boost, cap)
        return capped > baseline ? max(capped, dimmest) : capped
    }

    func isOn(over baseline: Bool) -> Bool { wakes || (baseline && !sleeps) }
}
