// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import TestSupport
import Testing

@testable import ESPHome

/// Conversations with clients, of displays whose panels work only when the test runs them.
@Suite final class ESPHomeBridgeTests {
    private let hub = NotificationHub()
    private let queue = ManualQueue()
    private let time = ManualTime()
    private let id = DisplayID("panel")!
    private let panel: ScriptedPanel
    private let service: DisplayService
    private var bridge: ESPHomeBridge
    private let sensors: PushedSensors
    private var session = ClientSession()

    init() throws {
        panel = ScriptedPanel(id, range: try #require(BrightnessRange(maximum: 100)), step: 50)
        service = try DisplayService([.init(panel, on: queue)], poster: hub.poster, at: .start)
        sensors = PushedSensors(
            light: [try #require(PushedEntity("sensor.lux"))],
            presence: [try #require(PushedEntity("binary_sensor.motion"))],
            poster: hub.poster
        )
        bridge = Self.bridge(.write, service, hub, sensors, time)
        queue.runAll()
    }

    private static func bridge(
        _ scope: ClientScope,
        _ service: DisplayService,
        _ hub: NotificationHub,
        _ sensors: PushedSensors,
        _ time: ManualTime,
        key: ServerKey = ServerKey(nil),
        wake: @escaping @Sendable () -> Void = {}
    ) -> ESPHomeBridge {
        let identity = Identity(machine: "lobby", id: "1")
        var configuration = ESPHomeBridge.Configuration(identity: identity, version: "1", key: key, sensors: sensors)
        configuration.scope = scope
        let surface = Surface(service, hub, writeQuota: WriteQuota(perSecond: 5)) { time.now }
        return ESPHomeBridge(surface, configuration, wake: wake)
    }

    private final class Wakes: Sendable {
        let count = Atomic(0)
    }

    // MARK: The client

    private func say(_ type: MessageType, _ body: [UInt8] = []) throws {
        try session.receive(Frame(type: type.rawValue, body: body), bridge)
        queue.runAll()
    }

    /// Hands on what the hub has posted, as the server does.
    private func publish() {
        let changes = bridge.drain()
        if changes.isNewTable { session.replaceTable() }
        session.update(changes.indices)
        session.add(changes.events)
        for result in changes.results { session.finishCall(result.message) }
    }

    /// Lets the time pass until nothing waits, and hands on what happens then.
    private func wait() {
        while let deadline = bridge.deadline {
            time.advance(by: deadline - time.now.instant)
            publish()
            queue.runAll()
        }
        publish()
    }

    /// The messages that the client would get.
    private func take() -> [OutgoingMessage] {
        var messages: [OutgoingMessage] = []
        while let message = session.next(bridge) { messages.append(message) }
        return messages
    }

    private func subscribe() throws {
        for type in [MessageType.helloRequest, .deviceInfoRequest, .listEntitiesRequest, .subscribeStatesRequest] {
            try say(type)
        }
        _ = take()
    }

    private func key(of entity: HomeAssistantEntity) throws -> [UInt8] {
        let place = try #require(
            bridge.table.entities.firstIndex { $0.role == .display(id, entity) }
        )
        let key = bridge.table.entities[place].head.key
        return [0x0D] + (0..<4).map { UInt8(truncatingIfNeeded: key >> UInt32(8 * $0)) }
    }

    private func light(_ messages: [OutgoingMessage]) throws -> (isOn: Bool, brightness: Float)? {
        guard let message = messages.last(where: { $0.type == .lightStateResponse }) else { return nil }
        let fields = try MessageFields(message.type, message.body[...])
        return (fields.bool(.state), fields.float(.brightness))
    }

    // MARK: Tests

    @Test func `only a hello, a ping and a goodbye are answered before the hello`() throws {
        try say(.pingRequest)
        #expect(take() == [.pong])
        #expect(throws: ProtobufReader.Malformed.self) { try say(.listEntitiesRequest) }
        try say(.helloRequest, [0x0A, 0x02, 0x48, 0x41])
        #expect(take().map(\.type) == [.helloResponse])
        #expect((session.isGreeted, session.name) == (true, "HA"))
    }

    @Test func `every entity is listed and has a state`() throws {
        try say(.helloRequest)
        try say(.listEntitiesRequest)
        #expect(
            take().map(\.type) == [
                .helloResponse, .listEntitiesSwitchResponse, .listEntitiesLightResponse, .listEntitiesButtonResponse,
                .listEntitiesButtonResponse,
                .listEntitiesBinarySensorResponse, .listEntitiesTextSensorResponse, .listEntitiesEventResponse,
                .listEntitiesSensorResponse,
                .listEntitiesServicesResponse, .listEntitiesServicesResponse, .listEntitiesServicesResponse,
                .listEntitiesServicesResponse, .listEntitiesServicesResponse, .listEntitiesDoneResponse,
            ]
        )
        try say(.subscribeStatesRequest)
        let states = take()
        #expect(
            states.map(\.type) == [
                .switchStateResponse, .lightStateResponse, .binarySensorStateResponse, .textSensorStateResponse,
                .sensorStateResponse,
            ]
        )
        #expect(try #require(try light(states)) == (true, 0.5))
    }

