// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Support

/// The conversation with one client: what it asked for, and what it still gets. Rules only, without a socket.
///
/// Messages are pulled (`next`), so that nothing is queued for a client that does not read: it gets the newest state of
/// each entity.
struct ClientSession {
    /// Whether the client has sent its hello. Until then it gets nothing else.
    private(set) var isGreeted = false
    /// Whether the connection ends after the last message of `next`.
    private(set) var isOver = false
    /// The name that the client gives itself, for the log.
    private(set) var name = ""
    private var replies: [OutgoingMessage] = []
    /// The entities that are not listed yet; `nil` without a request.
    private var listing: Range<Int>?
    /// Whether the client knows the table of entities.
    private var knowsTable = false
    private(set) var isSubscribed = false
    /// The entities whose state is not sent yet.
    private var pending = ConflatingQueue<Int, Void>()

    /// - Throws: `Malformed` if the message is none; then the connection ends.
    mutating func receive(_ frame: Frame, _ bridge: ESPHomeBridge) throws(ProtobufReader.Malformed) {
        guard !isOver else { return }
        let message = try IncomingMessage(frame)
        switch message {
        case .hello(let client):
            isGreeted = true
            bridge.begin()
            name = client.plain(upTo: 64)
            replies.append(bridge.hello)
        case .disconnect:
            replies.append(.goodbye)
            isOver = true
        case .farewell: isOver = true
        case .ping: replies.append(.pong)
        case .pong: break
        case .authentication, .deviceInfo, .listEntities, .subscribeStates, .light, .toggle, .press, .other:
            guard isGreeted else { throw ProtobufReader.Malformed() }
            act(on: message, bridge)
        }
    }

    private mutating func act(on message: IncomingMessage, _ bridge: ESPHomeBridge) {
        switch message {
        case .authentication: replies.append(.authentication)
        case .deviceInfo:
            knowsTable = true
            replies.append(bridge.deviceInfo)
        case .listEntities:
            knowsTable = true
            listing = bridge.table.entities.indices
        case .subscribeStates:
            isSubscribed = true
            for place in bridge.table.entities.indices { pending.append((), for: place) }
        case .light(let command): bridge.turnLight(command)
        case .toggle(let key, let isOn): bridge.toggle(key, isOn: isOn)
        case .press(let key): bridge.press(key)
        case .hello, .disconnect, .farewell, .ping, .pong, .other: break
        }
    }

    /// Returns the next message; `nil` if there is none now.
    mutating func next(_ bridge: ESPHomeBridge) -> OutgoingMessage? {
        if !replies.isEmpty { return replies.removeFirst() }
        if isOver { return nil }
        if let place = listing?.first {
            listing = listing?.dropFirst()
            return bridge.table.entities[place].listing
        }
        if listing != nil {
            listing = nil
            return .endOfEntities
        }
        while let (place, _) = pending.popFirst() {
            if let state = bridge.state(at: place) { return state }
        }
        return nil
    }

    /// Notes that the states of these entities are others.
    mutating func update(_ places: some Sequence<Int>) {
        guard isSubscribed, !isOver else { return }
        for place in places { pending.append((), for: place) }
    }

    /// Notes that the table is another. A client that knows the earlier one reads it when it connects again.
    mutating func replaceTable() {
        if knowsTable { leave() }
    }

    /// Asks whether the client is still there.
    mutating func ping() { if !isOver { replies.append(.ping) } }

    /// Ends the connection, after the pending states of an unchanged table.
    mutating func leave() {
        guard !isOver else { return }
        replies.append(.leave)
        isOver = true
    }
}
