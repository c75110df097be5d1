// SPDX-License-Identifier: Apache-2.0

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

    /// An hour, as for every other client. A longer transition lasts as long.
    private static let longestTransition: Duration = .seconds(3_600)

    package init(isOn: Bool?, brightness: Brightness? = nil, transition: Duration? = nil) {
        self.isOn = isOn
        self.brightness = brightness
        self.transition = transition.map { min($0, Self.longestTransition) }
    }

    /// The command to carry out; `nil` if it changes nothing.
    ///
    /// - Parameter state: The published one of a display of this machine. A command that waits for its panel may still
    ///   change it.
    package func command(for state: DisplayState) -> Command? {
        let wanted = brightness.map { Command.Action.set(.fraction($0)) }
        guard let isOn else { return wanted.map { command($0) } }
        guard state.power.isSwitchable else {
            let lit = state.isLit ? state.baseline : Brightness(clamping: 0.5)
            return command(isOn ? (wanted ?? .set(.fraction(lit))) : .set(.fraction(Brightness(clamping: 0))))
        }
        var light = command(.setPower(isOn))
        guard isOn, let wanted else { return light }
        // A slider sends many of these: a panel that is on needs no power command. Whether it is on shows when the
        // commands before this one are done.
        light.condition = .dark
        light.followers = [wanted]
        return light
    }

    private func command(_ action: Command.Action) -> Command {
        Command(action, by: HomeAssistantEntity.holder, transition: transition)
    }
}

extension DisplayState {
    /// Whether the baseline is above the minimum, or the range has one step.
    fileprivate var isLit: Bool { range.minimum == range.maximum || range.step(for: baseline) > range.minimum }

    package var isLightOn: Bool { power.isSwitchable ? (power.isOn ?? true) : (isLit || boost != nil) }

    /// The brightness of its light in Home Assistant, of `scale` steps. Home Assistant ignores a lit light's 0, so that
    /// one has at least 1.
    package func lightBrightness(ofScale scale: Double) -> Double {
        max(brightness.fraction * scale, isLightOn ? 1 : 0)
    }
}

extension LeaseTable {
    /// Whether the switch *Keep awake* is on.
    ///
    /// - Parameter principal: The principal of the switch's transport.
    package func keepsAwake(for principal: Principal) -> Bool {
        wake(for: principal).map { !$0.isOverridden } ?? false
    }

    /// Whether a person has overridden what the switch *Keep awake* has asked for.
    package func isAwakeOverridden(for principal: Principal) -> Bool {
        wake(for: principal)?.isOverridden ?? false
    }

    /// The lease of the switch: a holder has one of a kind.
    private func wake(for principal: Principal) -> Lease? {
        all.first { $0.kind == .wake && $0.principal == principal && $0.holder == HomeAssistantEntity.holder }
    }
}
