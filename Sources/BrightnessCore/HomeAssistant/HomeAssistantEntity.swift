// SPDX-License-Identifier: Apache-2.0

/// A display, as Home Assistant knows it. Equal if its entities are.
package struct HomeAssistantDisplay: Hashable, Sendable {
    package let id: DisplayID
    package let name: String
    package let isDimmable: Bool
    package let isSwitchable: Bool

    package init(id: DisplayID, name: String, isDimmable: Bool = true, isSwitchable: Bool = false) {
        self.id = id
        self.name = name
        self.isDimmable = isDimmable
        self.isSwitchable = isSwitchable
    }

    package init(_ state: DisplayState) {
        self.init(
            id: state.id,
            name: state.name,
            isDimmable: state.isDimmable,
            isSwitchable: state.power.isSwitchable
        )
    }

    /// - Parameter hasLight: Whether there is a light sensor.
    package func entities(withLight hasLight: Bool) -> [HomeAssistantEntity] {
        HomeAssistantEntity.allCases.filter { $0.exists(on: self, withLight: hasLight) }
    }
}

/// An entity of a display in Home Assistant. MQTT and the ESPHome protocol announce the same ones, each in its form.
///
/// The raw value is the entity's role: a part of its ids, without `_`.
package enum HomeAssistantEntity: String, CaseIterable, Sendable {
    case awake, automatic, light, power, boost, restore, boosted, cause

    /// The holder of the leases from its buttons and switches.
    package static let holder = "home-assistant"

    package var role: String { rawValue }

    /// The name after the display's; empty for the light or the switch that stands for the display.
    package var name: String {
        switch self {
        case .awake: "Keep awake"
        case .automatic: "Automatic brightness"
        case .light, .power: ""
        case .boost: "Boost"
        case .restore: "Restore"
        case .boosted: "Boosted"
        case .cause: "Last change"
        }
    }

    /// The name of a Material Design icon; `nil` for the platform's.
    package var icon: String? {
        switch self {
        case .awake: "mdi:sleep-off"
        case .automatic: "mdi:brightness-auto"
        case .boost: "mdi:brightness-7"
        case .restore: "mdi:brightness-5"
        case .power: "mdi:television"
        case .cause: "mdi:history"
        case .light, .boosted: nil
        }
    }

    package var isDiagnostic: Bool { self == .cause }

    /// The icon of the buttons of presets.
    package static let presetIcon = "mdi:palette"

    /// The body that the button of a preset sends with the method `preset`, for all displays.
    package static func press(_ preset: ResourceName) -> [String: JSONValue] {
        ["name": .string(preset.text), "holder": .string(holder)]
    }

    fileprivate func exists(on display: HomeAssistantDisplay, withLight hasLight: Bool) -> Bool {
        switch self {
        case .automatic: display.isDimmable && hasLight
        case .awake: display.isSwitchable
        case .power: display.isSwitchable && !display.isDimmable
        case .light, .boost, .restore, .boosted: display.isDimmable
        case .cause: true
        }
    }

    /// The request of a switch, with the members of its body; `nil` for the others.
    package func request(on isOn: Bool) -> (method: CommandMethod, body: [String: JSONValue])? {
        switch self {
        case .automatic: (.auto, ["enabled": .bool(isOn), "holder": .string(Self.holder)])
        case .awake where isOn:
            (.lease(.wake), ["lifespan": .string(LeaseLifespan.lifetime.rawValue), "holder": .string(Self.holder)])
        case .power: (.power, ["on": .bool(isOn), "holder": .string(Self.holder)])
        case .awake: (.restore, ["kind": .string(LeaseKind.wake.rawValue), "holder": .string(Self.holder)])
        case .light, .boost, .restore, .boosted, .cause: nil
        }
    }

    /// The command of a switch; `nil` for the others. A lease that a person has overridden would stay overridden if it
    /// was renewed, so it is released first.
    ///
    /// - Parameter isOverridden: Whether a person has overridden the lease of the switch.
    package func command(on isOn: Bool, isOverridden: Bool) throws(Problem) -> Command? {
        guard let request = request(on: isOn) else { return nil }
        let command = try Self.command(request)
        guard isOn, isOverridden, self == .awake, let end = self.request(on: false) else { return command }
        var release = try Self.command(end)
        release.followers = [command.action]
        return release
    }

    private static func command(
        _ request: (method: CommandMethod, body: [String: JSONValue])
    ) throws(Problem) -> Command {
        try request.method.command(from: RequestBody(params: request.body, by: nil), lifespan: .custom).command
    }

    /// The request that a press sends, with the members of its body; `nil` for entities that are not buttons.
    package var press: (method: CommandMethod, body: [String: JSONValue])? {
        switch self {
        case .boost: (.lease(.boost), ["holder": .string(Self.holder)])
        // Without the wake of the switch.
        case .restore: (.restore, ["holder": .string(Self.holder), "kind": .string(LeaseKind.boost.rawValue)])
        case .awake, .automatic, .light, .power, .boosted, .cause: nil
        }
    }
}
