// SPDX-License-Identifier: Apache-2.0

/// A display's brightness as a substitute for a light sensor.
///
/// If another program controls the brightness automatically, its changes follow the light. The daemon cannot know
/// whether there is such a program, so the confidence is low: `confidenceAtFirst` for the brightness found at the
/// start, `confidence` for later changes by other programs. Changes by clients, boosts and the daemon itself do not
/// count.
package struct BrightnessAsLightSensor: Sendable {
    static let confidenceAtFirst = 0.1
    static let confidence = 0.2

    private var appearance: Appearance?
    private var level: Double?

    package init() {}

    /// Returns the estimate from a display's state if it differs from the last one.
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
