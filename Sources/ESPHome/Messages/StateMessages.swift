// SPDX-License-Identifier: Apache-2.0

/// The fields that every state of an entity has.
protocol StateField: MessageField {
    static var key: Self { get }
    static var deviceId: Self { get }
}

/// The states of entities.
extension OutgoingMessage {
    /// - Parameter write: Writes the fields between the key and the device.
    private static func state<Field: StateField>(
        _ type: MessageType,
        _: Field.Type,
        of head: EntityHead,
        _ write: (inout ProtobufWriter<Field>) -> Void
    ) -> OutgoingMessage {
        OutgoingMessage(type, Field.self) { message in
            message.fixed(.key, head.key)
            write(&message)
            message.unsigned(.deviceId, head.device)
        }
    }

    /// - Parameter brightness: 0…1.
    static func light(_ head: EntityHead, isOn: Bool, brightness: Double) -> OutgoingMessage {
        state(.lightStateResponse, LightStateField.self, of: head) { message in
            message.bool(.state, isOn)
            message.float(.brightness, Float(brightness))
            message.unsigned(.colorMode, ColorMode.brightness.rawValue)
        }
    }

    static func toggle(_ head: EntityHead, isOn: Bool) -> OutgoingMessage {
        state(.switchStateResponse, SwitchStateField.self, of: head) { $0.bool(.state, isOn) }
    }

    static func binarySensor(_ head: EntityHead, isOn: Bool) -> OutgoingMessage {
        state(.binarySensorStateResponse, BinarySensorStateField.self, of: head) { $0.bool(.state, isOn) }
    }

    static func textSensor(_ head: EntityHead, _ text: String) -> OutgoingMessage {
        state(.textSensorStateResponse, TextSensorStateField.self, of: head) { $0.string(.state, text) }
    }

    static func event(_ head: EntityHead, _ type: String) -> OutgoingMessage {
        state(.eventResponse, EventField.self, of: head) { $0.string(.eventType, type) }
    }

    /// - Parameter number: `nil` while it is unknown.
    static func sensor(_ head: EntityHead, _ number: Double?) -> OutgoingMessage {
        state(.sensorStateResponse, SensorStateField.self, of: head) { message in
            message.float(.state, Float(number ?? 0))
            message.bool(.missingState, number == nil)
        }
    }
}

enum LightStateField: Int, StateField {
    case key = 1
    case state = 2
    case brightness = 3
    case colorMode = 11
    case deviceId = 14
}

enum SwitchStateField: Int, StateField {
    case key = 1
    case state = 2
    case deviceId = 3
}

enum BinarySensorStateField: Int, StateField {
    case key = 1
    case state = 2
    case deviceId = 4
}

enum TextSensorStateField: Int, StateField {
    case key = 1
    case state = 2
    case deviceId = 4
}

enum EventField: Int, StateField {
    case key = 1
    case eventType = 2
    case deviceId = 3
}

enum SensorStateField: Int, StateField {
    case key = 1
    case state = 2
    case missingState = 3
    case deviceId = 4
}
