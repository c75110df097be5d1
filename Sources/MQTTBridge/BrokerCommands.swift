// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Carries out commands from the broker. Responses and problem documents are those of REST, and so are most bodies;
/// Home Assistant and light sensors have their own.
///
/// The broker decides which clients may publish commands, and does not name them. So each display has a write quota,
/// and each sensor. On the connection's thread.
final class BrokerCommands {
    /// The response of REST.
    enum Reply: Sendable {
        /// Accepted. The document is empty.
        case accepted
        case done(CommandExecution)
        case problem(Problem)

        var isProblem: Bool { if case .problem = self { true } else { false } }

        /// The document and its media type, which is `nil` for an empty document. Encoded at each access, which is
        /// expensive for many displays.
        var document: (body: [UInt8], mediaType: String?) {
            switch self {
            case .accepted: ([], nil)
            case .done(let execution): (execution.document, "application/json")
            case .problem(let problem): (problem.json, "application/problem+json")
            }
        }

        var text: String { String(decoding: document.body, as: UTF8.self) }
    }

    typealias Completion = @Sendable (Reply) -> Void
    private typealias Request = (command: Command, kind: CommandExecution.ResponseKind)

    /// A message that waits for room in the quota.
    private struct Message {
        let kind: Topics.TopicKind
        let body: [UInt8]
        let completion: Completion
    }

    private let service: DisplayService
    private let handler: CommandHandler
    private let topics: Topics
    private let lightReports: LightReports
    /// By display or `all`, and by topic.
    private var commands: PacedCommands<String, String, Message>
    /// By sensor and topic.
    private var readings: PacedCommands<String, String, Message>

    /// - Parameters:
    ///   - topics: Those of this daemon.
    ///   - quota: The quota of each display and each sensor; `nil` for no limit.
    init(
        _ service: DisplayService,
        _ source: NotificationSource,
        _ lightReports: LightReports,
        topics: Topics,
        groups: DisplayGroups = .none,
        quota: WriteQuota?
    ) {
        self.service = service
        handler = CommandHandler(service, source, groups: groups)
        self.lightReports = lightReports
        self.topics = topics
        commands = PacedCommands(quota)
        readings = PacedCommands(quota)
    }

    /// When `runDue` has something to do; `nil` for no such time.
    var deadline: Instant? {
        guard let command = commands.deadline, let reading = readings.deadline else {
            return commands.deadline ?? readings.deadline
        }
        return min(command, reading)
    }

    /// Carries out the command of a message, now or when there is room for it. A newer message at the same topic may
    /// replace it until then.
    ///
    /// - Parameter completion: Called once, on any thread, with the result.
    func receive(
        _ body: [UInt8],
        at topic: String,
        _ kind: Topics.TopicKind,
        at now: Moment,
        completion: @escaping Completion
    ) {
        let message = Message(kind: kind, body: body, completion: completion)
        let skipped: (command: Message, problem: Problem)?
        switch kind {
        case .command(_, let display, _), .light(let display), .awake(let display):
            guard display == "all" || DisplayID(display).flatMap({ service.state(of: $0) }) != nil else {
                return completion(.problem(.displayNotFound(display)))
            }
            skipped = commands.add(message, to: display, as: topic, at: now.instant)
        case .illuminance(let sensor): skipped = readings.add(message, to: sensor, as: topic, at: now.instant)
        case .retained: return
        }
        if let skipped { skipped.command.completion(.problem(skipped.problem)) }
        runDue(at: now)
    }

    /// Carries out the commands that have room now.
    func runDue(at now: Moment) {
        for message in commands.takeDue(at: now.instant) + readings.takeDue(at: now.instant) {
            carryOut(message, at: now)
        }
    }

    private func carryOut(_ message: Message, at now: Moment) {
        let (body, completion) = (message.body, message.completion)
        switch message.kind {
        case .command(let method, let display, let isForAll):
            carryOut(method, on: display, isForAllNodes: isForAll, body: body, at: now, completion: completion)
        case .light(let display): turnLight(on: display, body: body, at: now, completion: completion)
        case .awake(let display): keepAwake(display, body: body, at: now, completion: completion)
        case .illuminance(let sensor): report(sensor, body, at: now, completion: completion)
        case .retained: break
        }
    }

    /// - Parameters:
    ///   - display: An id, or `all` for every display of this machine. In the body of an `all` command, `displays`
    ///     names some of these instead, and `group` the displays of a group, including those of other machines.
    ///   - isForAllNodes: Every node receives the command. Then a group has displays of this machine only.
    ///   - body: JSON text; empty counts as `{}`.
    private func carryOut(
        _ method: CommandMethod,
        on display: String,
        isForAllNodes: Bool,
        body: [UInt8],
        at now: Moment,
        completion: @escaping Completion
    ) {
        carryOut(
            on: display,
            isForAllNodes: isForAllNodes,
            body: body,
            at: now,
            completion: completion
        ) { body, _ throws(Problem) in
            let request = try method.command(from: body, lifespan: .custom)
            guard display != "all" || !method.isOfOneDisplay else { throw .displayNotFound(display) }
            return request
        }
    }

