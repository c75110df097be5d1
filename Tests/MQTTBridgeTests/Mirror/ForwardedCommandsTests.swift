// SPDX-License-Identifier: Apache-2.0
import MQTT
import TestSupport
import Testing

@testable import BrightnessCore
@testable import MQTTBridge

/// The commands of a gateway's clients, as the node carries out what the gateway sends.
@Suite struct ForwardedCommandsTests {
    private let hub = NotificationHub()
    private let panel: DisplayID
    private let node: DisplayService
    private let nodeTopics: Topics
    private let commands: BrokerCommands

    init() throws {
        panel = try #require(DisplayID("panel"))
        let range = try #require(BrightnessRange(maximum: 100))
        node = try DisplayService(
            [.init(ScriptedPanel(panel, range: range, step: 50, isSwitchable: true), on: ImmediateQueue())],
            poster: hub.poster,
            source: hub.source,
            at: .start
        )
        let illuminance = Illuminance(lux: 300)
        hub.poster.post(
            .ambient(
                Ambient(
                    source: .sensor,
                    illuminance: illuminance,
                    level: 0.5,
                    appearance: .day,
                    sensors: [],
                    at: Moment.start.wall
                )
            )
        )
        nodeTopics = Topics(prefix: "b", node: try #require(NodeName("lobby")))
        let reports = LightReports(poster: hub.poster)
        commands = BrokerCommands(Surface(node, hub), reports, topics: nodeTopics)
    }

    /// Carries out a command as the node does that gets it from the gateway `edge`. Returns the leases that changed.
    @discardableResult
    private func forward(_ command: Command) throws -> [Lease] {
        let listener = hub.source.listen(to: NotificationFilter([.lease])) {}
        _ = listener.drain()
        let edge = Topics(prefix: "b", node: try #require(NodeName("edge")))
        let state = try #require(node.state(of: panel))
        let call = try #require(command.call(showing: state, for: edge.name(of: command.principal), onlyAt: nil))
        let kind = Topics.TopicKind.command(call.method, panel.text, isForAllNodes: false)
        commands.receive(call.body, at: nodeTopics.command(call.method, of: panel), kind, at: .start) { result in
            #expect(throws: Never.self) { try result.get() }
        }
        return listener.drain().compactMap { if case .lease(let event, _) = $0 { event.lease } else { nil } }
    }

    private static let id = LeaseID("l1")
    private static let kiosk = Principal("kiosk-3")

    private static func command(_ action: Command.Action) -> Command {
        Command(action, by: "boss/phone", reason: "qr", requester: Requester(kiosk, isAdmin: true))
    }

    private static func request(_ kind: LeaseKind, _ fraction: Double? = nil) -> LeaseRequest {
        LeaseRequest(kind, at: fraction.map { .fraction(Brightness(clamping: $0)) }, holder: "boss/phone")
    }

    /// The changes of a display that a client can request. The holder has a slash and looks like another principal's.
    @Test(
        arguments: [
            .set(.fraction(.full)), .set(.step(7)), .move(delta: 0.1), .setPower(false), .setAutomatic(true),
            .configure(DisplaySettings.Change(name: DisplayName("Left")!)),
            .grant(request(.boost, 0.9)), .grant(request(.dim, 0.1)), .grant(request(.sleep)),
        ] as [Command.Action]
    )
    func `the node attributes a change to the gateway's client, whatever its holder is called`(
        action: Command.Action
    ) throws {
        let leases = try forward(Self.command(action))
        let cause = try #require(node.state(of: panel)?.cause)
        #expect((cause.principal?.text, cause.by, cause.reason) == ("b/edge/kiosk-3", "boss/phone", "qr"))
        for lease in leases { #expect((lease.principal.text, lease.holder) == ("b/edge/kiosk-3", "boss/phone")) }
        // At the gateway it is the client's own again, and at another one not.
        for (own, name) in [("edge", "kiosk-3"), ("hall", "b/edge/kiosk-3")] {
            let topics = Topics(prefix: "b", node: try #require(NodeName(own)))
            let shown = Reporter(node: nodeTopics, own: topics).principal(try #require(cause.principal).text)
            #expect(shown.text == name)
        }
    }

    /// The commands for leases that exist.
    @Test(
        arguments: [
            .renew(id, LeaseRenewal(at: .fraction(Brightness(clamping: 0.7)))), .release(id),
            .restore(holder: "boss/phone"), .restoreAll(),
        ] as [Command.Action]
    )
    func `the node attributes a change of a lease to the gateway's client`(action: Command.Action) throws {
        let granted = try #require(try forward(Self.command(.grant(Self.request(.boost, 0.9)))).first)
        let action: Command.Action =
            switch action {
            case .renew(_, let change): .renew(granted.id, change)
            case .release: .release(granted.id)
            default: action
            }
        #expect(try forward(Self.command(action)).map(\.id) == [granted.id])
        #expect(node.state(of: panel)?.cause.principal?.text == "b/edge/kiosk-3")
    }

    @Test func `a client of a gateway neither takes nor ends the leases of a client with its name`() throws {
        var local = Self.command(.grant(Self.request(.boost, 0.9)))
        local.requester = Requester(Principal("b/hall/kiosk-3"), isAdmin: false)
        node.submit(local, to: panel, at: .start) { _ in }
        try forward(Self.command(.grant(Self.request(.boost, 0.8))))
        #expect(node.leases(of: panel)?.all.map(\.principal.text) == ["b/hall/kiosk-3", "b/edge/kiosk-3"])
        try forward(Self.command(.restore(holder: "boss/phone")))
        #expect(node.leases(of: panel)?.all.map(\.principal.text) == ["b/hall/kiosk-3"])
    }
}
