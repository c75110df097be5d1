// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import MQTT

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
    /// After a daemon's return, what it reports of its leases comes within this.
    private static let settling: Duration = .seconds(1)

    private struct Waiting {
        let call: RemoteCalls.Call
        let deadline: Instant
        /// The leases that were in force before.
        let known: Set<LeaseID>
    }

    private let filters: [MirrorFilter]
    private let own: Topics
    private let service: DisplayService
    private let log: LimitedLog
    private let calls: RemoteCalls
    private var displays: MirroredDisplays
    private var borrowed = BorrowedBoosts()
    private var answersCome = false
    private var waiting: [[UInt8]: Waiting] = [:]
    private var outgoing: [Publication] = []

    init(
        _ filters: [MirrorFilter],
        own: Topics,
        _ service: DisplayService,
        log: LimitedLog,
        wake: @escaping @Sendable () -> Void
    ) {
        self.filters = filters
        self.own = own
        self.service = service
        self.log = log
        calls = RemoteCalls(wake: wake)
        displays = MirroredDisplays(prefixes: Set(filters.map(\.prefix)))
    }

    var subscriptions: [MQTTSubscription] {
        filters.flatMap(\.subscriptions) + [MQTTSubscription(own.answers)]
    }

    // MARK: The connection

    func begin(answersCome: Bool, at now: Moment) {
        self.answersCome = answersCome
        calls.open()
        displays.connected(at: now)
    }

    /// The broker is silent, and so are all nodes.
    func end(at now: Moment) {
        outgoing = []
        for call in calls.close() { call.completion(.failure(.unreachable)) }
        for waiting in waiting.values { waiting.call.completion(.failure(.unanswered)) }
        waiting = [:]
        carryOut(displays.disconnected(at: now), at: now)
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
        let (node, payload, isRetained) = (subject.topics, publication.payload, publication.isRetained)
        switch subject.fact {
        case .status:
            let isOnline = payload == Array("online".utf8)
            let wasOnline = displays.isOnline(node)
            let changes = displays.receive(isOnline: isOnline, of: node, isRetained: isRetained, at: now)
            carryOut(changes, of: "\(node.node)", at: now)
            if isOnline, !wasOnline {
                borrowed.wait(until: now.instant + Self.settling, on: displays.shown(of: node))
            }
        case .state(let name):
            guard let (key, id) = key(of: name, from: node) else { break }
            guard !payload.isEmpty else {
                carryOut(displays.remove(key), at: now)
                break
            }
            guard let state = DisplayState(mirrored: payload, as: id, of: node.node.text) else {
                log(.unreadable, "does not understand what \(node.node) says of \(name)")
                break
            }
            carryOut(displays.receive(state, of: key, isRetained: isRetained, at: now), of: "\(id)", at: now)
        case .boosts(let name):
            guard let (key, id) = key(of: name, from: node) else { break }
            let leases = payload.isEmpty ? [] : Lease.all(mirrored: payload, on: id, at: now)
            if leases == nil { log(.unreadable, "does not understand what \(node.node) says of the leases of \(name)") }
            let holders = displays.holders(of: key)
            let changes = displays.receive(leases ?? [], of: key, as: id, isRetained: isRetained, at: now)
            borrowed.ended(holders.subtracting(displays.holders(of: key)), on: id, at: now.instant)
            carryOut(changes, of: "\(id)", at: now)
        }
        return true
    }

    private func key(of name: String, from node: Topics) -> (MirroredDisplays.Key, DisplayID)? {
        let key = DisplayID(name).map { MirroredDisplays.Key(node: node, name: $0) }
        if let key, let id = key.id { return (key, id) }
        log(.notMirrored, "does not show \(node.node)/\(name): that is not an id, or too long for one here")
        return nil
    }

    /// - Parameter subject: What the message was about.
    private func carryOut(_ changes: [MirroredDisplays.Change], of subject: String = "", at now: Moment) {
        for change in changes {
            switch change {
            case .show(let id): tell(id, at: now)
            case .withdraw(let id): service.withdraw(mirrored: id)
            case .report(.tooManyDisplays):
                log(.notMirrored, "does not show \(subject): \(MirroredDisplays.limit) displays are mirrored already")
            case .report(.tooManyNodes):
                log(.notMirrored, "ignores \(subject): \(MirroredDisplays.limit) nodes are mirrored already")
            case .report(.tooManyLeases):
                log(
                    .notMirrored,
                    "does not show the leases of \(subject): together there are more than \(MirroredDisplays.leaseLimit)"
                )
            case .report(.shownElsewhere(let prefix)):
                log(.notMirrored, "does not show another \(subject): there is one of \(prefix)")
            }
        }
    }

    private func tell(_ id: DisplayID, at now: Moment) {
        guard let (state, leases) = displays.state(of: id) else { return }
        let isTold = service.mirror(state, boosts: leases, executedBy: RemoteDisplay(id: id, calls: calls), at: now)
        if !isTold { log(.notMirrored, "does not show \(id): this machine has a display of that id") }
    }

    // MARK: Commands

    /// Sends what is asked, and gives up what nobody answers.
    func look(at now: Moment) {
        for call in calls.take() { send(call, at: now) }
        for (correlation, asked) in waiting where asked.deadline <= now.instant {
            waiting[correlation] = nil
            asked.call.completion(.failure(.unanswered))
        }
        carryOut(displays.sweep(at: now), at: now)
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
        guard let display = displays.key(of: call.display), isReachable(call.display) else {
            return call.completion(.failure(.unreachable))
        }
        // Drawn at random: an answer to an earlier run of this daemon is nobody's.
        let correlation = withUnsafeBytes(of: UInt128.random(in: .min ... .max)) { Array($0) }
        let known = Set(service.boosts(of: call.display)?.all.map(\.id) ?? [])
        waiting[correlation] = Waiting(call: call, deadline: now.instant + Self.patience, known: known)
        outgoing.append(
            Publication(
                display.node.command(method, of: display.name),
                body,
                responseTopic: own.answers,
                correlation: correlation,
                contentType: "application/json"
            )
        )
        borrowed.requested(call.command, on: call.display, at: now.instant)
    }

    /// Whether the display's daemon can be asked, and can answer.
    private func isReachable(_ id: DisplayID) -> Bool {
        answersCome && displays.key(of: id).map { displays.isOnline($0.node) } ?? false
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

    private func renewBorrowed(at now: Moment) {
        let due = borrowed.takeDue(
            at: now.instant,
            isPresent: { service.isPresent($0.name, of: $0.principal) },
            isReachable: isReachable,
            isHeld: { key in
                service.boosts(of: key.display)?.all.contains { BorrowedBoosts.Holder($0) == key.holder } ?? false
            }
        )
        for (display, command) in due {
            send(RemoteCalls.Call(display: display, command: command, at: now, completion: { _ in }), at: now)
        }
    }
}
