// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The entities of all displays in the order in which they are listed, with their keys. Equal tables have the same
/// list.
///
/// A client reads the list once a connection. Keys and devices are derived from the displays' ids, so they are the same
/// after a restart.
struct EntityTable: Equatable {
    struct Entity: Equatable {
        enum Role: Equatable {
            case display(DisplayID, HomeAssistantEntity)
            /// A button that applies it.
            case preset(ResourceName)
            case illuminance
        }

        let role: Role
        let head: EntityHead
    }

    struct Device: Equatable {
        let id: UInt32
        let name: String
    }

    /// The maximum number of displays. Clients keep a device for each, and a list of thousands is of no use.
    static let displayLimit = 64
    /// The maximum number of characters of a display's name.
    private static let longestName = 100

    private(set) var entities: [Entity] = []
    private(set) var devices: [Device] = []
    private var indices: [UInt32: Int] = [:]
    private var ranges: [DisplayID: Range<Int>] = [:]
    private var names: [DisplayID: String] = [:]

    /// - Parameter displays: Displays beyond `displayLimit` are left out.
    init(_ displays: some Sequence<HomeAssistantDisplay>, hasIlluminance: Bool, presets: [ResourceName] = []) {
        for display in displays.prefix(Self.displayLimit) {
            let device = Device(
                id: Self.number(of: display.id.text) { id in !devices.contains { $0.id == id } },
                name: display.name.plain(upTo: Self.longestName)
            )
            devices.append(device)
            let start = entities.count
            for entity in display.entities(withLight: hasIlluminance) {
                var head = head(at: "\(display.id.text)/\(entity.role)", object: entity.role, entity.name)
                (head.icon, head.isDiagnostic, head.device) = (entity.icon, entity.isDiagnostic, device.id)
                entities.append(Entity(role: .display(display.id, entity), head: head))
            }
            ranges[display.id] = start..<entities.count
            names[display.id] = display.name
        }
        for preset in presets {
            let path = "preset/\(preset.text)"
            var head = head(at: path, object: "preset-\(Self.number(of: path))", preset.text)
            head.icon = HomeAssistantEntity.presetIcon
            entities.append(Entity(role: .preset(preset), head: head))
        }
        guard hasIlluminance else { return }
        let head = head(at: "illuminance", object: "illuminance", "Illuminance")
        entities.append(Entity(role: .illuminance, head: head))
    }

    /// The head of the entity that is added next, whose key is derived from the path.
    private mutating func head(at path: String, object: String, _ name: String) -> EntityHead {
        let key = Self.number(of: path) { indices[$0] == nil }
        indices[key] = entities.count
        return EntityHead(object: object, key: key, name: name)
    }

    func index(of key: UInt32) -> Int? { indices[key] }

    func indices(of display: DisplayID) -> Range<Int> { ranges[display] ?? 0..<0 }

    /// Whether the display's name in the table is an old one.
    func renames(_ state: DisplayState) -> Bool { names[state.id].map { $0 != state.name } ?? false }

    /// The index of the sensor of the current light; `nil` without one.
    var illuminance: Int? { entities.last?.role == .illuminance ? entities.count - 1 : nil }

    /// Derives a number from a text: FNV-1a, or the next one that is free. Never 0, which protobuf leaves out.
    static func number(of text: String, isFree: (UInt32) -> Bool = { _ in true }) -> UInt32 {
        var number: UInt32 = text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
        while number == 0 || !isFree(number) { number &+= 1 }
        return number
    }
}

extension EntityTable.Entity {
    /// `nil` for an entity of the machine.
    var display: DisplayID? { if case .display(let id, _) = role { id } else { nil } }

    /// COLOR_MODE_BRIGHTNESS
    private static let colorMode: UInt8 = 3

