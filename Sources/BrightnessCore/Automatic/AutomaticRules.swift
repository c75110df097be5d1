// SPDX-License-Identifier: Apache-2.0

/// What the operator says about automatic brightness, for all displays.
package struct AutomaticRules: Sendable {
    /// A week. Whoever wants more than that switches it off.
    package static let longestHold: Duration = .seconds(604_800)
    package static let defaultHold: Duration = .seconds(1_800)

    /// Whether a display follows the light that nobody has switched yet.
    package var isDefault: Bool
    /// How long the light changes nothing after a person has set a display.
    package var hold: Duration
    package var curve: BrightnessCurve
    /// How long a display takes to get brighter, and dimmer: eyes need longer for the dark than for the light.
    package var up: Duration
    package var down: Duration

    package init(
        isDefault: Bool = false,
        hold: Duration = Self.defaultHold,
        curve: BrightnessCurve = .default,
        up: Duration = .seconds(1.5),
        down: Duration = .seconds(6)
    ) {
        self.isDefault = isDefault
        self.hold = hold
        self.curve = curve
        self.up = up
        self.down = down
    }
}
