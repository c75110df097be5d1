// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The expected state of one provided display, by the published rules. Shares no code with the core.
struct ExpectedProvided {
    struct Key: Hashable {
        let kind: LeaseKind
        let holder: String
    }

    struct Lease {
        var brightness: Double
        var end: Int
        var isOverridden = false
    }

    let owner: Principal
    /// Another one keeps everything.
    var maximum: Int
    let isSwitchable: Bool
    var provider: SimulatedClient?
    /// Since when it has no provider.
    var goneSince: Int?
    var baseline: Double
    var leases: [Key: Lease] = [:]
    var powerBaseline = true
    /// The power that a person has set since the last power command or lease.
    var outside: Bool?
    /// Whether it was not seen since a restart, was not switched off by the daemon before, and nobody has switched it.
    var isAssumedOn = false

    var brightness: Double {
        let boosts = leases.filter { $0.key.kind == .boost && !$0.value.isOverridden }.map(\.value.brightness)
        let dims = leases.filter { $0.key.kind == .dim && !$0.value.isOverridden }.map(\.value.brightness)
        return min(max(baseline, boosts.max() ?? 0), dims.min() ?? 1)
    }

    var step: Int { Int((brightness * Double(maximum)).rounded()) }

    var isOn: Bool {
        outside ?? (powerBaseline && !leases.contains { $0.key.kind == .sleep && !$0.value.isOverridden })
    }

    mutating func expire(at now: Int) { leases = leases.filter { $0.value.end > now } }

    mutating func set(_ brightness: Double) { baseline = brightness }

    mutating func grant(_ kind: LeaseKind, _ holder: String, _ brightness: Double, until end: Int) {
        let key = Key(kind: kind, holder: holder)
        if kind == .sleep, leases[key] == nil { (outside, isAssumedOn) = (nil, false) }
        leases[key] = Lease(brightness: brightness, end: end, isOverridden: leases[key]?.isOverridden ?? false)
    }

    mutating func restore(_ holder: String) { leases = leases.filter { $0.key.holder != holder } }

    mutating func setPower(_ isOn: Bool) {
        (powerBaseline, outside, isAssumedOn) = (isOn, nil, false)
        override { $0 == .sleep }
    }

    mutating func personSets(_ brightness: Double) {
        baseline = brightness
        override { $0 != .sleep }
    }

    mutating func personTurns(_ isOn: Bool) {
        outside = isOn
        override { $0 == .sleep }
    }

    private mutating func override(_ isMeant: (LeaseKind) -> Bool) {
        for key in leases.keys where isMeant(key.kind) { leases[key]?.isOverridden = true }
    }

    /// The difference to a published state; `nil` for none.
    func difference(_ state: DisplayState) -> String? {
        if state.range.maximum != maximum { return "\(state.range.maximum) steps, not \(maximum)" }
        if state.baseline.fraction != baseline { return "baseline \(state.baseline.fraction), not \(baseline)" }
        if state.brightness.fraction != brightness {
            return "brightness \(state.brightness.fraction), not \(brightness)"
        }
        if state.power.baseline != powerBaseline { return "power baseline \(state.power.baseline)" }
        for kind in [LeaseKind.boost, .dim, .sleep] {
            let own = leases.filter { $0.key.kind == kind }.map(\.value)
            let counted = own.contains { !$0.isOverridden } ? own.filter { !$0.isOverridden } : own
            let summary = state.leases(of: kind)
            guard summary?.count ?? 0 == counted.count else {
                return "\(summary?.count ?? 0) \(kind)s, not \(counted.count)"
            }
            if summary?.isOverridden ?? false != (counted.first?.isOverridden ?? false) { return "\(kind) overridden" }
        }
        if provider == nil, state.isAvailable { return "available without a client" }
        return nil
    }
}
