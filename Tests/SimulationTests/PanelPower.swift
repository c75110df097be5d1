// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// The power of a panel as far as the daemon knows it, and the last switch.
struct PanelPower {
    /// Whether the panel is on, as the daemon last read or wrote it; `nil` if it cannot know that.
    var known: Bool? = true
    /// Whether a monitor only counts as on, because it answers: somebody who asks for light gets it switched on.
    var isAssumed = false
    /// Whether a failed switch may have reached the panel, and the daemon has not read it since.
    var isUnsure = false
    /// The time of the last switch; `nil` without one in this run of the daemon.
    var lastSwitch: Int?
    /// The one that switched the panel last.
    var hand = Screen.Hand.daemon
    /// The state that was read together with the step that is read next.
    var seen: Bool?
}

/// The panel's switch.
extension Screen {
    var canReadPower: Bool { panel.readPower() != nil }

    /// Others have switched the panel since the daemon read it.
    var isPowerTouched: Bool { canReadPower && panel.isOn != power.known }

    /// Whether a start switches the panel on, although others have switched it off.
    var isPowerForgotten: Bool { panel.isVolatile && !panel.isOn }

    private var interval: Int { milliseconds(panel.switchInterval) }

    /// Whether the last switch, and the last flashes, were so long ago that everything had to be right at `lastAt`.
    var isSettled: Bool { !mayHaveToWait && power.lastSwitch.map { $0 + interval <= lastAt } ?? true }

    /// Whether the panel shows its step, as far as the daemon has to care.
    var isLit: Bool { panel.isOn && isSettled }

    // MARK: The daemon

    func readPower() -> Bool? {
        power.seen = panel.readPower()
        return power.seen
    }

    /// The daemon has read the panel, its power included.
    func lookedAtPower() {
        guard let seen = power.seen else { return }
        if let known = power.known, known != seen, !power.isUnsure, !isPowerGone {
            log { "  \(panel.id) is found \(seen ? "on" : "off")" }
            insert(Entry(kind: .foundPower(seen), at: batchAt))
        }
        (power.known, power.isUnsure) = (seen, false)
        if !seen { mark() }
    }

    /// A start lights a panel that it cannot switch and an earlier run has switched off.
    func light(_ isOn: Bool) throws(DeviceError) {
        if panel.isSwitchable || !isOn { fault("\(panel.id): a start switches it \(isOn ? "on" : "off")") }
        // Without the permission to switch a backlight, its file cannot be written.
        if canReadPower { throw .permission(path: "/test") }
        try panel.writePower(isOn)
        log { "  \(panel.id) is lit" }
        power.hand = .daemon
    }

    func writePower(_ isOn: Bool) throws(DeviceError) {
        if !panel.isSwitchable { fault("\(panel.id): switched, and must not be") }
        if power.known == isOn, !(isOn && power.isAssumed) {
            fault("\(panel.id): switched \(isOn ? "on" : "off") twice")
        }
        checkInterval()
        let before = panel.isOn
        mark()
        do {
            try panel.writePower(isOn)
            log { "  \(panel.id) is switched \(isOn ? "on" : "off")" }
            (power.known, power.isUnsure, power.lastSwitch, power.hand) = (isOn, false, batchAt, .daemon)
            power.isAssumed = false
            showed(isOn ? known : 0, isOurs: true)
        } catch {
            faults += 1
            wasInTrouble = true
            log { "  \(panel.id) is not switched \(isOn ? "on" : "off"), and is \(panel.isOn ? "on" : "off")" }
            if case .absent = error { isGone = true }
            if panel.isOn != before { power.hand = .daemon }
            if case .io = error {
                (power.isUnsure, power.lastSwitch) = (true, batchAt)
                if !canReadPower { power.known = nil }
            }
            throw error
        }
    }

    /// A monitor that has just been switched is left alone, except by the last command.
    func checkInterval() {
        guard let last = power.lastSwitch, batchAt < last + interval, !isEnding else { return }
        fault("\(panel.id): written \(batchAt - last) ms after it was switched")
    }

    // MARK: Others

    /// A person or a program switches the panel.
    func turn(_ isOn: Bool, by hand: Hand) {
        panel.isOn = isOn
        power.hand = hand
    }

    /// A new run of the daemon has read the panel.
    func beginPower(knowing isOn: Bool?) {
        power = PanelPower(known: isOn, isAssumed: !canReadPower && isOn == true, hand: power.hand)
    }
}
