// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import ESPHome

/// Every way in which a client changes something, with every permission.
@Suite struct WaysInTests {
    enum Way: CaseIterable {
        case light, toggle, boost, restore, preset, action, push
    }

    enum Client: CaseIterable {
        case writer, reader, limited, stranger

        var scope: ClientScope {
            switch self {
            case .writer, .stranger: .write
            case .reader: ClientScope(mayWrite: false)
            case .limited: ClientScope(mayWrite: true, limit: DisplaySelector([DisplayPattern("oth*")!]))
            }
        }

        var admission: Admission { self == .stranger ? .window(isLocal: false) : .local }

        /// Sensors that clients push are those of the daemon's options, so they count with each scope.
        func may(_ way: Way) -> Bool { self == .writer || way == .push && self != .stranger }
    }

    private let hub = NotificationHub()
    private let queue = ManualQueue()
    private let panel: ScriptedPanel
    private let service: DisplayService
    private let sensors: PushedSensors

    init() throws {
        let (id, range) = (DisplayID("panel")!, BrightnessRange(maximum: 100)!)
        panel = ScriptedPanel(id, range: range, step: 50, isSwitchable: true)
        service = try DisplayService([.init(panel, on: queue)], poster: hub.poster, at: .start)
        sensors = PushedSensors(light: [PushedEntity("sensor.lux")!], presence: [], poster: hub.poster)
        queue.runAll()
        let value = try #require(PresetValue(brightness: Brightness(clamping: 0.3), isOn: nil))
        let displays = try #require(PresetDisplays("all"))
        let rule = Preset.Rule(displays, value)
        let name = try #require(ResourceName("film"))
        hub.poster.post(.presets([try #require(Preset(name, [rule]))]))
    }

    private func bridge(_ scope: ClientScope) -> ESPHomeBridge {
        var configuration = ESPHomeBridge.Configuration(
            identity: Identity(machine: "lobby", id: "1"),
            version: "1",
            key: ServerKey(nil),
            sensors: sensors
        )
        configuration.scope = scope
        return ESPHomeBridge(Surface(service, hub), configuration) {}
    }

    /// The number of what a way changes, as the protocol writes it. Clients without permission may guess it.
    private func key(_ role: EntityTable.Entity.Role) throws -> [UInt8] {
        let all = bridge(.write)
        all.begin()
        let entity = try #require(all.table.entities.first { $0.role == role })
        return bytes(entity.head.key)
    }

    private func bytes(_ key: UInt32) -> [UInt8] {
        [0x0D] + (0..<4).map { UInt8(truncatingIfNeeded: key >> UInt32(8 * $0)) }
    }

    private func text(_ field: UInt8, _ text: String) -> [UInt8] { [field, UInt8(text.utf8.count)] + Array(text.utf8) }

    private func message(_ way: Way) throws -> (MessageType, [UInt8]) {
        switch way {
        // brightness: 0.75
        case .light: (.lightCommandRequest, try key(.display(panel.id, .light)) + [0x20, 1, 0x2D, 0, 0, 0x40, 0x3F])
        case .toggle: (.switchCommandRequest, try key(.display(panel.id, .awake)) + [0x10, 1])
        case .boost: (.buttonCommandRequest, try key(.display(panel.id, .boost)))
        case .restore: (.buttonCommandRequest, try key(.display(panel.id, .restore)))
        case .preset: (.buttonCommandRequest, try key(.preset(ResourceName("film")!)))
        case .action: (.executeServiceRequest, bytes(HomeAssistantAction(kind: .boost).key) + [0x18, 7])
        case .push: (.homeAssistantStateResponse, text(0x0A, "sensor.lux") + text(0x12, "12.5"))
        }
    }

    private struct Effect: Equatable {
        let step: Int?
        let leases: [LeaseKind]
        let lux: SensorReading?
    }

    private var effect: Effect {
        Effect(
            step: service.state(of: panel.id)?.step,
            leases: service.leases(of: panel.id)?.all.map(\.kind) ?? [],
            lux: (sensors.sensors(at: Moment.start.instant) ?? []).first.flatMap { try? $0.read() }
        )
    }

    private func send(_ messages: [(MessageType, [UInt8])], _ client: Client) throws {
        let bridge = bridge(client.scope)
        var session = ClientSession(id: 1, of: "192.0.2.1", client.admission)
        for (type, body) in messages {
            try session.receive(Frame(type: type.rawValue, body: body), bridge)
            queue.runAll()
        }
        bridge.end()
    }

    @Test(arguments: Client.allCases, Way.allCases)
    func `a client changes only what it may`(client: Client, way: Way) throws {
        let start: [(MessageType, [UInt8])] = [(.helloRequest, []), (.subscribeHomeAssistantStatesRequest, [])]
        // There is a boost to end.
        if way == .restore { try send(start + [message(.boost)], .writer) }
        let before = effect
        try send(start + [message(way)], client)
        #expect((effect != before) == client.may(way))
    }
}
