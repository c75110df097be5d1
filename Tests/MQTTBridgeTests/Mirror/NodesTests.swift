// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import TestSupport
import Testing

@testable import MQTTBridge

/// The nodes that a mirror sees, as facts of the hub.
@Suite struct NodesTests {
    private let hub = NotificationHub()
    private let mirror: Mirror

    init() throws {
        mirror = Mirror(
            [try #require(MirrorFilter("b/+"))],
            own: Topics(prefix: "b", node: try #require(NodeName("edge"))),
            try DisplayService([], poster: hub.poster, at: .start),
            limit: 20_000,
            log: BrokerLog(now: { .start }) { _ in },
            poster: hub.poster,
            wake: {}
        )
    }

    private func receive(_ topic: String, _ payload: String, isRetained: Bool = false, at now: Moment = .start) {
        let publication = Publication("b/lobby/\(topic)", Array(payload.utf8), isRetained: isRetained)
        _ = mirror.receive(publication, at: now)
    }

    private static let capabilities = #"{"version":"0.2.0","leases":["boost"],"principals":true}"#

    /// Of each fact: whether it is online, and its version; without a state, it was forgotten.
    private func facts(_ listener: Listener) -> [String] {
        listener.drain().map { fact in
            guard case .node("b/lobby", let state) = fact else { return "\(fact)" }
            return state.map { "\($0.isOnline.map { "\($0)" } ?? "unknown") \($0.version ?? "-")" } ?? "forgotten"
        }
    }

    private var listener: Listener { hub.source.listen(to: NotificationFilter([.node])) {} }

    @Test func `a node comes and goes`() {
        let listener = listener
        mirror.begin(canReceiveAnswers: true, at: .start)
        receive("capabilities", Self.capabilities, isRetained: true)
        #expect(facts(listener) == ["unknown 0.2.0"])
        receive("status", "online", isRetained: true)
        #expect(facts(listener) == ["true 0.2.0"])
        receive("status", "online", at: .after(.seconds(1)))
        receive("panel/state", MirrorTests.state, at: .after(.seconds(1)))
        #expect(facts(listener) == [])
        receive("status", "offline", at: .after(.seconds(2)))
        #expect(
            hub.source.all(.node) == [
                .node(
                    "b/lobby",
                    NodeState(
                        name: "lobby",
                        topic: "b/lobby",
                        version: "0.2.0",
                        isOnline: false,
                        since: Moment.after(.seconds(2)).wall
                    )
                )
            ]
        )
    }

    @Test func `while the broker is away its nodes are unknown, and then as it sends them`() {
        mirror.begin(canReceiveAnswers: true, at: .start)
        receive("status", "online", isRetained: true)
        receive("capabilities", Self.capabilities, isRetained: true)
        let listener = listener
        #expect(facts(listener) == ["true 0.2.0"])
        mirror.end(at: .after(.seconds(1)))
        #expect(facts(listener) == ["unknown 0.2.0"])
        mirror.begin(canReceiveAnswers: true, at: .after(.seconds(2)))
        receive("panel/state", MirrorTests.state, isRetained: true, at: .after(.seconds(2)))
        #expect(facts(listener) == [])
        receive("status", "online", isRetained: true, at: .after(.seconds(2)))
        #expect(facts(listener) == ["true 0.2.0"])
    }

    @Test func `a node without displays that does not come back is forgotten`() {
        mirror.begin(canReceiveAnswers: true, at: .start)
        receive("capabilities", Self.capabilities, isRetained: true)
        mirror.end(at: .start)
        mirror.begin(canReceiveAnswers: true, at: .start)
        let listener = listener
        _ = listener.drain()
        mirror.runDeadlines(at: .after(MirroredDisplays.absenceGrace))
        #expect(facts(listener) == ["forgotten"])
        #expect(hub.source.all(.node).isEmpty)
    }

    @Test(arguments: ["1", #""""#, #""a\u0007b""#, "null", #"{"a":1}"#])
    func `a version that is none is not shown`(version: String) {
        mirror.begin(canReceiveAnswers: true, at: .start)
        receive("status", "online")
        receive("capabilities", #"{"version":\#(version),"leases":[]}"#)
        #expect(facts(listener) == ["true -"])
    }
}
