// SPDX-License-Identifier: Apache-2.0

/// An argument of an action. Clients send every one, in the order of the list.
struct ActionArgument: Equatable {
    enum Kind: UInt32 {
        case number = 2
        case text = 3
    }

    let name: String
    let kind: Kind

    enum Field: Int, MessageField {
        case name = 1
        case type = 2
    }
}

/// The value of an argument: one of the two, by its kind.
struct ActionValue: Equatable {
    var number: Float = 0
    var text = ""

    /// The names of two fields end with `_` in `api.proto`.
    enum Field: Int, MessageField {
        case float_ = 3
        case string_ = 4
    }

    init(_ fields: ProtobufReader) throws(ProtobufReader.Malformed) {
        var (number, text): (Float, String) = (0, "")
        try fields.read(Field.self) { field, value in
            switch field {
            case .float_: number = value.float ?? 0
            case .string_: text = value.text ?? ""
            }
        }
        (self.number, self.text) = (number, text)
    }
}

/// A call of an action.
struct ActionCall: Equatable {
    /// The most arguments that are read; actions have fewer.
    private static let longest = 16

    let key: UInt32
    let values: [ActionValue]
    /// The number of the expected response; 0 if the client expects none.
    let id: UInt32

    enum Field: Int, MessageField {
        case key = 1
        case args = 2
        case callId = 3
    }

    init(_ fields: ProtobufReader) throws(ProtobufReader.Malformed) {
        var (key, id): (UInt32, UInt32) = (0, 0)
        var values: [ActionValue] = []
        try fields.read(Field.self) { field, value throws(ProtobufReader.Malformed) in
            switch field {
            case .key: key = value.fixed ?? 0
            case .args:
                guard let data = value.data, values.count < Self.longest else { throw ProtobufReader.Malformed() }
                values.append(try ActionValue(ProtobufReader(data)))
            case .callId: id = value.unsigned ?? 0
            }
        }
        (self.key, self.values, self.id) = (key, values, id)
    }
}

extension OutgoingMessage {
    static func listAction(_ name: String, key: UInt32, _ arguments: [ActionArgument]) -> OutgoingMessage {
        OutgoingMessage(.listEntitiesServicesResponse, ListActionField.self) { message in
            message.string(.name, name)
            message.fixed(.key, key)
            for argument in arguments {
                var part = ProtobufWriter<ActionArgument.Field>()
                part.string(.name, argument.name)
                part.unsigned(.type, argument.kind.rawValue)
                message.data(.args, part.bytes)
            }
            // SUPPORTS_RESPONSE_STATUS: Home Assistant shows the error of a failed call.
            message.unsigned(.supportsResponse, 100)
        }
    }

    /// - Parameter error: `nil` for success.
    static func actionResult(of call: UInt32, error: String?) -> OutgoingMessage {
        OutgoingMessage(.executeServiceResponse, ActionResultField.self) { message in
            message.unsigned(.callId, call)
            message.bool(.success, error == nil)
            message.string(.errorMessage, error ?? "")
        }
    }
}

enum ListActionField: Int, MessageField {
    case name = 1
    case key = 2
    case args = 3
    case supportsResponse = 4
}

enum ActionResultField: Int, MessageField {
    case callId = 1
    case success = 2
    case errorMessage = 3
}