    var listing: OutgoingMessage {
        switch role {
        case .illuminance:
            let details: MessageType.Values = [
                (.unitOfMeasurement, .text("lx")), (.accuracyDecimals, .varint(1)),
                // STATE_CLASS_MEASUREMENT
                (.deviceClass, .text("illuminance")), (.stateClass, .varint(1)),
            ]
            return .list(.listEntitiesSensorResponse, head, details)
        case .preset: return .list(.listEntitiesButtonResponse, head)
        case .display(_, let entity):
            switch entity.platform {
            // Packed, as proto3 does.
            case .light:
                return .list(.listEntitiesLightResponse, head, [(.supportedColorModes, .bytes([Self.colorMode]))])
            case .toggle: return .list(.listEntitiesSwitchResponse, head)
            case .button: return .list(.listEntitiesButtonResponse, head)
            case .binarySensor: return .list(.listEntitiesBinarySensorResponse, head)
            case .text: return .list(.listEntitiesTextSensorResponse, head)
            case .event:
                let types: MessageType.Values = Self.personalCauses.map { (.eventTypes, .text($0.rawValue)) }
                return .list(.listEntitiesEventResponse, head, types)
            }
        }
    }

    /// The causes of changes that a person makes at the machine. Each is a type of event.
    private static let personalCauses: [Cause.Kind] = [.external, .hotkey, .simulator]

    /// The event of a change; `nil` if no person made it.
    func event(of cause: Cause) -> OutgoingMessage? {
        guard case .display(_, let entity) = role, entity.platform == .event, Self.personalCauses.contains(cause.kind)
        else { return nil }
        return .state(.eventResponse, head, [(.eventType, .text(cause.kind.rawValue))])
    }

    /// The entity's state; `nil` for an entity without one.
    ///
    /// - Parameter isAwake: Whether the switch *Keep awake* is on.
    func state(_ display: DisplayState, isAwake: Bool) -> OutgoingMessage? {
        guard case .display(_, let entity) = role, let state = entity.state?(display, isAwake) else { return nil }
        let value: WireValue =
            switch state {
            case .isOn(let isOn): .bool(isOn)
            case .text(let text): .text(text)
            }
        switch entity.platform {
        case .light:
            let brightness = WireValue.float(Float(display.lightBrightness(ofScale: 255) / 255))
            let values: MessageType.Values = [
                (.state, value), (.brightness, brightness), (.colorMode, .number(Self.colorMode)),
            ]
            return .state(.lightStateResponse, head, values)
        case .toggle: return .state(.switchStateResponse, head, [(.state, value)])
        case .binarySensor: return .state(.binarySensorStateResponse, head, [(.state, value)])
        case .text: return .state(.textSensorStateResponse, head, [(.state, value)])
        case .button, .event: return nil
        }
    }

    /// The state of the sensor of the current light.
    ///
    /// - Parameter lux: `nil` while it is unknown.
    func illuminance(_ lux: Double?) -> OutgoingMessage {
        .state(.sensorStateResponse, head, [(.state, .float(Float(lux ?? 0))), (.missingState, .bool(lux == nil))])
    }
}

/// When a changed table of entities is offered to clients. They read the table once a connection, so a new one costs
/// every client its connection. Changes are collected for a while, which triples with each new table within a day.
///
/// Rules only; time is an argument.
struct TableChanges {
    private static let shortest: Duration = .seconds(10)
    private static let factor = 3
    private static let day: Duration = .seconds(86_400)

    /// When the new tables of the last day were offered.
    private var recent: [Instant] = []
    /// When to compare the newest table with the one that clients have read; `nil` without a possible change.
    private(set) var due: Instant?

    /// Notes that the table may have changed.
    mutating func note(at now: Instant) {
        guard due == nil else { return }
        recent.removeAll { $0 + Self.day <= now }
        due = now + recent.reduce(Self.shortest) { pause, _ in pause * Self.factor }
    }

    /// Notes the result of the comparison.
    mutating func end(isChanged: Bool, at now: Instant) {
        due = nil
        if isChanged { recent.append(now) }
    }

    /// Notes that there is no client, so that the next one reads the newest table.
    mutating func cancel() { due = nil }
}
