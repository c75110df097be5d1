// SPDX-License-Identifier: Apache-2.0

/// The fields of every entity in the list. Their numbers differ between the kinds of entities.
struct EntityHead: Equatable {
    /// A part of Home Assistant's unique id.
    let object: String
    let key: UInt32
    let name: String
    let icon: String?
    let isDiagnostic: Bool
    /// The device that it belongs to; 0 for the daemon itself.
    let device: UInt32

    /// The number of `ENTITY_CATEGORY_DIAGNOSTIC`.
    fileprivate var category: UInt32 { isDiagnostic ? 2 : 0 }
}

/// The fields of a kind of entity that all kinds have.
protocol EntityField: MessageField {
    static var objectId: Self { get }
    static var key: Self { get }
    static var name: Self { get }
    static var icon: Self { get }
    static var entityCategory: Self { get }
    static var deviceId: Self { get }
}

extension ProtobufWriter where Field: EntityField {
    fileprivate mutating func head(_ head: EntityHead) {
        string(.objectId, head.object)
        fixed(.key, head.key)
        string(.name, head.name)
        string(.icon, head.icon ?? "")
        unsigned(.entityCategory, head.category)
        unsigned(.deviceId, head.device)
    }
}

extension OutgoingMessage {
    static func listLight(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesLightResponse, ListLightField.self) { message in
            message.head(head)
            // Packed, as proto3 does.
            message.data(.supportedColorModes, [UInt8(ColorMode.brightness.rawValue)])
        }
    }

    static func listSwitch(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesSwitchResponse, ListSwitchField.self) { $0.head(head) }
    }

    static func listButton(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesButtonResponse, ListButtonField.self) { $0.head(head) }
    }

    static func listBinarySensor(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesBinarySensorResponse, ListBinarySensorField.self) { $0.head(head) }
    }

    static func listTextSensor(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesTextSensorResponse, ListTextSensorField.self) { $0.head(head) }
    }

    static func listEvent(_ head: EntityHead, _ types: [String]) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesEventResponse, ListEventField.self) { message in
            message.head(head)
            for type in types { message.data(.eventTypes, Array(type.utf8)) }
        }
    }

    /// A sensor of the current light, in lux.
    static func listIlluminance(_ head: EntityHead) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesSensorResponse, ListSensorField.self) { message in
            message.head(head)
            message.string(.unitOfMeasurement, "lx")
            message.unsigned(.accuracyDecimals, 1)
            message.string(.deviceClass, "illuminance")
            // STATE_CLASS_MEASUREMENT
            message.unsigned(.stateClass, 1)
        }
    }
}

enum ColorMode: UInt32 {
    case brightness = 3
}

enum ListLightField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case supportedColorModes = 12
    case icon = 14
    case entityCategory = 15
    case deviceId = 16
}

enum ListSwitchField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 5
    case entityCategory = 8
    case deviceId = 10
}

enum ListButtonField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 5
    case entityCategory = 7
    case deviceId = 9
}

enum ListBinarySensorField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 8
    case entityCategory = 9
    case deviceId = 10
}

enum ListTextSensorField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 5
    case entityCategory = 7
    case deviceId = 9
}

enum ListEventField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 5
    case entityCategory = 7
    case eventTypes = 9
    case deviceId = 10
}

enum ListSensorField: Int, EntityField {
    case objectId = 1
    case key = 2
    case name = 3
    case icon = 5
    case unitOfMeasurement = 6
    case accuracyDecimals = 7
    case deviceClass = 9
    case stateClass = 10
    case entityCategory = 13
    case deviceId = 14
}
