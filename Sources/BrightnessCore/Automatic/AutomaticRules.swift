// SPDX-License-Identifier: Apache-2.0

/// What the operator says about automatic brightness, for all displays.
package struct AutomaticRules: Sendable {
    /// A week. Whoever wants more than that switches it off.
    package static let longestHold: Duration = .seconds(604_800)

    /// Whether a display follows the light that nobody has switched yet.
    package var isUsual: Bool
    /// How long the light changes nothing after a person has set a display.
    package var hold: Duration
    package var curve: BrightnessCurve

    package init(isUsual: Bool = false, hold: Duration = .seconds(1_800), curve: BrightnessCurve = .usual) {
        self.isUsual = isUsual
        self.hold = hold
        self.curve = curve
    }
}
