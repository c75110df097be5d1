// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import Documents

extension Command {
    /// The maximum of a light's brightness.
    static let lightScale = 100

    /// The commands of Home Assistant's JSON light: `{"state":"ON","brightness":40,"transition":2}`, in their order.
    ///
    /// A display that can be switched is switched off and on. For any other one `OFF` sets the minimum, and `ON`
    /// without a brightness sets a display at the minimum to 50 %.
    static func light(from body: consuming RequestBody, showing state: DisplayState) throws(Problem) -> [Command] {
        let word = try body.string("state", length: 2...3)
        let brightness = try body.number("brightness", in: 0...Double(lightScale))
        let transition = try body.number("transition", in: 0...3_600).map { Duration.seconds($0) }
        // Displays do not flash.
        _ = try body.number("flash", in: 0...3_600)
        try body.end()
        func command(_ action: Action) -> Command { Command(action, by: "home-assistant", transition: transition) }
        func set(_ fraction: Double) -> Command { command(.set(.fraction(Brightness(clamping: fraction)))) }
        switch (word, brightness) {
        case ("OFF", _):
            return [state.power.isSwitchable ? command(.setPower(false)) : set(0)]
        case ("ON", let brightness):
            let wanted = brightness.map { set($0 / Double(lightScale)) }
            guard state.power.isSwitchable else {
                return [wanted ?? set(state.isLit ? state.baseline.fraction : 0.5)]
            }
            // A slider sends many of these: a panel that is on needs no power command.
            let isOn = state.power.isOn == true && state.power.baseline
            return (isOn && wanted != nil ? [] : [command(.setPower(true))]) + (wanted.map { [$0] } ?? [])
        default:
            throw RequestBody.invalid("state", "state must be \"ON\" or \"OFF\".")
        }
    }

    /// The command of Home Assistant's switch *Keep awake*, whose payload is `ON` or `OFF`.
    static func awake(from payload: [UInt8]) throws(Problem) -> Command {
        let holder = Discovery.holder
        switch String(decoding: payload.prefix(4), as: UTF8.self) {
        case "ON": return Command(.grant(LeaseRequest(.wake, lifespan: .lifetime, holder: holder)), by: holder)
        case "OFF": return Command(.restore(holder: holder, kind: .wake), by: holder)
        default: throw Problem(.invalidBody, "The payload must be ON or OFF.", at: "")
        }
    }
}

extension DisplayState {
    /// Whether the baseline is above the minimum, or the range has one step.
    var isLit: Bool { range.minimum == range.maximum || range.step(for: baseline) > range.minimum }

    /// The state of Home Assistant's JSON light.
    var lightJSON: [UInt8] {
        let isOn = power.isSwitchable ? power.isOn ?? true : isLit || boost != nil
        return JSONWriter.object { json in
            json.member("state", isOn ? "ON" : "OFF")
            json.member("color_mode", isDimmable ? "brightness" : "onoff")
            guard isDimmable else { return }
            json.member("brightness", Int((brightness.fraction * Double(Command.lightScale)).rounded()))
        }
    }
}
