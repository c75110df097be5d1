// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The expected power of one display, by the published rules. Shares no code with the core.
struct ExpectedPower: Hashable {
    /// Whether this run of the daemon can switch the panel.
    var isSwitchable: Bool
    /// Whether people want the panel on, in runs that can switch it.
    var baseline = true
    /// The state that others have set since the last power command or lease; `nil` if they have not.
    var outside: Bool?
    /// The state that others have set while no daemon ran, until the start's first batch has stored that; `nil` if they
    /// have not.
    var found: Bool?

    /// The reported baseline: nobody can ask a panel to be off that cannot be switched.
    var published: Bool { baseline || !isSwitchable }
}

extension Expectation {
    /// Whether the panel is to be on.
    var isOn: Bool {
        if let outside = power.outside { return outside }
        if leases.contains(where: { $0.key.kind == .wake && !$0.value.isOverridden }) { return true }
        return power.baseline && !leases.contains { $0.key.kind == .sleep && !$0.value.isOverridden }
    }

    /// Applies a switch by a person or a program.
    mutating func foundPower(_ isOn: Bool, at now: Int) {
        power.outside = isOn
        if isOn { power.baseline = true }
        override(.power, at: now)
    }

    /// The start's first batch has stored what the start has found.
    mutating func adoptPower() {
        guard let found = power.found else { return }
        (power.outside, power.found) = (found, nil)
        override(.power)
    }
}
