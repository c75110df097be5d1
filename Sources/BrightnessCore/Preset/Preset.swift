// SPDX-License-Identifier: Apache-2.0

/// Values for several displays that people apply together, such as those of a film evening.
package struct Preset: Hashable, Sendable {
    package static let mostRules = 64

    package let name: ResourceName
    /// The most specific one first; no two are for the same displays.
    package let rules: [Rule]

    /// Returns `nil` unless there are 1 to `mostRules` rules, each for displays of its own.
    package init?(_ name: ResourceName, _ rules: [Rule]) {
        guard (1...Self.mostRules).contains(rules.count), Set(rules.map(\.displays)).count == rules.count else {
            return nil
        }
        self.name = name
        self.rules = rules.sorted { $0.displays < $1.displays }
    }

    /// The preset with another spelling of its name.
    func named(_ name: ResourceName) -> Preset { Preset(name, rules) ?? self }

    /// Returns the value of a display; `nil` if no rule is for it.
    package func value(for state: DisplayState, among groups: DisplayGroups) -> PresetValue? {
        rules.first { $0.displays.includes(state, among: groups) }?.value
    }

    package struct Rule: Hashable, Sendable {
        package let displays: PresetDisplays
        package let value: PresetValue

        package init(_ displays: PresetDisplays, _ value: PresetValue) {
            (self.displays, self.value) = (displays, value)
        }
    }
}

/// A brightness, a power state, or both.
package struct PresetValue: Hashable, Sendable {
    package let brightness: Brightness?
    package let isOn: Bool?

    /// Returns `nil` for neither.
    package init?(brightness: Brightness?, isOn: Bool?) {
        guard brightness != nil || isOn != nil else { return nil }
        (self.brightness, self.isOn) = (brightness, isOn)
    }
}
