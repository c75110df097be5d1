// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Support
import Synchronization

/// The displays for ESPHome clients such as Home Assistant: publishes notifications as states of entities, and accepts
/// commands.
///
/// ```
///   NotificationHub ──mailbox──► ESPHomeBridge ──states──► ClientSession (one a client) ──pull──► Connection
///   DisplayService ◄──────────── ESPHomeBridge ◄─commands── ClientSession ◄─────────────────────┘
/// ```
///
/// It listens to the hub only while there is a client. On its server's thread.
package final class ESPHomeBridge {
    package struct Configuration: Sendable {
        let identity: Identity
        let version: String
        /// The port of the dashboard; 0 if clients cannot reach it.
        package var dashboardPort: UInt16 = 0
        /// The address and port of the server.
        package var address = ""
        let key: ServerKey
        package var scope = ClientScope.write
        /// The sensors whose states clients push.
        let sensors: PushedSensors

        package init(identity: Identity, version: String, key: ServerKey, sensors: PushedSensors) {
            (self.identity, self.version, self.key, self.sensors) = (identity, version, key, sensors)
        }
    }

    struct Changes: Equatable {
        var isNewTable = false
        /// The entities with other states, or with a command that had no effect.
        var indices: Set<Int> = []
        /// By the entities' indices.
        var events: [Int: OutgoingMessage] = [:]
        var results: [CallResult] = []
    }

    private let configuration: Configuration
    private let surface: Surface
    private let handler: CommandHandler
    private let wake: @Sendable () -> Void
    /// Lines about clients.
    let log: ClientLog
    /// The table that clients have read, or read next.
    private(set) var table = EntityTable([], hasIlluminance: false)
    private var tableChanges = TableChanges()
    private var states: [OutgoingMessage?] = []
    /// Open while there is a client.
    private var feed: NotificationFeed
    /// The newest known cause of each display's state.
    private var causes: [DisplayID: Cause] = [:]
    private let finished = Finished()
    private var commands: PacedCommands<WriteQuotas<DisplayID?>, ClientCommand.Key, ClientCommand>

    /// The results of commands. Any thread.
    private final class Finished: Sendable {
        struct Results {
            /// Their states are sent again. Until then a client shows what it has asked for.
            var displays: Set<DisplayID> = []
            var calls: [CallResult] = []
        }

        private let results = Mutex(Results())

        func add(_ displays: [DisplayID], _ call: CallResult? = nil) {
            results.withLock { results in
                results.displays.formUnion(displays)
                if let call { results.calls.append(call) }
            }
        }

        func take() -> Results { results.exchange(Results()) }
    }

    /// - Parameter wake: Wakes the thread. Any thread, never blocks.
    package init(_ surface: Surface, _ configuration: Configuration, wake: @escaping @Sendable () -> Void) {
        (self.surface, self.configuration, self.wake) = (surface, configuration, wake)
        log = ClientLog(now: surface.now) { [poster = surface.poster] in poster.post(.notice(.homeAssistant($0))) }
        handler = surface.handler
        feed = surface.feed(wake: wake)
        commands = PacedCommands(surface.writeQuota)
    }

    var now: Instant { surface.now().instant }

    var hello: OutgoingMessage { .hello(configuration.identity, version: configuration.version) }

    func deviceInfo(for admission: Admission) -> OutgoingMessage {
        .deviceInfo(
            configuration.identity,
            version: configuration.version,
            dashboardPort: configuration.dashboardPort,
            admission,
            table.devices.map { ($0.id, $0.name) }
        )
    }

    /// The newest state of an entity; `nil` for an entity without one.
    func state(at index: Int) -> OutgoingMessage? { states.indices.contains(index) ? states[index] : nil }

    /// Reports the clients of the server.
    func report(_ health: HomeAssistantHealth) { surface.poster.post(.homeAssistant(health)) }

    var address: String { configuration.address }

    /// The number of messages in the list of entities and actions.
    var listCount: Int { table.entities.count + HomeAssistantAction.all.count }

    func listing(at index: Int) -> OutgoingMessage {
        let entities = table.entities
        return index < entities.count
            ? entities[index].listing : HomeAssistantAction.all[index - entities.count].listing
    }

    // MARK: Out

    /// Starts to listen, with the hello of the first client.
    func begin() {
        guard !feed.isOpen else { return }
        listen()
        // Nobody knows an earlier table.
        var changes = Changes()
        rebuild(&changes)
    }

    /// Stops listening, after the last client.
    func end() {
        feed.end()
        causes = [:]
        tableChanges.cancel()
    }

    /// Reads what the hub has posted since the last call, executes the commands that have room, and reads the
    /// results of commands.
    func drain() -> Changes {
        let now = surface.now()
        runDue(at: now)
        guard feed.isOpen else { return Changes() }
        var changes = Changes()
        if let notifications = feed.take() {
            read(notifications, &changes, at: now.instant)
        } else {
            // Notifications were missed.
            listen()
            refreshAll(&changes)
            tableChanges.note(at: now.instant)
        }
        if let due = tableChanges.due, due <= now.instant {
            rebuild(&changes)
            tableChanges.end(isChanged: changes.isNewTable, at: now.instant)
        }
        let results = finished.take()
        for id in results.displays { changes.indices.formUnion(table.indices(of: id)) }
        changes.results = results.calls
        return changes
    }

    private func read(_ notifications: [BrightnessCore.Notification], _ changes: inout Changes, at now: Instant) {
        var displays: Set<DisplayID> = []
        for notification in notifications {
            switch notification {
            case .state(let state):
                guard configuration.scope.includes(state) else { continue }
                displays.insert(state.id)
                if table.renames(state) { tableChanges.note(at: now) }
            case .lease(let event, _): displays.insert(event.lease.display)
            case .display, .presets: tableChanges.note(at: now)
            case .ambient:
                if (table.illuminance != nil) != hasLight { tableChanges.note(at: now) }
                if let index = table.illuminance { refresh(index, illuminance, &changes) }
            // The feed has no others.
            default: break
            }
        }
        for id in displays { refresh(id, &changes) }
    }

    /// Begins a new feed without its retained notifications, because the callers read every display themselves.
    private func listen() {
        feed.begin()
        _ = feed.drain()
    }

    /// Reads every display. Notes whether the table has changed.
    private func rebuild(_ changes: inout Changes) {
        let newest = EntityTable(
            shownDisplays.map { HomeAssistantDisplay($0) },
            hasIlluminance: hasLight,
            presets: handler.presets.map(\.name)
        )
        if newest != table {
            table = newest
            states = Array(repeating: nil, count: table.entities.count)
            changes = Changes(isNewTable: true)
            causes = causes.filter { !table.indices(of: $0.key).isEmpty }
        }
        refreshAll(&changes)
    }

    private func refreshAll(_ changes: inout Changes) {
        for display in shownDisplays { refresh(display.id, &changes) }
        if let index = table.illuminance { refresh(index, illuminance, &changes) }
    }

    /// The displays of this machine that clients see.
    private var shownDisplays: [DisplayState] { surface.service.own.filter(configuration.scope.includes) }

    private func refresh(_ id: DisplayID, _ changes: inout Changes) {
        let indices = table.indices(of: id)
        guard !indices.isEmpty, let state = surface.service.state(of: id) else { return }
        let isAwake = surface.service.leases(of: id)?.keepsAwake(for: .esphome) ?? false
        for index in indices { refresh(index, table.entities[index].state(state, isAwake: isAwake), &changes) }
        // The first known cause is not a change.
        guard let earlier = causes.updateValue(state.cause, forKey: id), earlier != state.cause else { return }
        for index in indices {
            if let event = table.entities[index].event(of: state.cause) { changes.events[index] = event }
        }
    }

    private func refresh(_ index: Int, _ state: OutgoingMessage?, _ changes: inout Changes) {
        guard states[index] != state else { return }
        states[index] = state
        changes.indices.insert(index)
    }

    /// Whether there is a light sensor. One that clients push does not come and go with them.
    private var hasLight: Bool { surface.source.hasLightSensor || configuration.sensors.hasLight }

    private var illuminance: OutgoingMessage? {
        guard let index = table.illuminance else { return nil }
        let lux: Double? =
            if case .ambient(let ambient)? = surface.source.retained(.ambient) { ambient.illuminance?.lux } else { nil }
        return table.entities[index].illuminance(lux)
    }

    // MARK: In

    /// When a command that waits has room in the quota, or the table changes; `nil` for no such time.
    var deadline: Instant? { [commands.deadline, tableChanges.due].compactMap { $0 }.min() }

    private static let unsupported = Problem(.notFound, "The entity does not support the command.")

    private typealias Request = (TargetDisplays, Command)

    /// Executes a command, now or when there is room for it. A newer one with its key may replace it until then.
    /// The result of a call is in the changes of a later `drain`.
    func receive(_ command: ClientCommand) {
        let now = surface.now()
        guard configuration.scope.mayWrite else {
            let detail = "Home Assistant may only read (--esphome-scope read). Nothing was changed."
            return refuse(command, Problem(.forbidden, detail))
        }
        if let skipped = commands.add(command, to: target(of: command), as: command.key, at: now.instant) {
            log(.skippedCommand, skipped.problem.detail)
            refuse(skipped.command, skipped.problem)
        }
        runDue(at: now)
    }

    private func runDue(at now: Moment) {
        for clientCommand in commands.takeDue(at: now.instant) {
            do throws(Problem) {
                guard case (let displays, var command)? = try read(clientCommand) else { continue }
                command.requester = Requester(.esphome, isAdmin: false)
                let execution = try handler.execution(of: command, on: displays)
                execution.start(at: now) { [finished, wake, log = surface.logRefusal] in
                    let problems = execution.problems
                    for problem in problems { log?("ESPHome: \(problem.detail)") }
                    finished.add(displays.states.map(\.id), clientCommand.result(problems.first))
                    wake()
                }
            } catch {
                refuse(clientCommand, error)
            }
        }
    }

    /// Reports a command that is not executed, and sends the state again to the client, which shows what it asked for.
    private func refuse(_ command: ClientCommand, _ problem: Problem) {
        surface.logRefusal?("ESPHome: \(problem.detail)")
        finished.add(target(of: command).map { [$0] } ?? [], command.result(problem))
        wake()
    }

    /// The display whose quota a command spends; `nil` for one of several displays, or of none.
    private func target(of command: ClientCommand) -> DisplayID? {
        guard case .call(let call, _) = command else {
            return table.index(of: command.key.entity).flatMap { table.entities[$0].display }
        }
        let text = HomeAssistantAction.all.first { $0.key == call.key }?.request(call.values).display
        guard let text, text != "all" else { return nil }
        return (try? displays(text))?.states.first?.id
    }

    /// Reads a command. Returns `nil` if nothing is to be changed.
    private func read(_ command: ClientCommand) throws(Problem) -> Request? {
        if case .call(let call, _) = command {
            guard let action = HomeAssistantAction.all.first(where: { $0.key == call.key }) else {
                throw Self.unsupported
            }
            let (display, body) = action.request(call.values)
            return (try displays(display), try action.method.command(with: body))
        }
        guard let index = table.index(of: command.key.entity) else { throw Self.unsupported }
        switch (table.entities[index].role, command) {
        case (.preset(let name), .press):
            return (try displays("all"), try CommandMethod.preset.command(with: HomeAssistantEntity.press(name)))
        case (.display(let id, let entity), .light(_, let light)) where entity.platform == .light:
            let displays = try handler.ownDisplay(id.text)
            return displays.states.first.flatMap { light.command(for: $0) }.map { (displays, $0) }
        case (.display(let id, let entity), .toggle(_, let isOn)) where entity.platform == .toggle:
            let displays = try handler.ownDisplay(id.text)
            let isOverridden = surface.service.leases(of: id)?.isAwakeOverridden(for: .esphome) ?? false
            return try entity.command(on: isOn, isOverridden: isOverridden).map { (displays, $0) }
        case (.display(let id, let entity), .press):
            guard let press = entity.press else { throw Self.unsupported }
            return (try handler.ownDisplay(id.text), try press.method.command(with: press.body))
        default: throw Self.unsupported
        }
    }

    private func displays(_ text: String) throws(Problem) -> TargetDisplays {
        if text == "all" { return handler.ownDisplays(shownDisplays.map(\.id)) }
        let name = text.isEmpty ? try handler.state(of: .defaultDisplay).id.text : text
        let displays = try handler.ownDisplay(name)
        guard displays.states.allSatisfy(configuration.scope.includes) else { throw .displayNotFound(name) }
        return displays
    }

    /// The sensors that clients are asked to push.
    var pushRequests: [OutgoingMessage] { configuration.sensors.entities.map { .push($0.text) } }

    func receive(state: String, of entity: String) { configuration.sensors.receive(state, of: entity) }

    /// Notes that no client pushes states any more.
    func forgetPushed() { configuration.sensors.forget() }

    /// Stores the key that a client made. Returns whether it is the key now.
    func setKey(_ text: String, by peer: String) -> Bool {
        guard let key = NoiseKey(base64: text), configuration.key.set(key, at: now) else {
            log(.key, "a key of \(peer) was not stored")
            return false
        }
        log(.key, "\(peer) has set the key. From now on clients need it")
        return true
    }
}
