// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support

/// The conversation with one client: what it asked for, and what it still gets. Rules only, without a socket.
///
/// Messages are pulled (`next`), so that nothing is queued for a client that does not read: it gets the newest state of
/// each entity.
struct ClientSession {
    /// The maximum number of calls of actions whose results are not known yet.
    private static let callLimit = 64

    /// Distinguishes the clients of a server.
    let id: UInt64
    /// The client's address, for the log.
    private let peer: String
    let admission: Admission
    /// Whether the client has sent its hello. Until then it gets nothing else.
    private(set) var isGreeted = false
    /// Whether the connection ends after the last message of `next`.
    private(set) var isOver = false
    /// The name that the client gives itself, for the log.
    private(set) var name = ""
    private var replies: [OutgoingMessage] = []
    /// The entities that are not listed yet; `nil` without a request.
    private var listing: Range<Int>?
    /// The calls of actions whose results are not known yet.
    private var calls = 0
    /// Whether the client pushes states of its entities.
    private(set) var isPushing = false
    private var knowsTable = false
    private(set) var isSubscribed = false
    /// The entities whose state is not sent yet.
    private var pending = ConflatingQueue<Int, Void>()
    /// The newest event of each entity that is not sent yet.
    private var events = ConflatingQueue<Int, OutgoingMessage>()

    init(id: UInt64 = 0, of peer: String = "", _ admission: Admission = .local) {
        (self.id, self.peer, self.admission) = (id, peer, admission)
    }

    /// - Throws: `Malformed` if the message cannot be read, or comes before the hello. Then the connection ends.
    mutating func receive(_ frame: Frame, _ bridge: ESPHomeBridge) throws(ProtobufReader.Malformed) {
        guard !isOver else { return }
        guard let type = MessageType(rawValue: frame.type) else {
            // Clients ask for the log, the time and much more that the daemon does not have.
            return try requireGreeting()
        }
        let fields = try MessageFields(type, frame.body[...])
        switch type {
        case .helloRequest:
            isGreeted = true
            // The bridge listens to the hub from the first hello on.
            bridge.begin()
            name = fields.text(.clientInfo).plain(upTo: 64)
            replies.append(bridge.hello)
        case .disconnectRequest:
            replies.append(.goodbye)
            isOver = true
        case .disconnectResponse: isOver = true
        case .pingRequest: replies.append(.pong)
        case .pingResponse: break
        default:
            try requireGreeting()
            if let command = try ClientCommand(type, fields, of: id) {
                send(command, to: bridge)
            } else {
                act(on: type, fields, bridge)
            }
        }
    }

    private func requireGreeting() throws(ProtobufReader.Malformed) {
        guard isGreeted else { throw ProtobufReader.Malformed() }
    }

    private mutating func send(_ command: ClientCommand, to bridge: ESPHomeBridge) {
        if case .call(let call, _) = command {
            let isAdmitted = admission.mayUseDisplays
            guard isAdmitted, calls < Self.callLimit else {
                let reason = isAdmitted ? "Too many calls are under way." : "Home Assistant has no key yet."
                return replies.append(.actionResult(of: call.id, error: "\(reason) Nothing was changed."))
            }
            calls += 1
        }
        if admission.mayUseDisplays { bridge.receive(command) }
    }

    private mutating func act(on type: MessageType, _ fields: MessageFields, _ bridge: ESPHomeBridge) {
        switch type {
        // There are no passwords.
        case .authenticationRequest: replies.append(OutgoingMessage(.authenticationResponse))
        case .deviceInfoRequest:
            knowsTable = true
            replies.append(bridge.deviceInfo(for: admission))
        case .listEntitiesRequest:
            knowsTable = true
            listing = 0..<bridge.listCount
        case .subscribeStatesRequest:
            isSubscribed = true
            for index in bridge.table.entities.indices { pending.append((), for: index) }
        case .noiseEncryptionSetKeyRequest:
            replies.append(.keyResult(isSet: bridge.setKey(fields.text(.key), by: peer)))
        case .subscribeHomeAssistantStatesRequest where admission.mayUseDisplays:
            isPushing = true
            replies += bridge.pushRequests
        // The daemon does not ask for attributes.
        case .homeAssistantStateResponse where isPushing && fields.text(.attribute).isEmpty:
            bridge.receive(state: fields.text(.state), of: fields.text(.entityId))
        default: break
        }
    }

    /// Returns the next message: replies first, then the list, the events and the states. `nil` if there is none now.
    mutating func next(_ bridge: ESPHomeBridge) -> OutgoingMessage? {
        if !replies.isEmpty { return replies.removeFirst() }
        if isOver { return nil }
        if let index = listing?.first {
            listing = listing?.dropFirst()
            return bridge.listing(at: index)
        }
        if listing != nil {
            listing = nil
            return OutgoingMessage(.listEntitiesDoneResponse)
        }
        if let (_, event) = events.popFirst() { return event }
        while let (index, _) = pending.popFirst() {
            if let state = bridge.state(at: index) { return state }
        }
        return nil
    }

    /// Notes that the states of these entities are others.
    mutating func update(_ indices: some Sequence<Int>) {
        guard isSubscribed, !isOver else { return }
        for index in indices { pending.append((), for: index) }
    }

    /// Notes that these events happened.
    mutating func add(_ events: [Int: OutgoingMessage]) {
        guard isSubscribed, !isOver else { return }
        for (index, event) in events { self.events.append(event, for: index) }
    }

    /// Notes the result of a call.
    ///
    /// - Parameter message: `nil` if the client expects none.
    mutating func finishCall(_ message: OutgoingMessage?) {
        calls -= 1
        if let message, !isOver { replies.append(message) }
    }

    /// Notes that there is a new table. A client that has read the earlier one reads it when it connects again.
    mutating func replaceTable() {
        if knowsTable { leave() }
    }

    /// Asks whether the client is still there.
    mutating func ping() { if !isOver { replies.append(.ping) } }

    /// Ends the connection. States that are still pending are not sent.
    mutating func leave() {
        guard !isOver else { return }
        replies.append(.leave)
        isOver = true
    }
}

typealias ClientLog = LimitedLog<ClientLine>

enum ClientLine: String, LogSubject {
    case connection = "clients that came and left"
    case refusal = "refused clients"
    case key = "changes of the key"
    case skippedCommand = "skipped commands"

    var limit: Int { self == .skippedCommand ? 1 : RepeatedLines<Self>.repetitions }
}

/// The permissions of all ESPHome clients.
package struct ClientScope: Sendable {
    /// Whether clients may change displays.
    let mayWrite: Bool
    /// The displays that clients see and may change; `nil` for every display of this machine.
    let limit: DisplaySelector?

    /// To see and to change every display of this machine.
    package static let write = ClientScope(mayWrite: true)

    package init(mayWrite: Bool, limit: DisplaySelector? = nil) {
        (self.mayWrite, self.limit) = (mayWrite, limit)
    }

    func includes(_ state: DisplayState) -> Bool { limit?.includes(state) ?? true }
}
