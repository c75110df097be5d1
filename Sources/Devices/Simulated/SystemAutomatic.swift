// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The automatic brightness of a simulated machine's system, for one panel: another program that follows the light.
/// Time is none of its business; the room asks it at each `interval`.
struct SystemAutomatic: Sendable {
    static let interval: Duration = .milliseconds(500)
    /// The largest move in one interval, and the smallest change that is worth one.
    private static let stride = 0.05
    private static let hysteresis = 0.02

    /// The difference that a person added to the curve.
    private var preference = 0.0
    private var target: Double?
    private var isMoving = false

    /// Learns that a person chose this brightness in this light.
    mutating func learn(_ brightness: Brightness, in light: Illuminance) {
        preference = brightness.fraction - BrightnessCurve.default.brightness(in: light).fraction
        (target, isMoving) = (brightness.fraction, false)
    }

    /// Returns the panel's next brightness; `nil` to leave it. What others set stays until the light changes.
    mutating func next(after brightness: Brightness, in light: Illuminance) -> Brightness? {
        let wanted = min(max(BrightnessCurve.default.brightness(in: light).fraction + preference, 0), 1)
        if target.map({ abs(wanted - $0) >= Self.hysteresis }) ?? true { (target, isMoving) = (wanted, true) }
        guard isMoving, let target else { return nil }
        let distance = target - brightness.fraction
        isMoving = abs(distance) > Self.stride
        return Brightness(clamping: brightness.fraction + min(max(distance, -Self.stride), Self.stride))
    }
}
