// SPDX-License-Identifier: Apache-2.0
import ArgumentParser
import BrightnessCore

struct PowerCommand: ClientCommand {
    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off, toggle
    }

    static let word = "power"
    static let abstract = "Switches a display on or off until somebody changes that."
    static let discussion = """
        Without a word it prints whether the display is on. toggle switches several displays off if one of them is \
        on.
        """

    @Argument(help: "on, off or toggle.")
    var state: Switch?

    func run(_ session: CommandSession) throws {
        switch state {
        case .on: try session.change(Command(.setPower(true)))
        case .off: try session.change(Command(.setPower(false)))
        case .toggle:
            let states = try session.client.states(of: session.target)
            try session.change(Command(.setPower(Self.switchesOn(states))))
        case nil:
            try session.show("power") { state in
                guard state.isAvailable else { return "not available" }
                return state.power.isOn.map { $0 ? "on" : "off" } ?? "unknown"
            }
        }
    }

    /// Whether `toggle` switches the displays on: none that can be switched now is on. Where the power is unknown, its
    /// baseline counts.
    static func switchesOn(_ states: [DisplayState]) -> Bool {
        !states.contains { $0.isAvailable && $0.power.isSwitchable && $0.power.isOn ?? $0.power.baseline }
    }
}
