// SPDX-License-Identifier: Apache-2.0

/// The display whose brightness substitutes for a light sensor, on a machine without one. Has no clock.
struct StandInLight: Sendable {
    private let preferred: DisplayID?
    /// The display in use: the preferred one, until its first state the first one.
    private(set) var display: DisplayID?
    private var rules = BrightnessAsLightSensor()

    init(_ preferred: DisplayID?) { self.preferred = preferred }

    mutating func receive(_ state: DisplayState, at now: Instant) {
        if display == nil || (state.id == preferred && state.id != display) {
            (display, rules) = (state.id, BrightnessAsLightSensor())
        }
        if state.id == display { rules.receive(state, at: now) }
    }

    /// When to call `news` again; `nil` if no change has to last.
    var deadline: Instant? { rules.deadline }

    /// Returns the estimate if it differs from the last one.
    mutating func news(at now: Moment) -> Ambient? { rules.news(at: now) }
}
