// SPDX-License-Identifier: Apache-2.0

/// The state of an entity of Home Assistant, which it pushes.
struct PushedState: Equatable {
    let entity: String
    let state: String

    enum Field: Int, MessageField {
        case entityId = 1
        case state = 2
        case attribute = 3
    }

    /// - Returns: `nil` for the state of an attribute, which the daemon does not ask for.
    init?(_ fields: ProtobufReader) throws(ProtobufReader.Malformed) {
        var (entity, state, attribute) = ("", "", "")
        try fields.read(Field.self) { field, value in
            switch field {
            case .entityId: entity = value.text ?? ""
            case .state: state = value.text ?? ""
            case .attribute: attribute = value.text ?? ""
            }
        }
        guard attribute.isEmpty else { return nil }
        (self.entity, self.state) = (entity, state)
    }
}

extension OutgoingMessage {
    /// Asks the client to push the state of one of its entities, now and after each change.
    static func push(_ entity: String) -> OutgoingMessage {
        OutgoingMessage(.subscribeHomeAssistantStateResponse, PushRequestField.self) { $0.string(.entityId, entity) }
    }
}

enum PushRequestField: Int, MessageField {
    case entityId = 1
}
