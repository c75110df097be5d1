// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

extension HomeAssistantLight {
    /// The maximum of a light's brightness.
    static let scale = 100

    /// Reads a command of Home Assistant's JSON light: `{"state":"ON","brightness":40,"transition":2}`. A brightness
    /// alone means on.
    init(from body: consuming RequestBody) throws(Problem) {
        let word = try body.string("state", length: 2...3)
        let brightness = try body.number("brightness", in: 0...Double(Self.scale))
        let transition = try body.number("transition", in: 0...Double(Int32.max))
        // A light may have these, and a display has not.
        for name in ["color", "color_mode", "color_temp", "effect", "flash", "white"] { _ = body.value(name) }
        try body.end()
        let isOn = word.map { ["ON": true, "OFF": false][$0] } ?? (brightness == nil ? nil : true)
        guard let isOn else { throw RequestBody.invalid("state", "state must be \"ON\" or \"OFF\".") }
        self.init(
            isOn: isOn,
            brightness: brightness.map { Brightness(clamping: $0 / Double(Self.scale)) },
            transition: transition.map { .seconds($0) }
        )
    }
}

extension Command {
    /// The command of Home Assistant's switch *Keep awake*, whose payload is `ON` or `OFF`.
    ///
    /// - Parameter isOverridden: Whether a person has overridden its lease.
    static func awake(from payload: [UInt8], isOverridden: Bool) throws(Problem) -> Command {
        guard let isOn = ["ON": true, "OFF": false][String(decoding: payload.prefix(4), as: UTF8.self)],
            let command = try HomeAssistantEntity.awake.command(on: isOn, isOverridden: isOverridden)
        else { throw Problem(.invalidBody, "The payload must be ON or OFF.", at: "") }
        return command
    }
}

extension DisplayState {
    /// The state of Home Assistant's JSON light.
    var lightJSON: [UInt8] {
        JSONWriter.object { json in
            json.member("state", isLightOn ? "ON" : "OFF")
            json.member("color_mode", "brightness")
            json.member("brightness", Int(lightBrightness(ofScale: Double(HomeAssistantLight.scale)).rounded()))
        }
    }
}
