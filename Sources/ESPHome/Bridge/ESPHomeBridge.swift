// SPDX-License-Identifier: Apache-2.0
package import BrightnessCore
import Synchronization

/// The displays for ESPHome clients such as Home Assistant: publishes the hub's facts as states of entities, and
/// accepts commands.
///
/// ```
///   NotificationHub ──mailbox──► ESPHomeBridge ──states──► ClientSession (one a client) ──pull──► Connection
///   DisplayService ◄──────────── ESPHomeBridge ◄─commands── ClientSession ◄─────────────────────┘
/// ```
///
/// It listens to the hub only while there is a client. On its server's thread.
package final class ESPHomeBridge {
    package struct Configuration: Sendable {
        var identity: Identity
        var version: String
        /// The port of the dashboard; 0 if clients cannot reach it.
        var dashboardPort: UInt16
        var key: ServerKey
        var scope: ClientScope
        /// Counts a viewer while there is a client.
        var viewers: ViewerCount
        /// The sensors whose states clients push.
        var sensors: PushedSensors
        /// The groups that presets name.
        var groups: DisplayGroups
        /// The quota of all commands together; `nil` for no limit.
        var writeQuota: WriteQuota?
        /// Reads the clocks, once per command.
        var now: @Sendable () -> Moment
        /// Writes a line about a refused command; `nil` if nobody reads those.
        var logRefusal: (@Sendable (String) -> Void)?

        package init(
            identity: Identity,
            version: String,
            dashboardPort: UInt16 = 0,
            key: ServerKey,
            scope: ClientScope = .write,
            viewers: ViewerCount,
            sensors: PushedSensors,
            groups: DisplayGroups = .none,
            writeQuota: WriteQuota? = nil,
            now: @escaping @Sendable () -> Moment,
            logRefusal: (@Sendable (String) -> Void)? = nil
        ) {
            self.identity = identity
            self.version = version
            self.dashboardPort = dashboardPort
            self.key = key
            self.scope = scope
            self.viewers = viewers
            self.sensors = sensors
            self.groups = groups
            self.writeQuota = writeQuota
            self.now = now
            self.logRefusal = logRefusal
        }
    }

    /// The news for clients.
    struct Changes: Equatable {
        /// Whether the table of entities is another.
        var isOtherTable = false
        /// The entities with other states, or with a command that had no effect.
        var places: Set<Int> = []
        /// By the entities' places.
        var events: [Int: OutgoingMessage] = [:]
        var results: [CallResult] = []
    }

    /// The result of an action's call.
    struct CallResult: Equatable {
        let client: UInt64
        /// `nil` if the client expects none.
        let message: OutgoingMessage?
    }

    private let configuration: Configuration
    private let service: DisplayService
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let handler: CommandHandler
    private let wake: @Sendable () -> Void
    /// Lines about clients.
    let log: ClientLog
    private(set) var table = EntityTable([], hasIlluminance: false)
    private var states: [OutgoingMessage?] = []
    /// Set while there is a client.
    private var listener: Listener?
    private var viewer: ViewerToken?
    /// The newest known cause of each display's state.
    private var causes: [DisplayID: Cause] = [:]
    private let finished = Finished()
    /// The time when the quota's bucket is full again.
    private var full: Instant?

    /// The results of commands. Any thread.
    private final class Finished: Sendable {
        struct Results {
            /// Their states are sent again: a client shows the wish until then.
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

        func take() -> Results {
            results.withLock { results in
                defer { results = Results() }
                return results
            }
        }
    }

    /// - Parameter wake: Wakes the thread. Any thread, never blocks.
    package init(
        _ service: DisplayService,
        source: NotificationSource,
        poster: NotificationPoster,
        _ configuration: Configuration,
        wake: @escaping @Sendable () -> Void
    ) {
        self.configuration = configuration
        self.service = service
        self.source = source
        self.poster = poster
        self.wake = wake
        log = ClientLog(now: configuration.now) { poster.post(.notice(.homeAssistant($0))) }
        handler = CommandHandler(service, source, groups: configuration.groups)
    }

    var now: Instant { configuration.now().instant }

    var hello: OutgoingMessage { .hello(configuration.identity, version: configuration.version) }

    func deviceInfo(for admission: Admission) -> OutgoingMessage {
        DeviceInfo(
            identity: configuration.identity,
            version: configuration.version,
            dashboardPort: configuration.dashboardPort,
            admission: admission,
            devices: table.devices.map { ($0.id, $0.name) }
        ).message
    }

    /// The newest state of an entity; `nil` for an entity without one.
    func state(at place: Int) -> OutgoingMessage? { states.indices.contains(place) ? states[place] : nil }

    /// Reports the clients of the server.
    func report(_ health: HomeAssistantHealth) { poster.post(.homeAssistant(health)) }

    /// The number of messages in the list of entities and actions.
    var listCount: Int { table.entities.count + HomeAssistantAction.all.count }

    func listing(at place: Int) -> OutgoingMessage {
        let entities = table.entities
        return place < entities.count
            ? entities[place].listing : HomeAssistantAction.all[place - entities.count].listing
    }

    // MARK: Out

    /// Starts to listen, with the hello of the first client.
    func begin() {
        guard listener == nil else { return }
        viewer = configuration.viewers.join()
        // Nobody knows an earlier table.
        _ = startAgain()
    }

    /// Stops listening, after the last client.
    func end() {
        listener = nil
        viewer = nil
        causes = [:]
    }

    /// Reads what the hub has posted since the last call, and the results of commands.
    func drain() -> Changes {
        guard let listener else { return Changes() }
        var changes = if let news = listener.drainWhole() { read(news) } else { startAgain() }
        let results = finished.take()
        for id in results.displays { changes.places.formUnion(table.places(of: id)) }
        changes.results = results.calls
        return changes
    }

    private func read(_ news: [BrightnessCore.Notification]) -> Changes {
        var changes = Changes()
        var displays: Set<DisplayID> = []
        for notification in news {
            switch notification {
            case .brightness(let state):
                guard configuration.scope.includes(state) else { continue }
                displays.insert(state.id)
                changes.isOtherTable = changes.isOtherTable || table.renames(state)
            case .lease(let event, _): displays.insert(event.lease.display)
            case .display, .presets: changes.isOtherTable = true
            case .ambient:
                changes.isOtherTable = changes.isOtherTable || (table.illuminance != nil) != hasLight
                if let place = table.illuminance { refresh(place, illuminance, &changes) }
            case .sensors, .audience, .following, .activity, .presence, .clockSet, .resumed, .journal, .broker,
                .homeAssistant, .schedules, .health, .room, .defaultDisplay, .failure, .notice:
                break
            }
        }
        if changes.isOtherTable { rebuild(&changes) }
        for id in displays { refresh(id, &changes) }
        return changes
    }

    /// Listens again, after facts were missed: everything is read.
    private func startAgain() -> Changes {
        let filter = NotificationFilter([.brightness, .lease, .ambient, .display, .presets], ofThisMachine: true)
        let listener = source.listen(to: filter, wake: wake)
        // All of this is read below. Only a listener that has nothing to read is woken by the next post.
        _ = listener.drain()
        self.listener = listener
        var changes = Changes()
        rebuild(&changes)
        return changes
    }

    /// Reads every display. Notes whether the table is another.
    private func rebuild(_ changes: inout Changes) {
        let earlier = table
        let displays = shownDisplays
        table = EntityTable(
            displays.map { HomeAssistantDisplay($0) },
            hasIlluminance: hasLight,
            presets: handler.presets.map(\.name)
        )
        states = Array(repeating: nil, count: table.entities.count)
        for display in displays { refresh(display.id, &changes) }
        if let place = table.illuminance { refresh(place, illuminance, &changes) }
        changes.isOtherTable = table != earlier
        causes = causes.filter { !table.places(of: $0.key).isEmpty }
    }

    /// The displays of this machine that clients see.
    private var shownDisplays: [DisplayState] { service.own.filter(configuration.scope.includes) }

    private func refresh(_ id: DisplayID, _ changes: inout Changes) {
        let places = table.places(of: id)
        guard !places.isEmpty, let state = service.state(of: id) else { return }
        let isAwake = service.leases(of: id)?.keepsAwake(for: .esphome) ?? false
        for place in places { refresh(place, table.entities[place].state(state, isAwake: isAwake), &changes) }
        // The first known cause is not news.
        if let earlier = causes.updateValue(state.cause, forKey: id), earlier != state.cause,
            let place = places.last, let event = table.entities[place].event(of: state.cause)
        {
            changes.events[place] = event
        }
    }

    private func refresh(_ place: Int, _ state: OutgoingMessage?, _ changes: inout Changes) {
        guard states[place] != state else { return }
        states[place] = state
        changes.places.insert(place)
    }

    /// Whether there is a light sensor. One that clients push does not come and go with them.
    private var hasLight: Bool { source.hasLightSensor || configuration.sensors.hasLight }

    private var illuminance: OutgoingMessage? {
        guard let place = table.illuminance else { return nil }
        let lux: Double? =
            if case .ambient(let ambient)? = source.retained(.ambient) { ambient.illuminance?.lux } else { nil }
        return .sensor(table.entities[place].head, lux)
    }

    // MARK: In

    func turnLight(_ command: LightCommand) {
        carryOut(command.key) { entity, state throws(Problem) in
            guard entity == .light else { throw Self.unsupported }
            let light = HomeAssistantLight(
                isOn: command.isOn,
                brightness: command.brightness.map { Brightness(clamping: Double($0)) },
                // At most an hour, as for every other client.
                transition: command.transition.map { .milliseconds(min($0, 3_600_000)) }
            )
            guard let change = light.command(for: state) else { return nil }
            return (change, .state)
        }
    }

    func toggle(_ key: UInt32, isOn: Bool) {
        carryOut(key) { entity, state throws(Problem) in
            let isOverridden = service.leases(of: state.id)?.isOverridden(for: .esphome) ?? false
            guard let command = try entity.command(on: isOn, isOverridden: isOverridden) else { throw Self.unsupported }
            return (command, .state)
        }
    }

    func press(_ key: UInt32) {
        if let place = table.place(of: key), case .preset(let name) = table.entities[place].role {
            return apply(name)
        }
        carryOut(key) { entity, _ throws(Problem) in try Self.request(entity.press) }
    }

    /// Applies a preset to the displays that clients see.
    private func apply(_ preset: ResourceName) {
        let now = configuration.now()
        do throws(Problem) {
            try count(at: now.instant)
            try configuration.scope.requireWrite()
            let request = try Self.request((.preset, HomeAssistantEntity.press(preset)))
            run(try execution(of: request, on: handler.ownDisplays(shownDisplays.map(\.id))), at: now) { _ in }
        } catch {
            logRefusal(error)
        }
    }

    private static func request(_ request: (method: CommandMethod, body: [String: JSONValue])?) throws(Problem)
        -> Request
    {
        guard let (method, body) = request else { throw unsupported }
        return try method.command(from: RequestBody(params: body, by: nil), lifespan: .custom)
    }

    /// Carries out an action. Its result is in the changes of a later `drain`.
    ///
    /// - Parameter client: The one that gets the result.
    func execute(_ call: ActionCall, of client: UInt64) {
        let finish: @Sendable ([DisplayID], Problem?) -> Void = { [finished, wake] displays, problem in
            let message = call.id == 0 ? nil : OutgoingMessage.actionResult(of: call.id, error: problem?.detail)
            finished.add(displays, CallResult(client: client, message: message))
            wake()
        }
        let now = configuration.now()
        do throws(Problem) {
            try count(at: now.instant)
            guard let action = HomeAssistantAction.all.first(where: { $0.key == call.key }) else {
                throw Self.unsupported
            }
            try configuration.scope.requireWrite()
            let (display, body) = action.request(call.values)
            let displays = try displays(display)
            let request = try Self.request((action.method, body))
            run(try execution(of: request, on: displays), at: now) { execution in
                finish(displays.states.map(\.id), execution.problems.first)
            }
        } catch {
            logRefusal(error)
            finish([], error)
        }
    }

    private func displays(_ text: String) throws(Problem) -> TargetDisplays {
        if text == "all" { return handler.ownDisplays(shownDisplays.map(\.id)) }
        let name = text.isEmpty ? try handler.state(of: .byDefault).id.text : text
        let displays = try handler.ownDisplay(name)
        guard displays.states.allSatisfy(configuration.scope.includes) else { throw .displayNotFound(name) }
        return displays
    }

    /// The sensors that clients are asked to push.
    var pushRequests: [OutgoingMessage] { configuration.sensors.entities.map { .push($0.text) } }

    func receive(_ state: PushedState) { configuration.sensors.receive(state) }

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

    private static let unsupported = Problem(.notFound, "The entity does not support the command.")

    private typealias Request = (command: Command, kind: CommandExecution.ResponseKind)

    /// - Parameter read: Returns `nil` if nothing is to be changed.
    private func carryOut(
        _ key: UInt32,
        reading read: (HomeAssistantEntity, DisplayState) throws(Problem) -> Request?
    ) {
        guard let place = table.place(of: key), case .display(let id, let entity) = table.entities[place].role
        else { return logRefusal(Self.unsupported) }
        let now = configuration.now()
        do throws(Problem) {
            try count(at: now.instant)
            try configuration.scope.requireWrite()
            let displays = try handler.ownDisplay(id.text)
            guard let state = displays.states.first else { throw .displayNotFound(id.text) }
            guard let request = try read(entity, state) else { return }
            run(try execution(of: request, on: displays), at: now) { [finished, wake] _ in
                finished.add([id])
                wake()
            }
        } catch {
            logRefusal(error)
            finished.add([id])
            wake()
        }
    }

    private func execution(of request: Request, on displays: TargetDisplays) throws(Problem) -> CommandExecution {
        var command = request.command
        command.requester = Requester(.esphome, isAdmin: false)
        return try handler.execution(of: command, answering: request.kind, on: displays)
    }

    private func run(
        _ execution: CommandExecution,
        at now: Moment,
        completion: @escaping @Sendable (CommandExecution) -> Void
    ) {
        execution.start(at: now) { [log = configuration.logRefusal] in
            if let log { for problem in execution.problems { log(problem.detail) } }
            completion(execution)
        }
    }

    private func logRefusal(_ problem: Problem) { configuration.logRefusal?(problem.detail) }

    private func count(at now: Instant) throws(Problem) {
        guard let quota = configuration.writeQuota else { return }
        let left = quota.spend(&full, at: now)
        if !left.isEnough { throw quota.problem(left, of: "Home Assistant") }
    }
}
