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
            /// *Changed by a person*.
            case change(DisplayID)
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

    /// The most displays. Clients keep a device of each, and one that has thousands is of no use.
    static let displayLimit = 64
    /// The most characters of a display's name.
    private static let longestName = 100

    private(set) var entities: [Entity] = []
    private(set) var devices: [Device] = []
    private var places: [UInt32: Int] = [:]
    private var ranges: [DisplayID: Range<Int>] = [:]
    private var names: [DisplayID: String] = [:]

    /// - Parameter displays: Those beyond `displayLimit` are left out.
    init(_ displays: some Sequence<HomeAssistantDisplay>, hasIlluminance: Bool, presets: [ResourceName] = []) {
        for display in displays.prefix(Self.displayLimit) {
            let device = Device(
                id: Self.number(of: display.id.text) { id in !devices.contains { $0.id == id } },
                name: display.name.plain(upTo: Self.longestName)
            )
            devices.append(device)
            let start = entities.count
            for entity in display.entities(withLight: hasIlluminance) {
                add(
                    .display(display.id, entity),
                    path: "\(display.id.text)/\(entity.role)",
                    object: entity.role,
                    entity.name,
                    icon: entity.icon,
                    isDiagnostic: entity.isDiagnostic,
                    device: device.id
                )
            }
            add(
                .change(display.id),
                path: "\(display.id.text)/change",
                object: "change",
                "Changed by a person",
                icon: "mdi:account-alert",
                device: device.id
            )
            ranges[display.id] = start..<entities.count
            names[display.id] = display.name
        }
        for preset in presets {
            let path = "preset/\(preset.text)"
            add(
                .preset(preset),
                path: path,
                object: "preset-\(Self.number(of: path) { _ in true })",
                preset.text,
                icon: HomeAssistantEntity.presetIcon
            )
        }
        if hasIlluminance { add(.illuminance, path: "illuminance", object: "illuminance", "Illuminance") }
    }

    private mutating func add(
        _ role: Entity.Role,
        path: String,
        object: String,
        _ name: String,
        icon: String? = nil,
        isDiagnostic: Bool = false,
        device: UInt32 = 0
    ) {
        let key = Self.number(of: path) { places[$0] == nil }
        places[key] = entities.count
        let head = EntityHead(
            object: object,
            key: key,
            name: name,
            icon: icon,
            isDiagnostic: isDiagnostic,
            device: device
        )
        entities.append(Entity(role: role, head: head))
    }

    /// Returns the place of the entity with a key.
    func place(of key: UInt32) -> Int? { places[key] }

    /// Returns the places of a display's entities.
    func places(of display: DisplayID) -> Range<Int> { ranges[display] ?? 0..<0 }

    /// Whether it has the display under another name.
    func renames(_ state: DisplayState) -> Bool { names[state.id].map { $0 != state.name } ?? false }

    /// The place of the sensor of the current light; `nil` without one.
    var illuminance: Int? { entities.last?.role == .illuminance ? entities.count - 1 : nil }

    /// Derives a number from a text: FNV-1a, or the next one that is free. Never 0, which protobuf leaves out.
    static func number(of text: String, isFree: (UInt32) -> Bool) -> UInt32 {
        var number: UInt32 = text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
        while number == 0 || !isFree(number) { number &+= 1 }
        return number
    }
}

extension EntityTable.Entity {
    /// `nil` for an entity of the machine.
    var display: DisplayID? {
        switch role {
        case .display(let id, _), .change(let id): id
        case .preset, .illuminance: nil
        }
    }

    /// The entity in the list.
    var listing: OutgoingMessage {
        switch role {
        case .illuminance: .listIlluminance(head)
        case .display(_, .light): .listLight(head)
        case .change: .listEvent(head, Self.personalCauses.map(\.rawValue))
        case .display(_, .awake), .display(_, .automatic), .display(_, .power): .listSwitch(head)
        case .display(_, .boost), .display(_, .restore), .preset: .listButton(head)
        case .display(_, .boosted): .listBinarySensor(head)
        case .display(_, .cause): .listTextSensor(head)
        }
    }

    /// The causes of changes that a person makes at the machine. Each is a type of event.
    static let personalCauses: [Cause.Kind] = [.external, .hotkey, .simulator]

    /// The event of a change; `nil` if no person made it.
    func event(of cause: Cause) -> OutgoingMessage? {
        guard case .change = role, Self.personalCauses.contains(cause.kind) else { return nil }
        return .event(head, cause.kind.rawValue)
    }

    /// The entity's state; `nil` for an entity without one.
    ///
    /// - Parameter isAwake: Whether the switch *Keep awake* is on.
    func state(_ state: DisplayState, isAwake: Bool) -> OutgoingMessage? {
        guard case .display(_, let entity) = role else { return nil }
        return switch entity {
        case .light: .light(head, isOn: state.isLightOn, brightness: state.lightBrightness(ofScale: 255) / 255)
        case .power: .toggle(head, isOn: state.power.isOn ?? state.power.baseline)
        case .awake: .toggle(head, isOn: isAwake)
        case .automatic: .toggle(head, isOn: state.automatic.isEnabled)
        case .boosted: .binarySensor(head, isOn: state.boost != nil)
        case .cause: .textSensor(head, state.cause.kind.rawValue)
        case .boost, .restore: nil
        }
    }
}
