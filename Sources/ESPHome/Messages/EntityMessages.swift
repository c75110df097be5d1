// SPDX-License-Identifier: Apache-2.0

/// The fields of every entity in the list.
struct EntityHead: Equatable {
    /// A part of Home Assistant's unique id.
    let object: String
    let key: UInt32
    let name: String
    var icon: String?
    var isDiagnostic = false
    /// The device that it belongs to; 0 for the daemon itself.
    var device: UInt32 = 0
}

extension OutgoingMessage {
    static func list(
        _ type: MessageType,
        _ head: EntityHead,
        _ more: MessageType.Values = []
    ) -> OutgoingMessage {
        let fields: MessageType.Values = [
            (.objectId, .text(head.object)), (.key, .fixed32(head.key)), (.name, .text(head.name)),
            // ENTITY_CATEGORY_DIAGNOSTIC
            (.icon, .text(head.icon ?? "")), (.entityCategory, .varint(head.isDiagnostic ? 2 : 0)),
            (.deviceId, .number(head.device)),
        ]
        return OutgoingMessage(type, fields + more)
    }

    /// A state of an entity, or an event.
    static func state(
        _ type: MessageType,
        _ head: EntityHead,
        _ values: MessageType.Values
    ) -> OutgoingMessage {
        OutgoingMessage(type, [(.key, .fixed32(head.key))] + values + [(.deviceId, .number(head.device))])
    }
}
