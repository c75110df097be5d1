// SPDX-License-Identifier: Apache-2.0
import BrightnessAPI
import BrightnessCore
import TestSupport
import Testing

@testable import ESPHome

/// Conversations with clients, of displays whose panels work only when the test runs them.
@Suite final class ESPHomeBridgeTests {
    private let hub = NotificationHub()
    private let queue = ManualQueue()
    private let id = DisplayID("panel")!
    private let panel: ScriptedPanel
    private let service: DisplayService
    private let bridge: ESPHomeBridge
    private var session = ClientSession()

    init() throws {
        panel = ScriptedPanel(id, range: try #require(BrightnessRange(maximum: 100)), step: 50)
        service = try DisplayService([.init(panel, on: queue)], poster: hub.poster, at: .start)
        bridge = ESPHomeBridge(
            service,
            source: hub.source,
            .init(
                identity: Identity(machine: "lobby", id: "1"),
                version: "1",
                isEncrypted: true,
                viewers: ViewerCount(poster: hub.poster),
                writeQuota: WriteQuota(perSecond: 5),
                now: { .start }
            )
        ) {}
        queue.runAll()
    }

    // MARK: The client

    private func say(_ type: MessageType, _ body: [UInt8] = []) throws {
        try session.receive(Frame(type: type.rawValue, body: body), bridge)
        queue.runAll()
    }

    /// Hands on what the hub has posted, as the server does.
    private func publish() {
        let changes = bridge.drain()
        if changes.isOtherTable { session.replaceTable() }
        session.update(changes.places)
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
            bridge.table.entities.firstIndex { $0.role == .display(id, entity, isDimmable: true) }
        )
        let key = bridge.table.entities[place].head.key
        return [0x0D] + (0..<4).map { UInt8(truncatingIfNeeded: key >> UInt32(8 * $0)) }
    }

    private func light(_ messages: [OutgoingMessage]) throws -> (isOn: Bool, brightness: Float)? {
        guard let message = messages.last(where: { $0.type == .lightStateResponse }) else { return nil }
        var (isOn, brightness): (Bool, Float) = (false, 0)
        try ProtobufReader(message.body[...]).read(LightStateField.self) { field, value in
            if field == .state { isOn = value.bool ?? false }
            if field == .brightness { brightness = value.float ?? 0 }
        }
        return (isOn, brightness)
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
                .helloResponse, .listEntitiesLightResponse, .listEntitiesButtonResponse, .listEntitiesButtonResponse,
                .listEntitiesBinarySensorResponse, .listEntitiesTextSensorResponse, .listEntitiesDoneResponse,
            ]
        )
        try say(.subscribeStatesRequest)
        let states = take()
        #expect(states.map(\.type) == [.lightStateResponse, .binarySensorStateResponse, .textSensorStateResponse])
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

    @Test func `brightness that is not a number is the minimum`() throws {
        try subscribe()
        try say(.lightCommandRequest, key(of: .light) + [0x10, 1, 0x18, 1, 0x20, 1, 0x2D, 0, 0, 0xC0, 0x7F])
        #expect(panel.step == 0)
    }

    @Test func `all clients together have a quota of writes`() throws {
        try subscribe()
        for step in 1...20 as ClosedRange<UInt8> {
            try say(.lightCommandRequest, key(of: .light) + [0x20, 1, 0x2D, 0, 0, 0x80 &+ step, 0x3D])
        }
        #expect(hub.source.posts(of: .brightness) == 11)
    }

    @Test func `a display that comes or goes makes clients connect again`() throws {
        try subscribe()
        let other = ScriptedPanel(DisplayID("other")!, range: BrightnessRange(maximum: 10)!, step: 5)
        try service.add(.init(other, on: queue), at: .start)
        queue.runAll()
        publish()
        #expect(take() == [.leave])
        #expect(session.isOver)
        session = ClientSession()
        try say(.helloRequest)
        try say(.listEntitiesRequest)
        #expect(take().count { $0.type == .listEntitiesLightResponse } == 2)
        service.withdraw(own: other.id)
        publish()
        #expect(take() == [.leave])
    }

    @Test func `a display with a new name makes clients connect again`() throws {
        try subscribe()
        let name = DisplaySettings.Change(name: DisplayName("Left")!)
        service.submit(Command(.configure(name)), to: service.displays[0], at: .start) { _ in }
        queue.runAll()
        publish()
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

    @Test func `keys stay the same and differ`() throws {
        let displays = (0..<100).map { HomeAssistantDisplay(id: DisplayID("display-\($0)")!, name: "A") }
        let table = EntityTable(displays, hasIlluminance: true)
        #expect(table == EntityTable(displays, hasIlluminance: true))
        #expect(table.devices.count == EntityTable.displayLimit)
        #expect(Set(table.entities.map(\.head.key)).count == table.entities.count)
        #expect(table.entities.last?.role == .illuminance)
        #expect(EntityTable(displays.prefix(1), hasIlluminance: false).entities.first == table.entities.first)
    }
}