    @Test func `a slow client gets the newest state only`() throws {
        try subscribe()
        for step in 1...1_000 {
            service.submit(Command(.set(.step(step % 100))), to: id, at: .start) { _ in }
            queue.runAll()
            publish()
        }
        let messages = take()
        #expect(messages.count { $0.type == .lightStateResponse } == 1)
        #expect(try light(messages)?.brightness == 0)
    }

    @Test func `a light command sets the brightness`() throws {
        try subscribe()
        // state: true, brightness: 0.75
        try say(.lightCommandRequest, key(of: .light) + [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0x40, 0x3F])
        publish()
        #expect(try #require(try light(take())) == (true, 0.75))
        #expect(service.state(of: id)?.cause.by == "home-assistant")
        #expect(service.state(of: id)?.cause.principal == .esphome)
    }

    @Test func `off sets a panel that cannot be switched to its minimum`() throws {
        try subscribe()
        try say(.lightCommandRequest, key(of: .light) + [0x10, 1, 0x18, 0])
        publish()
        #expect(try #require(try light(take())) == (false, 0))
        #expect(panel.step == 0)
    }

    @Test func `a boost and its restore are buttons`() throws {
        try subscribe()
        try say(.buttonCommandRequest, key(of: .boost))
        #expect(panel.step == 100)
        #expect(service.leases(of: id)?.all.map(\.principal) == [.esphome])
        try say(.buttonCommandRequest, key(of: .restore))
        #expect(panel.step == 50)
    }

    @Test func `a command without effect sends the state again`() throws {
        try subscribe()
        // brightness: 0.5, as it is
        try say(.lightCommandRequest, key(of: .light) + [0x20, 1, 0x2D, 0, 0, 0, 0x3F])
        publish()
        #expect(try #require(try light(take())) == (true, 0.5))
    }

    @Test(
        arguments: [
            [0x0D, 1, 2, 3, 4], [], [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0xC0, 0x7F],
        ] as [[UInt8]]
    )
    func `commands for unknown entities change nothing`(body: [UInt8]) throws {
        try subscribe()
        for type in [MessageType.lightCommandRequest, .switchCommandRequest, .buttonCommandRequest] {
            try say(type, body)
        }
        #expect(panel.step == 50)
        #expect(service.leases(of: id)?.all.isEmpty == true)
    }

    // MARK: Events and actions

    @Test func `a change by a person is an event, and one by a client is none`() throws {
        try subscribe()
        service.submit(Command(.set(.step(30))), to: id, at: .start) { _ in }
        queue.runAll()
        publish()
        #expect(!take().contains { $0.type == .eventResponse })
        panel.step = 80
        service.submit(Command(.refresh(as: .hotkey)), to: id, at: .start) { _ in }
        queue.runAll()
        publish()
        let events = take().filter { $0.type == .eventResponse }
        #expect(events.count == 1)
        #expect(String(decoding: events[0].body, as: UTF8.self).contains("hotkey"))
    }

    private func call(_ action: HomeAssistantAction, _ values: [[UInt8]], id: UInt8 = 7) throws -> OutgoingMessage? {
        let key = (0..<4).map { UInt8(truncatingIfNeeded: action.key >> UInt32(8 * $0)) }
        let arguments = values.reduce(into: [UInt8]()) { $0 += [0x12, UInt8($1.count)] + $1 }
        try say(.executeServiceRequest, [0x0D] + key + arguments + [0x18, id])
        publish()
        return take().last { $0.type == .executeServiceResponse }
    }

    private func text(_ text: String) -> [UInt8] { [0x22, UInt8(text.utf8.count)] + Array(text.utf8) }

