// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore

extension Command {
    /// The brightness of a light that is on, as a number of this many parts.
    static let lightScale = 100

    /// A command of Home Assistant's JSON light: `{"state":"ON","brightness":40,"transition":2}`.
    ///
    /// No display is ever switched off here: `OFF` is the dimmest it has, and `ON` alone brings one back from there, to a
    /// half.
    static func light(from body: consuming RequestBody, showing state: DisplayState) throws(Problem) -> Command {
        let word = try body.string("state", length: 2...3)
        let brightness = try body.number("brightness", in: 0...Double(lightScale))
        let transition = try body.number("transition", in: 0...3_600).map { Duration.seconds($0) }
        // A light that flashes does not change; a display does not flash.
        _ = try body.number("flash", in: 0...3_600)
        try body.end()
        let wanted: Brightness
        switch (word, brightness) {
        case ("OFF", _): wanted = Brightness(clamping: 0)
        case ("ON", let brightness?): wanted = Brightness(clamping: brightness / Double(lightScale))
        case ("ON", nil): wanted = state.isLit ? state.baseline : Brightness(clamping: 0.5)
        default: throw RequestBody.invalid("state", "state is \"ON\" or \"OFF\".")
        }
        return Command(.set(.fraction(wanted)), by: "home-assistant", transition: transition)
    }
}

extension DisplayState {
    /// Whether it is brighter than the dimmest it has, or has no other.
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
