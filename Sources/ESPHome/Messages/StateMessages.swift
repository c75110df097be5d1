// SPDX-License-Identifier: Apache-2.0

/// The states of entities.
extension OutgoingMessage {
    /// - Parameter brightness: 0…1; `nil` for a light that is on or off.
    static func light(_ head: EntityHead, isOn: Bool, brightness: Double?) -> OutgoingMessage {
        OutgoingMessage(.lightStateResponse, LightStateField.self) { message in
            message.fixed(.key, head.key)
            message.bool(.state, isOn)
            message.float(.brightness, Float(brightness ?? 0))
            message.unsigned(.colorMode, (brightness == nil ? ColorMode.onOff : .brightness).rawValue)
            message.unsigned(.deviceId, head.device)
        }
    }

    static func toggle(_ head: EntityHead, isOn: Bool) -> OutgoingMessage {
        OutgoingMessage(.switchStateResponse, SwitchStateField.self) { message in
            message.fixed(.key, head.key)
            message.bool(.state, isOn)
            message.unsigned(.deviceId, head.device)
        }
    }

    static func binarySensor(_ head: EntityHead, isOn: Bool) -> OutgoingMessage {
        OutgoingMessage(.binarySensorStateResponse, BinarySensorStateField.self) { message in
            message.fixed(.key, head.key)
            message.bool(.state, isOn)
            message.unsigned(.deviceId, head.device)
        }
    }

    static func textSensor(_ head: EntityHead, _ text: String) -> OutgoingMessage {
        OutgoingMessage(.textSensorStateResponse, TextSensorStateField.self) { message in
            message.fixed(.key, head.key)
            message.string(.state, text)
            message.unsigned(.deviceId, head.device)
        }
    }

    static func event(_ head: EntityHead, _ type: String) -> OutgoingMessage {
        OutgoingMessage(.eventResponse, EventField.self) { message in
            message.fixed(.key, head.key)
            message.string(.eventType, type)
            message.unsigned(.deviceId, head.device)
        }
    }

    /// - Parameter number: `nil` while it is unknown.
    static func sensor(_ head: EntityHead, _ number: Double?) -> OutgoingMessage {
        OutgoingMessage(.sensorStateResponse, SensorStateField.self) { message in
            message.fixed(.key, head.key)
            message.float(.state, Float(number ?? 0))
            message.bool(.missingState, number == nil)
            message.unsigned(.deviceId, head.device)
        }
    }
}

enum LightStateField: Int, MessageField {
    case key = 1
    case state = 2
    case brightness = 3
    case colorMode = 11
    case deviceId = 14
}

enum SwitchStateField: Int, MessageField {
    case key = 1
    case state = 2
    case deviceId = 3
}

enum BinarySensorStateField: Int, MessageField {
    case key = 1
    case state = 2
    case deviceId = 4
}

enum TextSensorStateField: Int, MessageField {
    case key = 1
    case state = 2
    case deviceId = 4
}

enum EventField: Int, MessageField {
    case key = 1
    case eventType = 2
    case deviceId = 3
}

enum SensorStateField: Int, MessageField {
    case key = 1
    case state = 2
    case missingState = 3
    case deviceId = 4
}
