// SPDX-License-Identifier: Apache-2.0

/// A message of a client, as far as the daemon acts on it.
enum IncomingMessage: Equatable {
    case hello(client: String)
    case authentication
    case disconnect
    case farewell
    case ping
    case pong
    case deviceInfo
    case listEntities
    case subscribeStates
    case light(LightCommand)
    case toggle(key: UInt32, isOn: Bool)
    case press(key: UInt32)
    case call(ActionCall)
    /// The client pushes states of its entities, if it is asked to.
    case subscribePushes
    case pushed(PushedState)
    /// The client makes the key: base64, if the client is not hostile.
    case setKey(String)
    /// Of another type. Clients ask for the log, the time and much more that the daemon does not have.
    case other

    init(_ frame: Frame) throws(ProtobufReader.Malformed) {
        guard let type = MessageType(rawValue: frame.type) else {
            self = .other
            return
        }
        let fields = try MessageFields(type, frame.body[...])
        switch type {
        case .helloRequest: self = .hello(client: fields.text(.clientInfo))
        case .authenticationRequest: self = .authentication
        case .disconnectRequest: self = .disconnect
        case .disconnectResponse: self = .farewell
        case .pingRequest: self = .ping
        case .pingResponse: self = .pong
        case .deviceInfoRequest: self = .deviceInfo
        case .listEntitiesRequest: self = .listEntities
        case .subscribeStatesRequest: self = .subscribeStates
        case .lightCommandRequest: self = .light(LightCommand(fields))
        case .switchCommandRequest: self = .toggle(key: fields.fixed(.key), isOn: fields.bool(.state))
        case .buttonCommandRequest: self = .press(key: fields.fixed(.key))
        case .executeServiceRequest: self = .call(try ActionCall(fields))
        case .subscribeHomeAssistantStatesRequest: self = .subscribePushes
        // The daemon does not ask for attributes.
        case .homeAssistantStateResponse where fields.text(.attribute).isEmpty:
            self = .pushed(PushedState(entity: fields.text(.entityId), state: fields.text(.state)))
        case .noiseEncryptionSetKeyRequest: self = .setKey(fields.text(.key))
        default: self = .other
        }
    }

    /// Whether it changes displays, or their light and presence.
    var usesDisplays: Bool {
        switch self {
        case .light, .toggle, .press, .call, .subscribePushes, .pushed: true
        case .hello, .authentication, .disconnect, .farewell, .ping, .pong, .deviceInfo, .listEntities,
            .subscribeStates, .setKey, .other:
            false
        }
    }
}

/// A command for a light. A client sends what it wants to change.
struct LightCommand: Equatable {
    let key: UInt32
    let isOn: Bool?
    /// 0…1, unless the client is hostile.
    let brightness: Float?
    /// In milliseconds.
    let transition: UInt32?

    init(_ fields: MessageFields) {
        key = fields.fixed(.key)
        isOn = fields.bool(.hasState) ? fields.bool(.state) : nil
        brightness = fields.bool(.hasBrightness) ? fields.float(.brightness) : nil
        transition = fields.bool(.hasTransitionLength) ? fields.unsigned(.transitionLength) : nil
    }
}

/// The value of an action's argument: one of the two, by its kind.
struct ActionValue: Equatable {
    let number: Float
    let text: String
}

/// A call of an action.
struct ActionCall: Equatable {
    /// The most arguments that are read; actions have fewer.
    private static let longest = 16

    let key: UInt32
    let values: [ActionValue]
    /// The number of the expected response; 0 if the client expects none.
    let id: UInt32

    init(_ fields: MessageFields) throws(ProtobufReader.Malformed) {
        (key, id) = (fields.fixed(.key), fields.unsigned(.callId))
        var values: [ActionValue] = []
        for part in fields.all(.args) {
            guard let data = part.data, values.count < Self.longest else { throw ProtobufReader.Malformed() }
            let value = try MessageFields(.executeServiceArgument, data)
            values.append(ActionValue(number: value.float(.float_), text: value.text(.string_)))
        }
        self.values = values
    }
}

/// The state of an entity of Home Assistant, which it pushes.
struct PushedState: Equatable {
    let entity: String
    let state: String
}
