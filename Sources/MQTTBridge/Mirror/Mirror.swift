// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT

/// The displays of other daemons, shown as displays of this one.
///
/// ```
///   broker ──status, state, leases──► Mirror ──► DisplayService ──► hub
///   broker ◄──────commands──────────  Mirror ◄── MirrorCalls ◄── DisplayService
///   broker ───────answers───────────► Mirror ──► the caller
/// ```
///
/// A mirrored display has the id `NODE:DISPLAY`. It is unavailable while its daemon is offline or the broker is
/// unreachable. The broker announces with the daemon's last will that the daemon went offline.
///
/// The mirror must only be used on the thread of its MQTT connection.
final class Mirror {
    /// The time that a daemon has to answer a command. It is shorter than the time that a client's request waits for
    /// its lease, so the client still gets the error.
    static let timeout: Duration = .seconds(4)
    /// The time that a daemon which comes online has to report its leases. They are not renewed before.
    private static let settling: Duration = .seconds(1)

    private typealias Message = ForwardedRequest.Message
    private typealias Target = ForwardedRequest.Target

    /// The maximum number of displays of one message, so that its answer fits into `BatchAnswer.longest`.
    static let displaysPerMessage = 64

    private let filters: [MirrorFilter]
    private let own: Topics
    /// The response topics of this daemon: a node answers below its own prefix only.
    private let answerTopics: Set<String>
    private let service: DisplayService
    private let log: BrokerLog
    private let calls: MirrorCalls
    private var displays: MirroredDisplays
    private let poster: NotificationPoster
    /// The posted states of the nodes.
    private var nodes: [Topics: NodeState] = [:]
    private var renewedLeases = RenewedLeases()
    /// When the next lease of a display ends by this daemon's wall clock, while its node is absent. The node reports
    /// dates, so a clock that is set changes the time until then.
    private var leaseEnds: [DisplayID: Timestamp] = [:]
    private var canReceiveAnswers = false
    private var requests = PendingRequests()
    /// Why something is not mirrored on this connection; `nil` while everything is.
    private(set) var limitation: String?

