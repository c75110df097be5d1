// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore

/// A command of Home Assistant for a display's light.
///
/// A display that can be switched is switched off and on. For any other one, off sets the minimum, and on without a
/// brightness sets a display at the minimum to 50 %.
package struct HomeAssistantLight: Hashable, Sendable {
    /// `nil` keeps the light on or off.
    package let isOn: Bool?
    /// `nil` keeps the brightness.
    package let brightness: Brightness?
    package let transition: Duration?

    package init(isOn: Bool?, brightness: Brightness? = nil, transition: Duration? = nil) {
        self.isOn = isOn
        self.brightness = brightness
        self.transition = transition
    }

    /// The commands to carry out, in their order.
    ///
    /// - Parameter state: The published one of a display of this machine. A command that waits for its panel may still
    ///   change it.
    package func commands(for state: DisplayState) -> [Command] {
        let wanted = brightness.map { set($0) }
        guard let isOn else { return wanted.map { [$0] } ?? [] }
        guard isOn else { return [state.power.isSwitchable ? command(.setPower(false)) : set(Brightness(clamping: 0))] }
        guard state.power.isSwitchable else {
            return [wanted ?? set(state.isLit ? state.baseline : Brightness(clamping: 0.5))]
        }
        guard let wanted else { return [command(.setPower(true))] }
        // A slider sends many of these: a panel that is on needs no power command. Whether it is on shows when the
        // commands before this one are done.
        var light = command(.setPower(true))
        light.condition = .dark
        return [light, wanted]
    }

    private func set(_ brightness: Brightness) -> Command { command(.set(.fraction(brightness))) }

    private func command(_ action: Command.Action) -> Command {
        Command(action, by: HomeAssistantEntity.holder, transition: transition)
    }
}

extension DisplayState {
    /// Whether the baseline is above the minimum, or the range has one step.
    fileprivate var isLit: Bool { range.minimum == range.maximum || range.step(for: baseline) > range.minimum }

    /// Whether its light in Home Assistant is on.
    package var isLightOn: Bool { power.isSwitchable ? power.isOn ?? true : isLit || boost != nil }
}

extension LeaseTable {
    /// Whether the switch *Keep awake* is on.
    ///
    /// - Parameter principal: The one of the switch's transport.
    package func keepsAwake(for principal: Principal) -> Bool {
        wake(for: principal).map { !$0.isOverridden } ?? false
    }

    /// Whether a person has overridden what the switch *Keep awake* has asked for.
    package func isOverridden(for principal: Principal) -> Bool {
        wake(for: principal)?.isOverridden ?? false
    }

    /// The lease of the switch: a holder has one of a kind.
    private func wake(for principal: Principal) -> Lease? {
        all.first { $0.kind == .wake && $0.principal == principal && $0.holder == HomeAssistantEntity.holder }
    }
}
