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
        HomeAssistantEntity.all.filter { entity in
            entity.needs.allSatisfy { need in
                switch need {
                case .dimmable: isDimmable
                case .undimmable: !isDimmable
                case .switchable: isSwitchable
                case .lightSensor: hasLight
                }
            }
        }
    }
}

/// An entity of a display in Home Assistant: a row of `all`. MQTT's discovery and ESPHome's list render each row.
package struct HomeAssistantEntity: Sendable, Equatable {
    /// The kind of entity, with its name in MQTT's discovery.
    package enum Platform: String, Sendable {
        case light, button
        case toggle = "switch"
        case binarySensor = "binary_sensor"
        /// A sensor whose state is a text.
        case text = "sensor"
        /// Changes by a person. ESPHome has this platform, and MQTT's discovery leaves it out.
        case event
    }

    package enum State: Sendable {
        case isOn(Bool)
        case text(String)
    }

    /// The retained documents of a display at the broker.
    package enum Document: Sendable {
        case state, leases
    }

    package typealias Request = (method: CommandMethod, body: [String: JSONValue])

    fileprivate enum Need {
        case dimmable, undimmable, switchable, lightSensor
    }

    /// The holder of the leases from its buttons and switches.
    package static let holder = "home-assistant"

    package static let presetIcon = "mdi:palette"

    /// A part of its ids, without `_`.
    package let role: String
    package let platform: Platform
    /// The name after the display's; empty for the light or the switch that stands for the display.
    package let name: String
    /// The name of a Material Design icon; `nil` for the platform's.
    package let icon: String?
    package let isDiagnostic: Bool
    fileprivate let needs: [Need]
    /// The state; its second parameter is whether *Keep awake* is on. `nil` for an entity without a state.
    package private(set) var state: (@Sendable (DisplayState, Bool) -> State)?
    /// The template with which Home Assistant reads the state from a document; `nil` for one with a topic of its own.
    package private(set) var template: String?
    package private(set) var document = Document.state
    /// The document whose members Home Assistant shows as attributes.
    package private(set) var attributes: Document?
    /// The request of a press, or those of off and on.
    private var requests: [Request] = []

    /// In the order of the lists.
    package static let all: [HomeAssistantEntity] = [
        awake,
        Self("automatic", .toggle, "Automatic brightness", "mdi:brightness-auto", needs: .dimmable, .lightSensor)
            .shows("{{ 'ON' if value_json.auto.enabled else 'OFF' }}") { state, _ in .isOn(state.automatic.isEnabled) }
            .sends((.auto, ["enabled": .bool(false)]), (.auto, ["enabled": .bool(true)])),
        Self("light", .light, needs: .dimmable).shows(nil, attributes: .state) { state, _ in .isOn(state.isLightOn) },
        Self("power", .toggle, "", "mdi:television", needs: .switchable, .undimmable)
            // `None` is Home Assistant's word for an unknown state.
            .shows("{{ 'None' if value_json.power.on is none else 'ON' if value_json.power.on else 'OFF' }}") {
                state,
                _ in .isOn(state.power.isOn ?? state.power.baseline)
            }
            .sends((.power, ["on": .bool(false)]), (.power, ["on": .bool(true)])),
        Self("boost", .button, "Boost", "mdi:brightness-7", needs: .dimmable).sends((.lease(.boost), [:])),
        // Ends the boosts, and not the wake of the switch *Keep awake*.
        Self("restore", .button, "Restore", "mdi:brightness-5", needs: .dimmable)
            .sends((.restore, ["kind": .string(LeaseKind.boost.rawValue)])),
        Self("boosted", .binarySensor, "Boosted", needs: .dimmable)
            .shows("{{ 'ON' if value_json.boost else 'OFF' }}", attributes: .leases) { state, _ in
                .isOn(state.boost != nil)
            },
        Self("cause", .text, "Last change", "mdi:history", isDiagnostic: true)
            .shows("{{ value_json.cause.kind }}") { state, _ in .text(state.cause.kind.rawValue) },
        Self("change", .event, "Changed by a person", "mdi:account-alert"),
    ]

    /// The switch of a wake, which a person may have overridden.
    package static let awake = Self("awake", .toggle, "Keep awake", "mdi:sleep-off", needs: .switchable)
        .shows(
            "{{ 'ON' if value_json.leases | selectattr('kind', 'eq', 'wake') | selectattr('principal', 'eq', "
                + "'\(Principal.mqtt.text)') | selectattr('holder', 'eq', '\(holder)') | "
                + "rejectattr('overridden') | list else 'OFF' }}",
            in: .leases
        ) { _, isAwake in .isOn(isAwake) }
        .sends(
            (.restore, ["kind": .string(LeaseKind.wake.rawValue)]),
            (.lease(.wake), ["lifespan": .string(LeaseLifespan.lifetime.rawValue)])
        )

    private init(
        _ role: String,
        _ platform: Platform,
        _ name: String = "",
        _ icon: String? = nil,
        isDiagnostic: Bool = false,
        needs: Need...
    ) {
        (self.role, self.platform, self.name, self.icon) = (role, platform, name, icon)
        (self.isDiagnostic, self.needs) = (isDiagnostic, needs)
    }

    private func shows(
        _ template: String?,
        in document: Document = .state,
        attributes: Document? = nil,
        _ state: @escaping @Sendable (DisplayState, Bool) -> State
    ) -> Self {
        var entity = self
        (entity.template, entity.document, entity.attributes, entity.state) = (template, document, attributes, state)
        return entity
    }

    private func sends(_ requests: Request...) -> Self {
        var entity = self
        entity.requests = requests.map { ($0.method, $0.body.merging(["holder": .string(Self.holder)]) { $1 }) }
        return entity
    }

    package static func == (one: Self, other: Self) -> Bool { one.role == other.role }

    /// The request that a press sends, with the members of its body; `nil` for entities that are not buttons.
    package var press: Request? { platform == .button ? requests.first : nil }

    /// The request of a switch; `nil` for the others.
    package func request(on isOn: Bool) -> Request? { platform == .toggle ? requests[isOn ? 1 : 0] : nil }

    /// The body that the button of a preset sends with the method `preset`, for all displays.
    package static func press(_ preset: ResourceName) -> [String: JSONValue] {
        ["name": .string(preset.text), "holder": .string(holder)]
    }

    /// The command of a switch; `nil` for the others. A lease that a person has overridden would stay overridden if it
    /// was renewed, so it is released first.
    ///
    /// - Parameter isOverridden: Whether a person has overridden the lease of the switch.
    package func command(on isOn: Bool, isOverridden: Bool) throws(Problem) -> Command? {
        guard let request = request(on: isOn) else { return nil }
        let command = try request.method.command(with: request.body)
        guard isOn, isOverridden, self == .awake, let end = self.request(on: false) else { return command }
        var release = try end.method.command(with: end.body)
        release.followers = [command.action]
        return release
    }
}
