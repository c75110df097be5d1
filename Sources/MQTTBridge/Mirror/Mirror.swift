// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import WebAPI

/// Displays of other daemons, as displays of this one.
///
/// ```
///   broker ──status, state, boosts──► Mirror ──► DisplayService ──► hub
///   broker ◄──────commands──────────  Mirror ◄── RemoteDisplay ◄── DisplayService
///          ───────answers───────────► Mirror ──► whoever asked
/// ```
///
/// A display is called `NODE:DISPLAY` here. It is not available while its daemon is not there, by the daemon's last will, and
/// while the broker is not. On its connection's thread.
final class Mirror {
    /// How long a daemon may take for an answer. Shorter than whoever waits for a lease does.
    static let patience: Duration = .seconds(4)
    /// How often a boost that is bound to a stream here is asked for again.
    static let renewal: Duration = .seconds(7)
    /// A broker with more than so many displays is not believed.
    static let limit = 4_096

    private struct Display {
        let id: DisplayID
        let node: Topics
        /// What its daemon calls it.
        let remoteID: DisplayID
        var state: DisplayState?
        var leases: [Lease] = []
    }

    private struct Waiting {
        let call: RemoteCalls.Call
        let deadline: Instant
        /// The leases that were in force before.
        let known: Set<LeaseID>
    }

    /// A boost that ends when its holder's streams here do.
    private struct Borrowed: Hashable {
        let display: DisplayID
        let holder: String
    }

    private let filters: [MirrorFilter]
    private let own: Topics
    private let service: DisplayService
    private let log: @Sendable (String) -> Void
    private let calls: RemoteCalls
    private var displays: [DisplayID: Display] = [:]
    /// Of each node, since when it is not there; `nil` for those that are.
    private var absences: [Topics: Timestamp?] = [:]
    private var isConnected = false
    private var answersCome = false
    private var waiting: [[UInt8]: Waiting] = [:]
    private var borrowed: [Borrowed: (call: RemoteCalls.Call, due: Instant)] = [:]
    private var lastNumber: UInt64 = 0
    private var outgoing: [Publication] = []

    init(
        _ filters: [MirrorFilter],
        own: Topics,
        _ service: DisplayService,
        log: @escaping @Sendable (String) -> Void,
        wake: @escaping @Sendable () -> Void
    ) {
        self.filters = filters
        self.own = own
        self.service = service
        self.log = log
        calls = RemoteCalls(wake: wake)
    }

    var subscriptions: [MQTTSubscription] {
        filters.flatMap(\.subscriptions) + [MQTTSubscription(own.answers)]
    }

    // MARK: The connection

    func begin(answersCome: Bool) {
        self.answersCome = answersCome
        calls.open()
    }

    /// The broker is silent, and so are all nodes.
    func end(at now: Moment) {
        outgoing = []
        for call in calls.close() { call.completion(.failure(.unreachable)) }
        for waiting in waiting.values { waiting.call.completion(.failure(.unanswered)) }
        waiting = [:]
        for node in absences.keys where absences[node] == .some(nil) { change(node, isHere: false, at: now) }
    }

    // MARK: What other daemons say

    /// Returns whether it was for this.
    func receive(_ publication: Publication, at now: Moment) -> Bool {
        if publication.topic == own.answers {
            take(answer: publication, at: now)
            return true
        }
        guard let subject = filters.lazy.compactMap({ $0.subject(of: publication.topic) }).first, subject.topics != own
        else { return false }
        switch subject.fact {
        case .status:
            change(subject.topics, isHere: publication.payload == Array("online".utf8), at: now)
        case .state(let name):
            take(state: publication.payload, of: name, from: subject.topics, at: now)
        case .boosts(let name):
            guard let id = id(of: name, from: subject.topics), displays[id] != nil else { break }
            displays[id]?.leases = Lease.all(mirrored: publication.payload, on: id, at: now) ?? []
            tell(id, at: now)
        }
        return true
    }

    private func change(_ node: Topics, isHere: Bool, at now: Moment) {
        let wasHere = absences[node] == .some(nil)
        guard isHere != wasHere || absences[node] == nil else { return }
        absences[node] = .some(isHere ? nil : now.wall)
        for display in displays.values where display.node == node { tell(display.id, at: now) }
    }

    private func id(of name: String, from node: Topics) -> DisplayID? {
        DisplayID(name).flatMap { DisplayID("\(node.node):\($0)") }
    }