    @Test func `an action takes the fields of its form, and reports its success`() throws {
        try subscribe()
        // 75 %, 60 seconds
        let number: [[UInt8]] = [[0x1D, 0, 0, 0x96, 0x42], [0x1D, 0, 0, 0x70, 0x42]]
        #expect(try call(.boost, [[]] + number + [text("door"), text("bell")]) == .actionResult(of: 7, error: nil))
        let lease = try #require(service.leases(of: id)?.all.first)
        #expect((lease.holder, lease.reason, lease.principal) == ("door", "bell", .esphome))
        #expect((lease.brightness?.fraction, lease.end?.instant) == (0.75, Moment.start.instant + .seconds(60)))
        #expect(try call(.restore, [text("all"), text("door")]) == .actionResult(of: 7, error: nil))
        #expect(service.leases(of: id)?.isEmpty == true)
    }

    @Test func `a call without values has the defaults`() throws {
        try subscribe()
        #expect(try call(.boost, []) == .actionResult(of: 7, error: nil))
        #expect(service.leases(of: id)?.all.map(\.holder) == ["home-assistant"])
        #expect(panel.step == 100)
    }

    @Test(
        arguments: [
            [], [0x22, 4] + Array("none".utf8), [0x22, 3] + Array("a\u{7}b".utf8),
        ] as [[UInt8]]
    )
    func `a call that cannot be carried out reports why`(display: [UInt8]) throws {
        try subscribe()
        // A percent that is not a number.
        let answer = try call(.boost, [display, [0x1D, 0, 0, 0xC0, 0x7F]])
        let body = String(decoding: try #require(answer).body, as: UTF8.self)
        #expect(body.contains(display.isEmpty ? "percent must be a number" : "No display"))
        #expect(service.leases(of: id)?.isEmpty == true)
    }

    @Test func `a call with too many values ends the connection`() throws {
        try subscribe()
        #expect(throws: ProtobufReader.Malformed.self) { try call(.boost, Array(repeating: [], count: 17)) }
    }

    // MARK: Missed facts

    /// Posts more facts than the mailbox of the bridge keeps.
    private func overflow() throws {
        for number in 0...Mailbox.limit {
            hub.poster.post(.display(try #require(DisplayID("gone-\(number)")), .removed, at: Revision(1)))
        }
    }

    @Test func `after facts were missed, results are sent, and the next fact wakes the bridge`() throws {
        let wakes = Wakes()
        bridge = Self.bridge(.write, service, hub, sensors, time) { wakes.count.add(1, ordering: .relaxed) }
        try subscribe()
        try overflow()
        #expect(try call(.boost, []) == .actionResult(of: 7, error: nil))
        #expect(session.isOver == false)
        let before = wakes.count.load(ordering: .relaxed)
        service.submit(Command(.set(.step(30))), to: id, at: .start) { _ in }
        queue.runAll()
        #expect(wakes.count.load(ordering: .relaxed) > before)
    }

    // MARK: The scope

    @Test func `clients that may only read get states, and change nothing`() throws {
        bridge = Self.bridge(ClientScope(mayWrite: false), service, hub, sensors, time)
        try subscribe()
        try say(.lightCommandRequest, key(of: .light) + [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0x40, 0x3F])
        publish()
        #expect(try #require(try light(take())) == (true, 0.5))
        try say(.buttonCommandRequest, key(of: .boost))
        let answer = try #require(try call(.boost, []))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("--esphome-scope read"))
        #expect(panel.step == 50)
        #expect(service.leases(of: id)?.isEmpty == true)
    }

    @Test func `displays outside the scope are neither shown nor changed`() throws {
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        try service.add(.init(other, on: queue), at: .start)
        queue.runAll()
        let limit = DisplaySelector([try #require(DisplayPattern("oth*"))])
        bridge = Self.bridge(ClientScope(mayWrite: true, limit: limit), service, hub, sensors, time)
        try subscribe()
        #expect(bridge.table.indices(of: id).isEmpty && !bridge.table.indices(of: other.id).isEmpty)
        // Neither the default display nor a named one.
        for display in [[], text("panel")] {
            let answer = try #require(try call(.boost, [display]))
            #expect(String(decoding: answer.body, as: UTF8.self).contains("panel"))
        }
        #expect(try call(.boost, [text("all")]) == .actionResult(of: 7, error: nil))
        #expect((panel.step, other.step) == (50, 10))
        service.submit(Command(.set(.step(20))), to: id, at: .start) { _ in }
        queue.runAll()
        #expect(bridge.drain().isNewTable == false)
    }

    // MARK: The key

    private func setKey(_ text: String) throws -> OutgoingMessage? {
        try say(.noiseEncryptionSetKeyRequest, [0x0A, UInt8(text.utf8.count)] + Array(text.utf8))
        return take().last
    }

    @Test func `a stranger in the window sets the key, and uses no display`() throws {
        let key = ServerKey(nil) { _ in true }
        try key.open(for: .seconds(60), at: Moment.start.instant)
        bridge = Self.bridge(.write, service, hub, sensors, time, key: key)
        session = ClientSession(of: "192.0.2.1", .window(isLocal: false))
        try subscribe()
        try say(.lightCommandRequest, self.key(of: .light) + [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0x40, 0x3F])
        try say(.buttonCommandRequest, self.key(of: .boost))
        try say(.subscribeHomeAssistantStatesRequest)
        let answer = try #require(try call(.boost, []))
        #expect(String(decoding: answer.body, as: UTF8.self).contains("no key yet"))
        #expect((panel.step, session.isPushing) == (50, false))
        for bad in ["", "hunter2", String(repeating: "A", count: 43) + "="] {
            #expect(try setKey(bad) == .keyResult(isSet: false))
        }
        let good = NoiseKey(bytes: Array(0..<32))!
        #expect(try setKey(good.base64) == .keyResult(isSet: true))
        #expect(key.admission(isLocal: true, at: Moment.start.instant) == .key(good))
        #expect(try setKey(good.base64) == .keyResult(isSet: false))
    }

    @Test(arguments: [
        (Admission.local, false, false), (.window(isLocal: true), true, true),
        (.key(NoiseKey(bytes: Array(0..<32))!), true, false),
    ])
    func `the device supports encryption where a client has the key or may set it`(
        admission: Admission,
        isSupported: Bool,
        isProvisionable: Bool
    ) throws {
        let info = try MessageFields(.deviceInfoResponse, bridge.deviceInfo(for: admission).body[...])
        #expect(info.bool(.apiEncryptionSupported) == isSupported)
        #expect(info.bool(.apiEncryptionProvisionable) == isProvisionable)
    }

    // MARK: Pushed states

    @Test func `pushed states are forgotten thirty seconds after the last client that pushes has left`() {
        var grace = PushGrace()
        let start = Moment.start.instant
        for (isPushing, second, isForgotten, end) in [
            (false, 0, false, nil), (true, 1, false, nil),
            // The connection of a quiet client breaks.
            (false, 30.75, false, 60.75),
            // It is back, and leaves.
            (true, 60.5, false, nil), (false, 100, false, 130), (false, 129.75, false, 130),
            (false, 130, true, nil), (false, 200, false, nil),
        ] as [(Bool, Double, Bool, Double?)] {
            #expect(grace.update(isPushing: isPushing, at: start + .seconds(second)) == isForgotten, "\(second)")
            #expect(grace.end == end.map { start + .seconds($0) }, "\(second)")
        }
    }

    private func push(_ entity: String, _ state: String) throws {
        let parts = [(0x0A as UInt8, entity), (0x12, state)]
        let body = parts.reduce(into: [UInt8]()) { $0 += [$1.0, UInt8($1.1.utf8.count)] + Array($1.1.utf8) }
        try say(.homeAssistantStateResponse, body)
    }

    private func readings() -> [SensorReading?] {
        (sensors.sensors(at: Moment.start.instant) ?? []).map { try? $0.read() }
    }

    @Test func `pushed states are sensors while they are readings`() throws {
        try subscribe()
        try push("sensor.lux", "12.5")
        #expect(readings() == [nil, nil])
        try say(.subscribeHomeAssistantStatesRequest)
        #expect(take().map(\.type) == [.subscribeHomeAssistantStateResponse, .subscribeHomeAssistantStateResponse])
        try push("sensor.lux", "12.5")
        try push("binary_sensor.motion", "on")
        try push("sensor.other", "7")
        #expect(readings() == [.lux(12.5), .near(true)])
        for state in ["unavailable", "-1", "nan", "inf", ""] {
            try push("sensor.lux", state)
            #expect(readings()[0] == nil)
        }
        bridge.forgetPushed()
        #expect(readings() == [nil, nil])
    }

    @Test(arguments: [
        ("sensor.lux", true), ("a.b_1", true), ("Sensor.lux", false), ("sensor", false), ("a.b.c", false),
        (".a", false),
        ("a.", false), ("a.\u{7}", false),
    ])
    func `an entity has a domain and a name`(text: String, isEntity: Bool) {
        #expect((PushedEntity(text) != nil) == isEntity)
    }

    @Test func `brightness that is not a number is the minimum`() throws {
        try subscribe()
        try say(.lightCommandRequest, key(of: .light) + [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0xC0, 0x7F])
        #expect(panel.step == 0)
    }

    @Test(arguments: [4, 6, 60, 200])
    func `the last value of a slider stays, however fast it is`(perSecond: Int) throws {
        let lines = hub.source.listen(to: NotificationFilter([.notice])) {}
        try subscribe()
        for number in 1...(5 * perSecond) {
            time.advance(by: .seconds(1) / perSecond)
            // From 0.0625 on.
            let brightness: [UInt8] = [0x20, 1, 0x2D, 0, 0, 0x80 &+ UInt8(number % 64), 0x3D]
            try say(
                .lightCommandRequest,
                key(of: .light) + (number == 5 * perSecond ? [0x20, 1, 0x2D, 0, 0, 0x40, 0x3F] : brightness)
            )
            publish()
        }
        wait()
        #expect(service.state(of: id)?.baseline.fraction == 0.75)
        #expect(try light(take())?.brightness == 0.75)
        // A burst of 10, and 5 a second.
        #expect(hub.source.posts(of: .state) <= 37)
        #expect(lines.drain().count == (perSecond > 6 ? 1 : 0))
    }

    @Test func `a display and a call have a quota of their own, and a skipped call is answered`() throws {
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        try service.add(.init(other, on: queue), at: .start)
        queue.runAll()
        try subscribe()
        for _ in 0..<50 { try say(.lightCommandRequest, key(of: .light) + [0x20, 1, 0x2D, 0, 0, 0x40, 0x3F]) }
        #expect(try call(.boost, [text("other")]) == .actionResult(of: 7, error: nil))
        for number in 1...10 as ClosedRange<UInt8> { _ = try call(.dim, [text("other"), [0x1D, 0, 0, number, 0x41]]) }
        publish()
        let answers = take().filter { $0.type == .executeServiceResponse }
        #expect(answers == [])
        let skipped = try #require(try call(.dim, [text("other"), [0x1D, 0, 0, 0x20, 0x41]]))
        #expect(String(decoding: skipped.body, as: UTF8.self).contains("a newer one replaced this one"))
        wait()
        #expect(take().filter { $0.type == .executeServiceResponse } == [.actionResult(of: 7, error: nil)])
        #expect(service.leases(of: other.id)?.all.first { $0.kind == .dim }?.brightness?.fraction == 0.1)
    }

    @Test func `a display that is lit has a brightness above 0`() throws {
        try subscribe()
        let dim = LeaseRequest(.dim, at: .fraction(Brightness(clamping: 0)), holder: "night")
        service.submit(Command(.grant(dim)), to: id, at: .start) { _ in }
        queue.runAll()
        publish()
        #expect(try #require(try light(take())) == (true, Float(1.0 / 255)))
    }

    @Test func `a display that comes or goes makes clients connect again after a pause`() throws {
        try subscribe()
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        for _ in 0..<100 {
            try service.add(.init(other, on: queue), at: .start)
            queue.runAll()
            publish()
            service.withdraw(own: other.id)
            publish()
        }
        // At the end of the pause the table is the one that the client has read.
        wait()
        #expect(take() == [] && !session.isOver)
        try service.add(.init(other, on: queue), at: .start)
        queue.runAll()
        publish()
        #expect(take() == [] && !session.isOver)
        wait()
        #expect(take() == [.leave])
        #expect(session.isOver)
        session = ClientSession()
        try say(.helloRequest)
        try say(.listEntitiesRequest)
        #expect(take().count { $0.type == .listEntitiesLightResponse } == 2)
        service.withdraw(own: other.id)
        // The states of the others go on.
        service.submit(Command(.set(.step(30))), to: id, at: .start) { _ in }
        try say(.subscribeStatesRequest)
        publish()
        #expect(try light(take()) != nil)
        wait()
        #expect(take() == [.leave])
    }

    @Test func `the first client reads the newest table without a pause`() throws {
        try subscribe()
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        try service.add(.init(other, on: queue), at: .start)
        queue.runAll()
        publish()
        bridge.end()
        #expect(bridge.deadline == nil)
        session = ClientSession()
        try say(.helloRequest)
        try say(.listEntitiesRequest)
        #expect(take().count { $0.type == .listEntitiesLightResponse } == 2)
    }

    @Test func `a display that changes all day costs each client at most eight connections`() throws {
        var (ends, changes) = (0, 0)
        try subscribe()
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        while time.now.instant < Moment.start.instant + .seconds(86_400) {
            if changes.isMultiple(of: 2) {
                try service.add(.init(other, on: queue), at: time.now)
                queue.runAll()
            } else {
                service.withdraw(own: other.id)
            }
            changes += 1
            publish()
            time.advance(by: .seconds(11))
            publish()
            guard session.isOver else { continue }
            ends += 1
            session = ClientSession()
            try subscribe()
        }
        #expect((1...8).contains(ends))
    }

    @Test func `changes of displays beyond the limit send nothing`() throws {
        for number in 1...EntityTable.displayLimit {
            let other = ScriptedPanel(DisplayID("other-\(number)")!, range: BrightnessRange(maximum: 10)!, step: 5)
            try service.add(.init(other, on: queue), at: .start)
        }
        queue.runAll()
        try subscribe()
        let last = try #require(service.displays.last)
        #expect(bridge.table.indices(of: last).isEmpty)
        service.submit(Command(.set(.step(3))), to: last, at: .start) { _ in }
        queue.runAll()
        publish()
        #expect(take() == [])
    }

    @Test func `a display with a new name makes clients connect again`() throws {
        try subscribe()
        let name = DisplaySettings.Change(name: DisplayName("Left")!)
        service.submit(Command(.configure(name)), to: service.displays[0], at: .start) { _ in }
        queue.runAll()
        publish()
        #expect(take().allSatisfy { $0 != .leave })
        wait()
        #expect(take() == [.leave])
    }

    @Test func `a client that leaves gets a goodbye and nothing else`() throws {
        try subscribe()
        session.update([0])
        try say(.disconnectRequest)
        #expect(take() == [.goodbye])
        #expect(session.isOver)
    }

    @Test func `without a client nobody listens to the hub`() throws {
        try subscribe()
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        bridge.end()
        #expect(hub.source.retained(.audience) == .audience(isPresent: false))
    }

    @Test func `each preset has a button, which applies it`() throws {
        try subscribe()
        let name = try #require(ResourceName("Film"))
        let displays = try #require(PresetDisplays("all"))
        let value = try #require(PresetValue(brightness: Brightness(clamping: 0.3), isOn: nil))
        let preset = try #require(Preset(name, [Preset.Rule(displays, value)]))
        hub.poster.post(.presets([preset]))
        publish()
        wait()
        #expect(take().map(\.type) == [.disconnectRequest])
        let entity = try #require(bridge.table.entities.first { $0.role == .preset(name) })
        #expect(entity.head.name == "Film" && entity.head.device == 0)
        #expect(bridge.table.entities.count { $0.listing.type == .listEntitiesButtonResponse } == 3)
        bridge.receive(.press(key: entity.head.key))
        queue.runAll()
        #expect(service.state(of: id)?.baseline == value.brightness)
        #expect(service.state(of: id)?.cause.by == HomeAssistantEntity.holder)
        // Removed, it is not applied.
        hub.poster.post(.presets([]))
        bridge.receive(.press(key: entity.head.key))
        publish()
        wait()
        #expect(!bridge.table.entities.contains { $0.role == .preset(name) })
    }

    @Test func `keys stay the same and differ`() throws {
        let displays = (0..<100).map { HomeAssistantDisplay(id: DisplayID("display-\($0)")!, name: "A") }
        let table = EntityTable(displays, hasIlluminance: true)
        #expect(table == EntityTable(displays, hasIlluminance: true))
        #expect(table.devices.count == EntityTable.displayLimit)
        #expect(Set(table.entities.map(\.head.key)).count == table.entities.count)
        #expect(table.entities.last?.role == .illuminance)
        #expect(EntityTable(displays.prefix(1), hasIlluminance: true).entities.first == table.entities.first)
    }
}

extension HomeAssistantEntity {
    static let light = named("light")
    static let boost = named("boost")
    static let restore = named("restore")

    private static func named(_ role: String) -> Self { all.first { $0.role == role } ?? awake }
}

extension HomeAssistantAction {
    fileprivate static let boost = Self(kind: .boost)
    fileprivate static let dim = Self(kind: .dim)
    fileprivate static let restore = Self(kind: nil)
}
