// SPDX-License-Identifier: Apache-2.0

/// The operator's settings for automatic brightness, the same for all displays.
package struct AutomaticRules: Sendable {
    /// A week. To hold a display longer, switch its automatic brightness off.
    package static let longestHold: Duration = .seconds(604_800)
    package static let defaultHold: Duration = .seconds(1_800)

    /// Whether automatic brightness is on for displays whose mode was never set.
    var isDefault: Bool
    /// How long a display keeps the brightness that a person set.
    var hold: Duration
    var curve: BrightnessCurve
    /// The time a display takes to get brighter, and dimmer. Eyes adapt to the dark more slowly.
    var up: Duration
    var down: Duration

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
