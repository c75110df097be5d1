// SPDX-License-Identifier: Apache-2.0

/// A message for a client.
struct OutgoingMessage: Equatable {
    let type: MessageType
    let body: [UInt8]

    init(_ type: MessageType, _ fields: MessageType.Values = []) {
        self.type = type
        body = type.encode(fields)
    }

    static let pong = OutgoingMessage(.pingResponse)
    static let ping = OutgoingMessage(.pingRequest)
    /// Asks the client to leave, and to connect again when it wants to.
    static let leave = OutgoingMessage(.disconnectRequest)
    static let goodbye = OutgoingMessage(.disconnectResponse)

    static func keyResult(isSet: Bool) -> OutgoingMessage {
        OutgoingMessage(.noiseEncryptionSetKeyResponse, [(.success, .bool(isSet))])
    }

    /// Asks the client to push the state of one of its entities, now and after each change.
    static func push(_ entity: String) -> OutgoingMessage {
        OutgoingMessage(.subscribeHomeAssistantStateResponse, [(.entityId, .text(entity))])
    }

    /// - Parameter version: The daemon's.
    static func hello(_ identity: Identity, version: String) -> OutgoingMessage {
        OutgoingMessage(
            .helloResponse,
            [
                // From 1.15 on clients ask for capabilities of other devices.
                (.apiVersionMajor, .varint(1)), (.apiVersionMinor, .varint(10)),
                (.serverInfo, .text("brightnessd \(version)")), (.name, .text(identity.name)),
            ]
        )
    }

    /// An action in the list. Clients send every argument, in this order.
    static func listAction(
        _ name: String,
        key: UInt32,
        _ arguments: [(name: String, type: UInt32)]
    ) -> OutgoingMessage {
        let head: MessageType.Values = [(.name, .text(name)), (.key, .fixed32(key))]
        let parts: MessageType.Values = arguments.map { argument in
            let fields: MessageType.Values = [(.name, .text(argument.name)), (.type, .number(argument.type))]
            return (.args, .part(.listEntitiesServicesArgument, fields))
        }
        // SUPPORTS_RESPONSE_STATUS: Home Assistant shows the error of a failed call.
        return OutgoingMessage(.listEntitiesServicesResponse, head + parts + [(.supportsResponse, .varint(100))])
    }

    /// - Parameter error: `nil` for success.
    static func actionResult(of call: UInt32, error: String?) -> OutgoingMessage {
        OutgoingMessage(
            .executeServiceResponse,
            [(.callId, .number(call)), (.success, .bool(error == nil)), (.errorMessage, .text(error ?? ""))]
        )
    }

    /// The release of ESPHome whose protocol this is, the first without passwords.
    static let esphomeVersion = "2026.1.0"

    /// Home Assistant shows the parts as manufacturer and model.
    static let projectName = "brightnessd.Display brightness"

    /// The description of the daemon, with a device for each display.
    ///
    /// - Parameter dashboardPort: 0 if clients cannot reach the dashboard.
    static func deviceInfo(
        _ identity: Identity,
        version: String,
        dashboardPort: UInt16,
        _ admission: Admission,
        _ devices: [(id: UInt32, name: String)]
    ) -> OutgoingMessage {
        let isWindow = if case .window = admission { true } else { false }
        let head: MessageType.Values = [
            (.name, .text(identity.name)), (.macAddress, .text(identity.address)),
            (.esphomeVersion, .text(Self.esphomeVersion)), (.model, .text("Display brightness")),
            (.projectName, .text(Self.projectName)), (.projectVersion, .text(version)),
            (.webserverPort, .number(dashboardPort)), (.manufacturer, .text("brightnessd")),
            (.friendlyName, .text(identity.friendlyName)),
            // A client that is connected without a key then sets one.
            (.apiEncryptionSupported, .bool(admission != .local)),
        ]
        let parts: MessageType.Values = devices.map { device in
            (.devices, .part(.deviceInfo, [(.deviceId, .number(device.id)), (.name, .text(device.name))]))
        }
        return OutgoingMessage(
            .deviceInfoResponse,
            head + parts + [(.apiEncryptionProvisionable, .bool(isWindow))]
        )
    }
}
