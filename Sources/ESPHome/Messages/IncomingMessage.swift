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
        let fields = ProtobufReader(frame.body[...])
        switch MessageType(rawValue: frame.type) {
        case .helloRequest:
            var client = ""
            try fields.read(HelloRequestField.self) { field, value in
                switch field {
                case .clientInfo: client = value.text ?? ""
                }
            }
            self = .hello(client: client)
        case .authenticationRequest: self = .authentication
        case .disconnectRequest: self = .disconnect
        case .disconnectResponse: self = .farewell
        case .pingRequest: self = .ping
        case .pingResponse: self = .pong
        case .deviceInfoRequest: self = .deviceInfo
        case .listEntitiesRequest: self = .listEntities
        case .subscribeStatesRequest: self = .subscribeStates
        case .lightCommandRequest: self = .light(try LightCommand(fields))
        case .switchCommandRequest:
            var (key, isOn): (UInt32, Bool) = (0, false)
            try fields.read(SwitchCommandField.self) { field, value in
                switch field {
                case .key: key = value.fixed ?? 0
                case .state: isOn = value.bool ?? false
                }
            }
            self = .toggle(key: key, isOn: isOn)
        case .buttonCommandRequest:
            var key: UInt32 = 0
            try fields.read(ButtonCommandField.self) { field, value in
                switch field {
                case .key: key = value.fixed ?? 0
                }
            }
            self = .press(key: key)
        case .executeServiceRequest: self = .call(try ActionCall(fields))
        case .subscribeHomeAssistantStatesRequest: self = .subscribePushes
        case .homeAssistantStateResponse: self = try PushedState(fields).map { .pushed($0) } ?? .other
        case .noiseEncryptionSetKeyRequest:
            var key = ""
            try fields.read(SetKeyField.self) { field, value in
                switch field {
                case .key: key = value.text ?? ""
                }
            }
            self = .setKey(key)
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

enum HelloRequestField: Int, MessageField {
    case clientInfo = 1
}

enum SwitchCommandField: Int, MessageField {
    case key = 1
    case state = 2
}

enum ButtonCommandField: Int, MessageField {
    case key = 1
}

enum SetKeyField: Int, MessageField {
    case key = 1
}

/// A command for a light. A client sends what it wants to change.
struct LightCommand: Equatable {
    var key: UInt32 = 0
    var isOn: Bool?
    /// 0…1, unless the client is hostile.
    var brightness: Float?
    /// In milliseconds.
    var transition: UInt32?

    enum Field: Int, MessageField {
        case key = 1
        case hasState = 2
        case state = 3
        case hasBrightness = 4
        case brightness = 5
        case hasTransitionLength = 14
        case transitionLength = 15
    }

    init(_ fields: ProtobufReader) throws(ProtobufReader.Malformed) {
        var (hasState, hasBrightness, hasTransition) = (false, false, false)
        var (state, level, length) = (false, Float(0), UInt32(0))
        var key: UInt32 = 0
        try fields.read(Field.self) { field, value in
            switch field {
            case .key: key = value.fixed ?? 0
            case .hasState: hasState = value.bool ?? false
            case .state: state = value.bool ?? false
            case .hasBrightness: hasBrightness = value.bool ?? false
            case .brightness: level = value.float ?? 0
            case .hasTransitionLength: hasTransition = value.bool ?? false
            case .transitionLength: length = value.unsigned ?? 0
            }
        }
        self.key = key
        isOn = hasState ? state : nil
        brightness = hasBrightness ? level : nil
        transition = hasTransition ? length : nil
    }
}

extension ProtobufReader {
    /// Reads every field of a message, and skips those that the daemon does not know.
    func read<Field: MessageField>(
        _: Field.Type,
        _ body: (Field, WireValue) throws(Malformed) -> Void
    ) throws(Malformed) {
        var reader = self
        while let (number, value) = try reader.next() {
            if let field = Field(rawValue: number) { try body(field, value) }
        }
    }
}
