// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension Command {
    /// The maximum of a light's brightness.
    static let lightScale = 100

    /// A command of Home Assistant's JSON light: `{"state":"ON","brightness":40,"transition":2}`.
    ///
    /// No display is switched off: `OFF` sets the minimum, and `ON` without a brightness sets a display at the minimum
    /// to 50 %.
    static func light(from body: consuming RequestBody, showing state: DisplayState) throws(Problem) -> Command {
        let word = try body.string("state", length: 2...3)
        let brightness = try body.number("brightness", in: 0...Double(lightScale))
        let transition = try body.number("transition", in: 0...3_600).map { Duration.seconds($0) }
        // Displays do not flash.
        _ = try body.number("flash", in: 0...3_600)
        try body.end()
        let wanted: Brightness
        switch (word, brightness) {
        case ("OFF", _): wanted = Brightness(clamping: 0)
        case ("ON", let brightness?): wanted = Brightness(clamping: brightness / Double(lightScale))
        case ("ON", nil): wanted = state.isLit ? state.baseline : Brightness(clamping: 0.5)
        default: throw RequestBody.invalid("state", "state must be \"ON\" or \"OFF\".")
        }
        return Command(.set(.fraction(wanted)), by: "home-assistant", transition: transition)
    }
}

extension DisplayState {
    /// Whether the baseline is above the minimum, or the range has one step.
    var isLit: Bool { range.minimum == range.maximum || range.step(for: baseline) > range.minimum }

    /// The state of Home Assistant's JSON light.
    var lightJSON: [UInt8] {
        JSONWriter.object { json in
            json.member("state", isLit || boost != nil ? "ON" : "OFF")
            json.member("color_mode", "brightness")
            json.member("brightness", Int((brightness.fraction * Double(Command.lightScale)).rounded()))
        }
    }
}