    var presets: [Preset] { handler.presets }

    /// Carries out a command of Home Assistant's switch *Keep awake* for one display.
    private func keepAwake(_ display: String, body payload: [UInt8], at now: Moment, completion: @escaping Completion) {
        carryOut(on: display, body: [], at: now, completion: completion) { _, displays throws(Problem) in
            guard display != "all", let id = displays.first?.id else { throw .displayNotFound(display) }
            let isOverridden = service.leases(of: id)?.isOverridden(for: .mqtt) ?? false
            return (try Command.awake(from: payload, isOverridden: isOverridden), .state)
        }
    }

    /// Stores a reading that a remote light sensor reports; an empty payload removes it. The response is empty or a
    /// problem document.
    private func report(_ sensor: String, _ payload: [UInt8], at now: Moment, completion: @escaping Completion) {
        do throws(Problem) {
            let name = try LightReport.name(sensor)
            if payload.isEmpty {
                _ = lightReports.remove(name, at: now.instant)
            } else {
                try LightReportCommand(fromMessage: payload).carryOut(on: lightReports, name, at: now.instant)
            }
            completion(.accepted)
        } catch {
            completion(.problem(error))
        }
    }

    /// Carries out a command of Home Assistant's JSON light for one display.
    private func turnLight(on display: String, body: [UInt8], at now: Moment, completion: @escaping Completion) {
        carryOut(on: display, body: body, at: now, completion: completion) { body, displays throws(Problem) in
            guard display != "all", let state = displays.first else { throw .displayNotFound(display) }
            guard let command = try HomeAssistantLight(from: body).command(for: state) else {
                throw RequestBody.invalid("state", "state is missing.")
            }
            return (command, .state)
        }
    }

    private func carryOut(
        on display: String,
        isForAllNodes: Bool = false,
        body: [UInt8],
        at now: Moment,
        completion: @escaping Completion,
        reading read: (RequestBody, [DisplayState]) throws(Problem) -> Request
    ) {
        do throws(Problem) {
            guard body.count <= JSONDocument.defaultLongest else { throw .bodyTooLarge }
            var body = try body.isEmpty ? RequestBody(params: [:], by: nil) : RequestBody(parsing: body)
            let displays = try displays(display, isForAllNodes: isForAllNodes, of: &body)
            let principal = try principal(of: &body)
            let revisions = try revisions(of: &body)
            let request = try read(body, displays.states)
            var command = request.command
            command.channel = .mqtt
            // The broker decides who may publish. A gateway has checked the lease's owner for its client.
            command.requester = Requester(principal, isAdmin: true)
            command.onlyAt = revisions
            let execution = try handler.execution(of: command, answering: request.kind, on: displays)
            execution.start(at: now) {
                completion(execution.problem.map { .problem($0) } ?? .done(execution))
            }
        } catch {
            completion(.problem(error))
        }
    }

    /// Reads `principal`, the client on whose behalf a gateway publishes. Rejects a client of this daemon: the broker
    /// does not report who publishes, so any publisher could claim to act for it.
    private func principal(of body: inout RequestBody) throws(Problem) -> Principal {
        guard let text = try body.string("principal", length: 1...256) else { return .mqtt }
        if let principal = Principal(forwarded: text, to: topics) { return principal }
        try body.reject("principal", "principal must be PREFIX/NODE/PRINCIPAL, of a client of another daemon.")
        return .mqtt
    }

    /// Reads `ifMatch`: `EPOCH-REVISION` of the state. One of another run matches nothing.
    private func revisions(of body: inout RequestBody) throws(Problem) -> Set<Revision>? {
        guard let tag = try body.string("ifMatch", length: 1...64) else { return nil }
        return service.epoch.revision(of: tag).map { [$0] } ?? []
    }

    /// Returns displays of this machine only, except for a group: other commands for a mirrored display go to its own
    /// node.
    private func displays(
        _ text: String,
        isForAllNodes: Bool,
        of body: inout RequestBody
    ) throws(Problem) -> TargetDisplays {
        guard text == "all" else { return try handler.ownDisplay(text) }
        if let name = try body.string("group", length: 1...32) {
            let displays = try handler.displays(of: .group(name))
            guard isForAllNodes else { return displays }
            return handler.ownDisplays(displays.states.filter { $0.kind != .remote }.map(\.id))
        }
        guard let names = try body.strings("displays") else { return handler.ownDisplays }
        let ids = names.compactMap { DisplayID($0) }
        if ids.count < names.count { try body.reject("displays", "displays must be ids of displays.") }
        return handler.ownDisplays(ids)
    }
}
