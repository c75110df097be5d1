// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// Executes commands from the broker. Responses and problem documents are those of REST, and so are most bodies;
/// Home Assistant and light sensors have their own.
///
/// The broker decides which clients may publish commands, and does not name them. So each display has a write quota,
/// and each sensor. On the connection's thread.
final class BrokerCommands {
    /// The finished command; `nil` for a reading that was stored.
    typealias Completion = @Sendable (Result<CommandExecution?, Problem>) -> Void

    /// A message that waits for room in the quota.
    private struct Message {
        let kind: Topics.TopicKind
        let body: [UInt8]
        let completion: Completion
    }

    /// While a message waits, a newer one with its key replaces it. Other members of a body are not in the key: all
    /// displays share the places of waiting messages, and clients of gateways choose holders.
    private struct Key: Hashable {
        let topic: String
        /// The displays, or the group, that a command for `all` names.
        let names: [String]

        init(_ topic: String, for display: String, _ body: [UInt8]) {
            self.topic = topic
            let root = display == "all" ? JSONDocument(parsing: body)?.root : nil
            names =
                [root?["group"], root?["displays"]].compactMap { $0?.string }
                + (root?["displays"]?.elements?.compactMap(\.string) ?? [])
        }
    }

    private let service: DisplayService
    private let handler: CommandHandler
    private let topics: Topics
    private let lightReports: LightReports
    /// A quota for each display and for `all`. The newest message of each key waits.
    private var commands: PacedCommands<WriteQuotas<String>, Key, Message>
    /// A quota for each sensor.
    private var readings: PacedCommands<WriteQuotas<String>, String, Message>

    init(_ surface: Surface, _ lightReports: LightReports, topics: Topics) {
        (service, handler) = (surface.service, surface.handler)
        (self.lightReports, self.topics) = (lightReports, topics)
        commands = PacedCommands(surface.writeQuota)
        readings = PacedCommands(surface.writeQuota)
    }

    var presets: [Preset] { handler.presets }

    /// When `runDue` has something to do; `nil` for no such time.
    var deadline: Instant? { [commands.deadline, readings.deadline].compactMap { $0 }.min() }

    /// Executes the command of a message, now or when there is room for it. A newer message with its key may replace
    /// it until then.
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
                return completion(.failure(.displayNotFound(display)))
            }
            let key = Key(topic, for: display, body)
            skipped = commands.add(message, to: display, as: key, at: now.instant)
        case .illuminance(let sensor): skipped = readings.add(message, to: sensor, as: topic, at: now.instant)
        case .retained: return
        }
        if let skipped { skipped.command.completion(.failure(skipped.problem)) }
        runDue(at: now)
    }

    func runDue(at now: Moment) {
        for message in commands.takeDue(at: now.instant) + readings.takeDue(at: now.instant) {
            do throws(Problem) {
                guard let execution = try execution(of: message, at: now) else {
                    message.completion(.success(nil))
                    continue
                }
                execution.start(at: now) {
                    message.completion(execution.problem.map { .failure($0) } ?? .success(execution))
                }
            } catch {
                message.completion(.failure(error))
            }
        }
    }

    /// Reads a message. Returns `nil` for a reading, which is stored.
    private func execution(of message: Message, at now: Moment) throws(Problem) -> CommandExecution? {
        switch message.kind {
        case .retained: return nil
        case .illuminance(let sensor):
            try storeReading(message.body, of: sensor, at: now)
            return nil
        case .command(let method, let name, let isForAllNodes):
            return try execution(on: name, isForAllNodes: isForAllNodes, message.body) { body, _ throws(Problem) in
                let command = try method.command(from: body)
                guard name != "all" || !method.isOfOneDisplay else { throw .displayNotFound(name) }
                return command
            }
        // Home Assistant has a light and a switch for each display.
        case .light(let name):
            return try execution(on: name, isForAllNodes: false, message.body) { body, state throws(Problem) in
                guard name != "all", let state else { throw .displayNotFound(name) }
                guard let command = try HomeAssistantLight(from: body).command(for: state) else {
                    throw RequestBody.invalid("state", "state is missing.")
                }
                return command
            }
        case .awake(let name):
            return try execution(on: name, isForAllNodes: false, []) { _, state throws(Problem) in
                guard name != "all", let state else { throw .displayNotFound(name) }
                let isOverridden = service.leases(of: state.id)?.isAwakeOverridden(for: .mqtt) ?? false
                return try .awake(from: message.body, isOverridden: isOverridden)
            }
        }
    }

    /// Stores a reading that a remote light sensor reports; an empty payload removes it.
    private func storeReading(_ payload: [UInt8], of sensor: String, at now: Moment) throws(Problem) {
        let name = try LightReport.name(sensor)
        if payload.isEmpty {
            _ = lightReports.remove(name, at: now.instant)
        } else {
            try LightReportCommand(fromMessage: payload).execute(on: lightReports, name, at: now.instant)
        }
    }

    /// - Parameters:
    ///   - display: An id, or `all` for every display of this machine. In the body of an `all` command, `displays`
    ///     names some of these instead, and `group` the displays of a group, including those of other machines.
    ///   - isForAllNodes: Every node receives the command. Then a group has displays of this machine only.
    ///   - body: JSON text; empty counts as `{}`.
    ///   - read: Reads the command from the rest of the body, for the first of the displays.
    private func execution(
        on display: String,
        isForAllNodes: Bool,
        _ body: [UInt8],
        reading read: (RequestBody, DisplayState?) throws(Problem) -> Command
    ) throws(Problem) -> CommandExecution {
        guard body.count <= JSONDocument.defaultLongest else { throw .bodyTooLarge() }
        var body = try body.isEmpty ? RequestBody(params: [:], by: nil) : RequestBody(parsing: body)
        let displays = try displays(display, isForAllNodes: isForAllNodes, of: &body)
        let principal = try principal(of: &body)
        let revisions = try revisions(of: &body)
        var command = try read(body, displays.states.first)
        command.channel = .mqtt
        // The broker decides who may publish. A gateway has checked the lease's owner for its client.
        command.requester = Requester(principal, isAdmin: true)
        command.onlyAt = revisions
        return try handler.execution(of: command, on: displays)
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
