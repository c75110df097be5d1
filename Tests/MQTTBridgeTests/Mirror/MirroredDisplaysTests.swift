// SPDX-License-Identifier: Apache-2.0
import MQTT
import TestSupport
import Testing

@testable import BrightnessCore
@testable import MQTTBridge

/// The stored states of other daemons' displays: their limits, and the effect of a reconnect.
@Suite struct MirroredDisplaysTests {
    typealias Key = MirroredDisplays.Key

    var displays = MirroredDisplays(prefixes: ["b", "c"], limit: 4_096)
    let lobby: Topics
    let panel: Key
    let panelID: DisplayID

    init() throws {
        lobby = Topics(prefix: "b", node: try #require(NodeName("lobby")))
        panel = Key(node: lobby, name: try #require(DisplayID("panel")))
        panelID = try #require(panel.id)
    }

    private func state(_ id: DisplayID, step: Int = 40) throws -> DisplayState {
        DisplayState(
            id: id,
            name: "Panel",
            kind: .remote,
            range: try #require(BrightnessRange(maximum: 100)),
            brightness: Brightness(clamping: 0.4),
            baseline: Brightness(clamping: 0.4),
            step: step,
            automatic: .off,
            cause: Cause(.api, at: Moment.start.wall),
            revision: Revision(0)
        )
    }

    private func lease(_ id: String, _ display: DisplayID) -> Lease {
        Lease(
            id: LeaseID(id),
            display: display,
            holder: id,
            grantedAt: Moment.start.wall,
            brightness: .full,
            reason: nil,
            lifespan: .custom,
            end: nil
        )
    }

    /// A connection with the lobby's panel, boosted.
    private mutating func connect(at now: Moment = .start) throws {
        displays.connected(at: now)
        _ = displays.receive(isOnline: true, of: lobby, isRetained: true, at: now)
        _ = displays.receive(try state(panelID), of: panel, isRetained: true, at: now)
        _ = displays.receive([lease("kiosk", panelID)], of: panel, as: panelID, isRetained: true, at: now)
    }

    private func key(_ name: String, of node: Topics? = nil) throws -> Key {
        Key(node: node ?? lobby, name: try #require(DisplayID(name)))
    }

    @Test mutating func `a display that the broker does not send again after a reconnect is withdrawn`() throws {
        try connect()
        let other = try key("other"), otherID = try #require(other.id)
        _ = displays.receive(try state(otherID), of: other, isRetained: true, at: .start)
        #expect(displays.sweep(at: .after(.seconds(60))) == [])
        #expect(displays.disconnected(at: .after(.seconds(70))).count == 2)
        displays.connected(at: .after(.seconds(80)))
        let sent: Moment = .after(.seconds(81))
        _ = displays.receive(isOnline: true, of: lobby, isRetained: true, at: sent)
        _ = displays.receive(try state(otherID), of: other, isRetained: true, at: sent)
        #expect(displays.sweep(at: sent + .seconds(4)) == [])
        #expect(displays.sweep(at: sent + MirroredDisplays.grace) == [.withdraw(panelID)])
        #expect(displays.count == 1)
        #expect(displays.leaseCount == 0)
    }

    @Test mutating func `a state that arrived before the connection was ready counts as sent again`() throws {
        try connect()
        _ = displays.disconnected(at: .start)
        _ = displays.receive(try state(panelID), of: panel, isRetained: true, at: .start)
        displays.connected(at: .start)
        #expect(displays.sweep(at: .after(.seconds(4))) == [])
        // Its leases did not arrive.
        #expect(displays.sweep(at: .after(MirroredDisplays.grace)) == [.show(panelID)])
        #expect(displays.state(of: panelID)?.leases == [])
    }

    @Test mutating func `a broker that lost its retained messages withdraws no display whose daemon returns`()
        throws
    {
        try connect()
        _ = displays.disconnected(at: .start)
        displays.connected(at: .start)
        #expect(displays.sweep(at: .after(.seconds(59))) == [])
        let back: Moment = .after(.seconds(59))
        _ = displays.receive(isOnline: true, of: lobby, isRetained: false, at: back)
        #expect(displays.sweep(at: back + .seconds(2)) == [])
        _ = displays.receive(try state(panelID), of: panel, isRetained: false, at: back + .seconds(2))
        #expect(displays.sweep(at: back + .seconds(60)) == [.show(panelID)])
        #expect(displays.count == 1)
    }

    @Test mutating func `a daemon that does not return is forgotten with its displays`() throws {
        try connect()
        _ = displays.disconnected(at: .start)
        displays.connected(at: .start)
        #expect(displays.sweep(at: .after(MirroredDisplays.absenceGrace)) == [.withdraw(panelID)])
        #expect((displays.count, displays.nodeCount) == (0, 0))
    }

    @Test mutating func `no display is withdrawn while the broker sends the retained messages of others`() throws {
        try connect()
        _ = displays.disconnected(at: .start)
        displays.connected(at: .start)
        _ = displays.receive(isOnline: true, of: lobby, isRetained: true, at: .start)
        // A slow link: the messages of another node come between those of the lobby.
        let other = Topics(prefix: "b", node: try #require(NodeName("hall")))
        for second in stride(from: 3, through: 18, by: 3) {
            let now = Moment.after(.seconds(second))
            let key = try key("d\(second)", of: other), id = try #require(key.id)
            _ = displays.receive(try state(id), of: key, isRetained: true, at: now)
            #expect(displays.sweep(at: now) == [])
        }
        _ = displays.receive(try state(panelID), of: panel, isRetained: true, at: .after(.seconds(20)))
        #expect(displays.sweep(at: .after(.seconds(24))) == [])
        // Its leases did not arrive.
        #expect(displays.sweep(at: .after(.seconds(25))) == [.show(panelID)])
        #expect(displays.state(of: panelID)?.leases == [])
    }

    @Test mutating func `states of a daemon that changes all the time do not delay the withdrawal of others`() throws {
        try connect()
        _ = displays.disconnected(at: .start)
        displays.connected(at: .start)
        let busy = try key("busy"), busyID = try #require(busy.id)
        for second in 0..<5 {
            let now = Moment.after(.seconds(second))
            _ = displays.receive(try state(busyID, step: second), of: busy, isRetained: false, at: now)
            #expect(displays.sweep(at: now) == [])
        }
        #expect(displays.sweep(at: .after(MirroredDisplays.grace)) == [.withdraw(panelID)])
    }

    @Test mutating func `leases that arrive before the state are shown with it`() throws {
        let leases = [lease("kiosk", panelID)]
        #expect(displays.receive(leases, of: panel, as: panelID, isRetained: true, at: .start) == [])
        #expect(displays.state(of: panelID) == nil)
        #expect(displays.receive(try state(panelID), of: panel, isRetained: true, at: .start) == [.show(panelID)])
        #expect(displays.state(of: panelID)?.leases == leases)
    }

    @Test mutating func `leases without a state are forgotten`() throws {
        _ = displays.receive([lease("kiosk", panelID)], of: panel, as: panelID, isRetained: true, at: .start)
        #expect(displays.sweep(at: .after(MirroredDisplays.grace)) == [])
        #expect((displays.count, displays.nodeCount, displays.leaseCount) == (0, 0, 0))
    }

    @Test mutating func `of two prefixes with one node, the second's display is shown when the first's is removed`()
        throws
    {
        try connect()
        let other = try key("panel", of: Topics(prefix: "c", node: lobby.node))
        #expect(
            displays.receive(try state(panelID, step: 7), of: other, isRetained: true, at: .start)
                == [.report(.shownElsewhere(prefix: "b"))]
        )
        #expect(displays.state(of: panelID)?.state.step == 40)
        #expect(displays.remove(panel) == [.show(panelID)])
        #expect(displays.state(of: panelID)?.state.step == 7)
        #expect(displays.key(of: panelID) == other)
        #expect(displays.remove(other) == [.withdraw(panelID)])
    }

    @Test mutating func `names of removed nodes are not stored`() throws {
        for number in 0..<20_000 {
            let node = Topics(prefix: "b", node: try #require(NodeName("n\(number)")))
            _ = displays.receive(isOnline: number.isMultiple(of: 2), of: node, isRetained: false, at: .start)
            _ = displays.receive(isOnline: false, of: node, isRetained: false, at: .start)
        }
        #expect(displays.nodeCount == 0)
    }

    @Test mutating func `nodes, displays and leases have limits that do not affect existing ones`() throws {
        try connect()
        for number in 1..<displays.limit {
            let node = Topics(prefix: "b", node: try #require(NodeName("n\(number)")))
            #expect(displays.receive(isOnline: true, of: node, isRetained: true, at: .start) == [])
        }
        let hall = Topics(prefix: "b", node: try #require(NodeName("hall")))
        #expect(displays.receive(isOnline: true, of: hall, isRetained: true, at: .start) == [.report(.tooManyNodes)])
        for number in 1..<displays.limit {
            let key = try key("d\(number)"), id = try #require(key.id)
            #expect(displays.receive(try state(id), of: key, isRetained: true, at: .start) == [.show(id)])
        }
        let late = try key("late"), lateID = try #require(late.id)
        #expect(
            displays.receive(try state(lateID), of: late, isRetained: true, at: .start) == [.report(.tooManyDisplays)]
        )
        var refusals = 0
        for number in 1...17 {
            let key = try key("d\(number)"), id = try #require(key.id)
            let leases = (0..<1_024).map { lease("l\($0)", id) }
            let changes = displays.receive(leases, of: key, as: id, isRetained: true, at: .start)
            refusals += changes.count { $0 == .report(.tooManyLeases) }
        }
        #expect(refusals == 2)
        #expect(displays.leaseCount == 15 * 1_024 + 1)
        #expect(displays.receive(try state(panelID), of: panel, isRetained: false, at: .start) == [.show(panelID)])
    }
}