    private func take(state json: [UInt8], of name: String, from node: Topics, at now: Moment) {
        guard let id = id(of: name, from: node), let remoteID = DisplayID(name) else {
            return log("does not show \(node.node)/\(name): the name is too long for a display's id here")
        }
        if let known = displays[id], known.node != node {
            return log("does not show \(id) of \(node.prefix): there is one of \(known.node.prefix)")
        }
        guard !json.isEmpty else {
            if displays.removeValue(forKey: id) != nil { service.withdraw(mirrored: id) }
            return
        }
        guard let state = DisplayState(mirrored: json, as: id, of: node.node.text) else {
            return log("does not understand what \(node.node) says of \(name)")
        }
        guard displays.count < Self.limit || displays[id] != nil else {
            return log("does not show \(id): there are \(Self.limit) already")
        }
        displays[id, default: Display(id: id, node: node, remoteID: remoteID)].state = state
        tell(id, at: now)
    }

    private func tell(_ id: DisplayID, at now: Moment) {
        guard let display = displays[id], var state = display.state else { return }
        // A node that has never said that it is there is not.
        if let absence = absences[display.node] ?? .some(state.cause.at) {
            state.isAvailable = false
            state.cause = Cause(.connected, at: absence)
        }
        let isTold = service.mirror(
            state,
            boosts: display.leases,
            carriedBy: RemoteDisplay(id: id, calls: calls),
            at: now
        )
        if !isTold { log("does not show \(id): this machine has a display of that id") }
    }

    // MARK: Commands

    /// Sends what is asked, and gives up what nobody answers.
    func look(at now: Moment) {
        for call in calls.take() { send(call, at: now) }
        for (correlation, asked) in waiting where asked.deadline <= now.instant {
            waiting[correlation] = nil
            asked.call.completion(.failure(.unanswered))
        }
        renewBorrowed(at: now)
    }

    func takeOutgoing() -> [Publication] {
        defer { outgoing = [] }
        return outgoing
    }

    private func send(_ call: RemoteCalls.Call, at now: Moment) {
        guard let state = service.state(of: call.display) else { return call.completion(.failure(.unknownDisplay)) }
        guard let (method, body) = call.command.call(showing: state) else {
            // This daemon's affair: nothing to do.
            return call.completion(.success(Answer(state: state, events: [])))
        }
        if let wanted = call.command.onlyAt, !wanted.contains(state.revision) {
            return call.completion(.failure(.otherRevision))
        }
        guard let display = displays[call.display], absences[display.node] == .some(nil), answersCome else {
            return call.completion(.failure(.unreachable))
        }
        lastNumber += 1
        let correlation = withUnsafeBytes(of: lastNumber.bigEndian) { Array($0) }
        let known = Set(service.boosts(of: call.display)?.all.map(\.id) ?? [])
        waiting[correlation] = Waiting(call: call, deadline: now.instant + Self.patience, known: known)
        outgoing.append(
            Publication(
                display.node.command(method, of: display.remoteID),
                body,
                responseTopic: own.answers,
                correlation: correlation,
                contentType: "application/json"
            )
        )
        borrow(call, at: now)
    }

    /// The answer comes behind the state that it is about, so what is told of the display is new already.
    private func take(answer: Publication, at now: Moment) {
        guard let correlation = answer.correlation, let asked = waiting.removeValue(forKey: correlation) else { return }
        let id = asked.call.display
        if let error = CommandError(problem: answer.payload) { return asked.call.completion(.failure(error)) }
        guard let state = service.state(of: id) else { return asked.call.completion(.failure(.unknownDisplay)) }
        let lease = Lease(mirrored: answer.payload, on: id, at: now)
        let events = lease.map { [LeaseEvent($0, asked.known.contains($0.id) ? .renewed : .granted)] } ?? []
        asked.call.completion(.success(Answer(state: state, events: events)))
    }

    // MARK: Boosts that are bound to a stream here

    private func borrow(_ call: RemoteCalls.Call, at now: Moment) {
        guard case .boost(let request) = call.command.action, let holder = request.holder else { return }
        let key = Borrowed(display: call.display, holder: holder)
        borrowed[key] = request.lifespan == .visible ? (call, now.instant + Self.renewal) : nil
    }

    /// While its holder has a stream open here, and nobody has ended it. After that the time it was asked for is its end.
    private func renewBorrowed(at now: Moment) {
        for (key, (call, due)) in borrowed where due <= now.instant {
            borrowed[key] = nil
            let isHeld = service.boosts(of: key.display)?.all.contains { $0.holder == key.holder } ?? false
            guard isHeld, service.isPresent(key.holder) else { continue }
            send(
                RemoteCalls.Call(display: key.display, command: call.command, at: now, completion: { _ in }),
                at: now
            )
        }
    }
}
