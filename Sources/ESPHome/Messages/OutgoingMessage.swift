// SPDX-License-Identifier: Apache-2.0

/// A message for a client.
struct OutgoingMessage: Equatable {
    let type: MessageType
    let body: [UInt8]

    init(_ type: MessageType, _ body: [UInt8] = []) {
        self.type = type
        self.body = body
    }

    init<Field: MessageField>(_ type: MessageType, _: Field.Type, _ write: (inout ProtobufWriter<Field>) -> Void) {
        var writer = ProtobufWriter<Field>()
        write(&writer)
        self.init(type, writer.bytes)
    }
}

extension OutgoingMessage {
    static let pong = OutgoingMessage(.pingResponse)
    static let ping = OutgoingMessage(.pingRequest)
    /// Asks the client to leave, and to connect again when it wants to.
    static let leave = OutgoingMessage(.disconnectRequest)
    static let goodbye = OutgoingMessage(.disconnectResponse)
    static let endOfEntities = OutgoingMessage(.listEntitiesDoneResponse)
    /// There are no passwords.
    static let authentication = OutgoingMessage(.authenticationResponse)

    static func keyResult(isSet: Bool) -> OutgoingMessage {
        OutgoingMessage(.noiseEncryptionSetKeyResponse, KeyResultField.self) { $0.bool(.success, isSet) }
    }

    /// - Parameter version: The daemon's.
    static func hello(_ identity: Identity, version: String) -> OutgoingMessage {
        OutgoingMessage(.helloResponse, HelloResponseField.self) { message in
            // From 1.15 on clients ask for capabilities of other devices.
            message.unsigned(.apiVersionMajor, 1)
            message.unsigned(.apiVersionMinor, 10)
            message.string(.serverInfo, "brightnessd \(version)")
            message.string(.name, identity.name)
        }
    }
}

enum HelloResponseField: Int, MessageField {
    case apiVersionMajor = 1
    case apiVersionMinor = 2
    case serverInfo = 3
    case name = 4
}

enum KeyResultField: Int, MessageField {
    case success = 1
}

/// The description of the daemon, with a device for each display.
struct DeviceInfo {
    var identity: Identity
    var version: String
    /// The port of the dashboard; 0 if clients cannot reach it.
    var dashboardPort: UInt16
    var admission: Admission
    var devices: [(id: UInt32, name: String)]

    enum Field: Int, MessageField {
        case name = 2
        case macAddress = 3
        case esphomeVersion = 4
        case model = 6
        case projectName = 8
        case projectVersion = 9
        case webserverPort = 10
        case manufacturer = 12
        case friendlyName = 13
        case apiEncryptionSupported = 19
        case devices = 20
        case apiEncryptionProvisionable = 26
    }

    enum DeviceField: Int, MessageField {
        case deviceId = 1
        case name = 2
    }

    /// The release of ESPHome whose protocol this is, the first without passwords.
    static let esphomeVersion = "2026.1.0"

    /// Home Assistant shows the parts as manufacturer and model.
    static let projectName = "brightnessd.Display brightness"

    var message: OutgoingMessage {
        OutgoingMessage(.deviceInfoResponse, Field.self) { message in
            message.string(.name, identity.name)
            message.string(.macAddress, identity.address)
            message.string(.esphomeVersion, Self.esphomeVersion)
            message.string(.model, "Display brightness")
            message.string(.projectName, Self.projectName)
            message.string(.projectVersion, version)
            message.unsigned(.webserverPort, UInt32(dashboardPort))
            message.string(.manufacturer, "brightnessd")
            message.string(.friendlyName, identity.friendlyName)
            // A client that is connected without a key then sets one.
            message.bool(.apiEncryptionSupported, admission != .local)
            for device in devices {
                var part = ProtobufWriter<DeviceField>()
                part.unsigned(.deviceId, device.id)
                part.string(.name, device.name)
                message.data(.devices, part.bytes)
            }
            if case .window = admission { message.bool(.apiEncryptionProvisionable, true) }
        }
    }
}
