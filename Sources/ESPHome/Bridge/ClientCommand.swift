// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// A command of a client: every way in which one changes displays.
enum ClientCommand {
    case light(key: UInt32, HomeAssistantLight)
    case toggle(key: UInt32, isOn: Bool)
    case press(key: UInt32)
    /// - Parameter client: The client that gets the result.
    case call(ActionCall, client: UInt64)

    /// Returns `nil` for any other message.
    init?(_ type: MessageType, _ fields: MessageFields, of client: UInt64) throws(ProtobufReader.Malformed) {
        switch type {
        case .lightCommandRequest: self = .light(key: fields.fixed(.key), HomeAssistantLight(fields))
        case .switchCommandRequest: self = .toggle(key: fields.fixed(.key), isOn: fields.bool(.state))
        case .buttonCommandRequest: self = .press(key: fields.fixed(.key))
        case .executeServiceRequest: self = .call(try ActionCall(fields), client: client)
        default: return nil
        }
    }

    /// While a command waits, a newer one with the same key replaces it.
    struct Key: Hashable {
        let entity: UInt32
        /// The texts of a call, such as its display and its holder.
        var texts: [String] = []
    }

    var key: Key {
        switch self {
        case .light(let entity, _), .toggle(let entity, _), .press(let entity): Key(entity: entity)
        case .call(let call, _): Key(entity: call.key, texts: call.values.map(\.text))
        }
    }

    /// The result of a call; `nil` for other commands, which have none.
    func result(_ problem: Problem?) -> CallResult? {
        guard case .call(let call, let client) = self else { return nil }
        let message = call.id == 0 ? nil : OutgoingMessage.actionResult(of: call.id, error: problem?.detail)
        return CallResult(client: client, message: message)
    }
}

/// The result of an action's call.
struct CallResult: Equatable {
    let client: UInt64
    /// `nil` if the client expects none.
    let message: OutgoingMessage?
}

extension HomeAssistantLight {
    /// Reads a command for a light. A client sends what it wants to change, and a hostile one any brightness.
    init(_ fields: MessageFields) {
        self.init(
            isOn: fields.bool(.hasState) ? fields.bool(.state) : nil,
            brightness: fields.bool(.hasBrightness) ? Brightness(clamping: Double(fields.float(.brightness))) : nil,
            transition: fields.bool(.hasTransitionLength) ? .milliseconds(fields.unsigned(.transitionLength)) : nil
        )
    }
}
