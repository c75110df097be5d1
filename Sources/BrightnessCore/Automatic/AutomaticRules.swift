// SPDX-License-Identifier: Apache-2.0

/// What the operator says about automatic brightness, for all displays.
package struct AutomaticRules: Sendable {
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
