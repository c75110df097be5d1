// SPDX-License-Identifier: Apache-2.0

/// A display's brightness in place of a light sensor: where something else controls it automatically, it follows the
/// light.
///
/// Whether something does cannot be found out. So what others set stands for the light, with little confidence: what
/// was found when the display was opened with less than what another program set since. What people, boosts and we
/// ourselves set says nothing about the light.
package struct BrightnessAsLightSensor: Sendable {
    static let confidenceAtFirst = 0.1
    static let confidence = 0.2

    private var appearance: Appearance?
    private var level: Double?

    package init() {}

    /// Takes a display's state. Returns the estimate, if it tells something new.
    package mutating func news(of state: DisplayState) -> Ambient? {
        let isForeign = state.cause.kind == .external
        guard level == nil || isForeign, state.baseline.fraction != level else { return nil }
        let level = state.baseline.fraction
        self.level = level
        appearance = Appearance(level, after: appearance)
        return Ambient(
            source: .brightness,
            illuminance: nil,
            level: level,
            appearance: appearance,
            confidence: isForeign ? Self.confidence : Self.confidenceAtFirst,
            sensors: [],
            at: state.cause.at
        )
    }
}
