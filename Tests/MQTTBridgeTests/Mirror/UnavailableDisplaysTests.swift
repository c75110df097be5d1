// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import TestSupport
import Testing

@testable import MQTTBridge

/// Since when displays of other daemons are unavailable, as far as this daemon knows.
@Suite struct UnavailableDisplaysTests {
    private let service: DisplayService
    private let mirror: Mirror
    private let remote: DisplayID

    init() throws {
        remote = try #require(DisplayID("lobby:panel"))
        service = try DisplayService([], poster: NotificationHub().poster, at: .start)
        mirror = Mirror(
            [try #require(MirrorFilter("b/+"))],
            own: Topics(prefix: "b", node: try #require(NodeName("edge"))),
            service,
            limit: 20_000,
            log: BrokerLog(now: { .start }) { _ in },
            poster: NotificationHub().poster,
            wake: {}
        )
    }

    private var state: DisplayState? { service.state(of: remote) }

    private func receive(_ fact: String, _ payload: String, isRetained: Bool = false, at now: Moment = .start) {
        let topic = "b/lobby/\(fact)"
        _ = mirror.receive(Publication(topic, Array(payload.utf8), isRetained: isRetained), at: now)
    }

    /// - Parameter since: The time since when the node reports it as unavailable.
    private func receiveState(since: String? = nil, isRetained: Bool = false, at now: Moment = .start) {
        let unavailable = since.map { #"{"since":"\#($0)","atLatest":false}"# } ?? "null"
        let json = #"""
            {"id":"panel","name":"Panel","brightness":0.4,"baseline":0.4,"raw":{"value":40,"maximum":100},
            "power":{"on":null,"baseline":true,"switchable":false},"auto":{"enabled":false,"heldUntil":null},
            "available":\#(since == nil),"unavailable":\#(unavailable),
            "cause":{"kind":"api","by":"maria","reason":"talk","at":"2026-11-21T05:00:00.000Z"}}
            """#
        receive("panel/state", json, isRetained: isRetained, at: now)
    }

    @Test func `a node that goes offline makes its displays unavailable from then on and keeps their causes`() {
        receive("status", "online")
        receiveState()
        #expect(state?.unavailable == nil)
        let gone: Moment = .after(.seconds(70))
        receive("status", "offline", at: gone)
        #expect(state?.unavailable == Unavailability(since: gone.wall))
        #expect((state?.cause.kind, state?.cause.by, state?.cause.reason) == (.api, "maria", "talk"))
        receive("status", "offline", isRetained: true, at: gone + .seconds(60))
        #expect(state?.unavailable == Unavailability(since: gone.wall))
        receive("status", "online", at: gone + .seconds(61))
        #expect(state?.unavailable == nil)
    }

    @Test func `the time of an offline status that was retained before is the latest possible`() {
        receiveState(isRetained: true)
        receive("status", "offline", isRetained: true, at: .after(.seconds(1)))
        #expect(state?.unavailable == Unavailability(since: Moment.start.wall, isAtLatest: true))
    }

    @Test func `a node without a status is unavailable since its first message at the latest`() {
        receiveState(isRetained: true)
        receive("panel/leases", #"{"leases":[]}"#, isRetained: true, at: .after(.seconds(1)))
        #expect(state?.unavailable == Unavailability(since: Moment.start.wall, isAtLatest: true))
    }

    @Test func `a lost broker makes displays unavailable from then on`() {
        receive("status", "online")
        receiveState()
        mirror.begin(canReceiveAnswers: true, at: .start)
        let lost: Moment = .after(.seconds(5))
        mirror.end(at: lost)
        #expect(state?.unavailable == Unavailability(since: lost.wall))
    }

    @Test func `the time that a node reports wins over that of its own end if it is earlier`() {
        receive("status", "online")
        receiveState(since: "2026-11-21T05:30:00.000Z")
        let reported = Unavailability(since: Timestamp(milliseconds: Moment.start.wall.milliseconds - 1_800_123))
        #expect(state?.unavailable == reported)
        receive("status", "offline", at: .after(.seconds(5)))
        #expect(state?.unavailable == reported)
    }

    @Test func `a clock that is set corrects the times of nodes that are offline`() {
        receive("status", "online")
        receiveState()
        mirror.runDeadlines(at: .start)
        receive("status", "offline", at: .after(.seconds(1)))
        let set = Moment(instant: Moment.after(.seconds(2)).instant, wall: Moment.after(.seconds(3_602)).wall)
        mirror.runDeadlines(at: set)
        #expect(state?.unavailable == Unavailability(since: Moment.after(.seconds(3_601)).wall))
    }
}