    init(
        _ filters: [MirrorFilter],
        own: Topics,
        _ service: DisplayService,
        limit: Int,
        log: BrokerLog,
        poster: NotificationPoster,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.filters, self.own, self.service, self.log, self.poster) = (filters, own, service, log, poster)
        answerTopics = Set(filters.map { own.under($0.prefix).answers })
        calls = MirrorCalls(share: limit, wake: wake)
        displays = MirroredDisplays(prefixes: Set(filters.map(\.prefix)), limit: limit)
    }

    var subscriptions: [MQTTSubscription] {
        filters.flatMap(\.subscriptions) + answerTopics.sorted().map { MQTTSubscription($0) }
    }

    // MARK: The connection

    func begin(canReceiveAnswers: Bool, at now: Moment) {
        self.canReceiveAnswers = canReceiveAnswers
        calls.open()
        displays.connected(at: now)
    }

    /// Fails every pending command and marks every node offline.
    func end(at now: Moment) {
        limitation = nil
        for call in calls.close() { for id in call.displays { calls.finish(call, on: id, .failure(.unreachable)) } }
        for request in requests.takeAll() { fail(request, .unanswered) }
        execute(displays.disconnected(at: now), at: now)
        reportNodes()
    }

    private func reportNodes() { for node in Set(displays.allNodes).union(nodes.keys) { report(node) } }

    /// Posts the state of a node, if it differs.
    private func report(_ node: Topics) {
        let state = displays.state(of: node)
        guard nodes[node] != state else { return }
        nodes[node] = state
        poster.post(.node(node.root, state))
    }

    // MARK: Messages of other daemons

    /// Returns whether the message belongs to the mirror.
    func receive(_ publication: Publication, at now: Moment) -> Bool {
        if answerTopics.contains(publication.topic) {
            receive(answer: publication, at: now)
            return true
        }
        // `first` of a lazy sequence would split the topic twice.
        let subjects = filters.lazy.compactMap { $0.subject(of: publication.topic) }
        guard let subject = subjects.first(where: { _ in true }), subject.topics != own else { return false }
        let (node, payload, isRetained) = (subject.topics, publication.payload, publication.isRetained)
        switch subject.fact {
        case .status:
            let isOnline = payload == Array("online".utf8)
            let wasOnline = displays.isOnline(node)
            let changes = displays.receive(isOnline: isOnline, of: node, isRetained: isRetained, at: now)
            execute(changes, of: "\(node.node)", at: now)
            report(node)
            if isOnline, !wasOnline {
                renewedLeases.wait(until: now.instant + Self.settling, on: displays.shown(of: node))
            }
        case .state(let name):
            guard let (key, id) = key(of: name, from: node) else { break }
            guard !payload.isEmpty else {
                execute(displays.remove(key), at: now)
                report(node)
                break
            }
            guard let state = DisplayState(mirrored: payload, as: id, from: Reporter(node: node, own: own)) else {
                log(.unreadable, "ignoring the invalid state of \(node.node)/\(name)")
                break
            }
            execute(displays.receive(state, of: key, isRetained: isRetained, at: now), of: "\(id)", at: now)
        case .capabilities:
            let capabilities = NodeCapabilities(payload)
            guard capabilities != nil || payload.isEmpty else {
                log(.unreadable, "ignoring the invalid capabilities of \(node.node)")
                break
            }
            let changes = displays.receive(capabilities, of: node, isRetained: isRetained, at: now)
            execute(changes, of: "\(node.node)", at: now)
            report(node)
        case .leases(let name):
            receive(leases: payload, of: name, from: node, isRetained: isRetained, at: now)
        }
        return true
    }

    private func receive(
        leases payload: [UInt8],
        of name: String,
        from node: Topics,
        isRetained: Bool,
        at now: Moment
    ) {
        guard let (key, id) = key(of: name, from: node) else { return }
        let reporter = Reporter(node: node, own: own)
        let read = payload.isEmpty ? [] : Lease.all(mirrored: payload, on: id, from: reporter, at: now)
        guard let leases = read else {
            return log(.unreadable, "ignoring the invalid leases of \(node.node)/\(name)")
        }
        // A node that stops is offline before its leases end, and one that removes the display empties the topic. A
        // lease that is missing after an absence may have been lost.
        let end: LeaseChange = !payload.isEmpty && displays.areLeasesCurrent(of: key) ? .released : .stopped
        let holders = displays.holders(of: key)
        let changes = displays.receive(leases, of: key, as: id, isRetained: isRetained, at: now)
        renewedLeases.ended(holders.subtracting(displays.holders(of: key)), as: end, on: id, at: now.instant)
        renewedLeases.reported(leases)
        execute(changes, of: "\(id)", endingOthersAs: end, at: now)
    }

    private func key(of name: String, from node: Topics) -> (MirroredDisplays.Key, DisplayID)? {
        let key = DisplayID(name).map { MirroredDisplays.Key(node: node, name: $0) }
        if let key, let id = key.id { return (key, id) }
        log(.notMirrored, "not mirroring \(node.node)/\(name): the name is not a valid display id")
        return nil
    }

    /// Notes that a display, a node or leases are not mirrored.
    private func noteLimit(_ limit: Int, of kind: String, for subject: String, option: String = "--limit mirrored") {
        let reason = "the limit of \(limit) mirrored \(kind) is reached (\(option))"
        limitation = limitation ?? reason
        log(.notMirrored, "not mirroring \(subject): \(reason)")
    }

    /// - Parameters:
    ///   - subject: The display or node of the message, for the log.
    ///   - end: How leases ended that are no longer reported.
    private func execute(
        _ changes: [MirroredDisplays.Change],
        of subject: String = "",
        endingOthersAs end: LeaseChange = .stopped,
        at now: Moment
    ) {
        for change in changes {
            switch change {
            case .show(let id): update(id, endingOthersAs: end, at: now)
            case .withdraw(let id):
                leaseEnds[id] = nil
                service.withdraw(mirrored: id)
            case .report(.tooManyDisplays): noteLimit(displays.limit, of: "displays", for: subject)
            case .report(.tooManyNodes): noteLimit(displays.limit, of: "nodes", for: subject)
            case .report(.tooManyLeases):
                let option = "four for each of --limit mirrored"
                noteLimit(displays.leaseLimit, of: "leases", for: "the leases of \(subject)", option: option)
            case .report(.shownElsewhere(let prefix)):
                log(
                    .notMirrored,
                    "not mirroring \(subject): the prefix \(prefix) already has a display with the same id"
                )
            }
        }
    }

    private func update(_ id: DisplayID, endingOthersAs end: LeaseChange = .stopped, at now: Moment) {
        guard let (state, reported, areCurrent) = displays.state(of: id) else { return }
        // A node reports a lease until it ends by the node's clock. This daemon's clock decides only while the node
        // is absent.
        let leases =
            areCurrent
            ? reported : reported.filter { lease in lease.end.map { now.wall < $0.wall } ?? true }
        leaseEnds[id] = areCurrent ? nil : leases.compactMap { $0.end?.wall }.min()
        let isAccepted = service.mirror(state, leases: leases, endingOthersAs: end, executedBy: calls, at: now)
        if !isAccepted { log(.notMirrored, "not mirroring \(id): this machine has a display of this id") }
    }

    // MARK: Commands

    /// Sends pending commands, fails those that got no answer in time, removes the displays that the broker no longer
    /// has and the leases that ended while their nodes were absent, and renews visible leases.
    func runDeadlines(at now: Moment) {
        for call in calls.take() { send(call, at: now) }
        for request in requests.takeOverdue(at: now.instant) { fail(request, .unanswered) }
        let changes = displays.sweep(at: now) + displays.correctWallTimes(at: now)
        execute(changes, at: now)
        for id in leaseEnds.filter({ $0.value <= now.wall }).keys { update(id, at: now) }
        if !changes.isEmpty || displays.nodeCount != nodes.count { reportNodes() }
        renewLeases(at: now)
    }

    /// Returns the commands to publish, without those that have failed since.
    func takeOutgoing(_ room: Int = .max) -> [Publication] { requests.takeOutgoing(room) }

    /// Sends a call, in one message a node.
    private func send(_ call: MirrorCalls.Call, at now: Moment) {
        var messages: [Message] = []
        var targets: [Message: [Target]] = [:]
        for id in call.displays {
            guard let (message, target) = message(for: call, on: id) else { continue }
            if targets[message] == nil { messages.append(message) }
            targets[message, default: []].append(target)
            requests.expectBaseline(of: target)
        }
        for message in messages {
            var rest = (targets[message] ?? [])[...]
            let takesLists = rest.first.map { displays.capabilities(of: $0.id).features.contains(.lists) } ?? false
            while !rest.isEmpty {
                let part = rest.prefix(takesLists ? Self.displaysPerMessage : 1)
                rest = rest[part.endIndex...]
                publish(message, of: call, for: Array(part), at: now)
            }
        }
    }

    /// Returns the message of a call for a display; `nil` if the call is finished.
    private func message(for call: MirrorCalls.Call, on id: DisplayID) -> (Message, Target)? {
        func fail(_ error: CommandError) -> (Message, Target)? {
            calls.finish(call, on: id, .failure(error))
            return nil
        }
        guard let state = service.state(of: id) else { return fail(.unknownDisplay) }
        let onlyAt = call.command.onlyAt
        let tag = displays.tag(of: id)
        let principal = own.name(of: call.command.principal)
        let known = service.leases(of: id)?.all ?? []
        let command = renewedLeases.keepingVisible(call.command, on: id, known: known)
        let expected = requests.expectedBaseline(of: id)
        let parts = command.call(showing: state, from: expected, for: principal, onlyAt: onlyAt == nil ? nil : tag)
        guard let (method, body) = parts else {
            // A command that concerns only this daemon is not forwarded. It succeeds with the current state.
            calls.finish(call, on: id, .success(CommandSuccess(state: state, events: [])))
            return nil
        }
        // `followers` are further actions, and a message to a node has one.
        guard displays.capabilities(of: id).supports(call.command, by: method), call.command.followers.isEmpty else {
            return fail(.unsupported)
        }
        // The node decides: another client may have changed the display since.
        if let onlyAt, !onlyAt.contains(state.revision) || tag == nil { return fail(.otherRevision) }
        guard let display = displays.key(of: id), isReachable(id) else { return fail(.unreachable) }
        let target = Target(
            id: id,
            name: display.name,
            known: known,
            baseline: command.baseline(showing: state, from: expected)
        )
        return (Message(node: display.node, method: method, body: body), target)
    }

    private func publish(_ message: Message, of call: MirrorCalls.Call, for targets: [Target], at now: Moment) {
        let request = ForwardedRequest(
            deadline: now.instant + Self.timeout,
            message: message,
            call: call,
            targets: targets
        )
        requests.enqueue(request, responseTopic: own.under(message.node.prefix).answers)
        for key in renewedLeases.keys(of: call.command, on: targets) {
            renewedLeases.sent(key, answerBy: request.deadline)
        }
    }

    /// Whether the display's daemon is online and can answer.
    private func isReachable(_ id: DisplayID) -> Bool {
        canReceiveAnswers && displays.key(of: id).map { displays.isOnline($0.node) } ?? false
    }

    /// Completes the request that this answers. A daemon publishes the new state before its answer, so the display's
    /// state is already current.
    private func receive(answer: Publication, at now: Moment) {
        guard let request = answer.correlation.flatMap({ requests.take($0) }) else { return }
        let json = JSONDocument(parsing: answer.payload)?.root
        if let problem = json.flatMap({ ProblemDocument(reading: $0) }) { return fail(request, CommandError(problem)) }
        let batch = request.isList ? BatchAnswer(answer.payload) : nil
        for target in request.targets {
            finish(request, on: target, with: batch?[target.name] ?? .success(json), at: now)
        }
    }

    private func fail(_ request: ForwardedRequest, _ error: CommandError) {
        for target in request.targets { finish(request, on: target, .failure(error)) }
    }

    private func finish(_ sent: ForwardedRequest, on target: Target, _ result: Result<CommandSuccess, CommandError>) {
        requests.settleBaseline(of: target)
        calls.finish(sent.call, on: target.id, result)
    }

    /// - Parameter result: The display's document; `nil` if it is invalid.
    private func finish(
        _ request: ForwardedRequest,
        on target: Target,
        with result: Result<JSONNode?, CommandError>,
        at now: Moment
    ) {
        let reporter = Reporter(node: request.message.node, own: own)
        let result = result.flatMap { outcome($0, of: target, from: reporter, at: now) }
        if case .success(let answer) = result {
            renewedLeases.released(by: request.call.command, on: target)
            if let lease = answer.events.first?.lease, let (lifespan, ttl) = request.call.command.action.terms {
                renewedLeases.answered(lease, lifespan: lifespan, ttl: ttl, at: request.call.at.instant)
            }
        }
        finish(request, on: target, result)
    }

    private func outcome(
        _ json: JSONNode?,
        of target: Target,
        from reporter: Reporter,
        at now: Moment
    ) -> Result<CommandSuccess, CommandError> {
        guard let state = service.state(of: target.id) else { return .failure(.unknownDisplay) }
        let lease = json.flatMap { Lease(mirrored: $0, on: target.id, from: reporter, at: now) }
        let events = lease.map { lease in
            [LeaseEvent(lease, target.known.contains { $0.id == lease.id } ? .renewed : .granted)]
        }
        let released = json.flatMap { DisplayState.released(in: $0) } ?? 0
        return .success(CommandSuccess(state: state, events: events ?? [], released: released))
    }

    // MARK: Renewal of leases with the lifespan `visible`

    private func renewLeases(at now: Moment) {
        let due = renewedLeases.takeDue(
            at: now.instant,
            isPresent: { service.isPresent($0.name, of: $0.principal) },
            isReachable: isReachable,
            held: { key in service.leases(of: key.display)?.all.first { RenewedLeases.Key($0) == key } }
        )
        for (display, command) in due {
            send(calls.beginRenewal(command, on: display, at: now), at: now)
        }
    }
}
