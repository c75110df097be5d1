// SPDX-License-Identifier: Apache-2.0
import MQTT
import TestSupport

@testable import BrightnessCore
@testable import MQTTBridge

/// A sequence of events at a broker, one per line, for a daemon that mirrors others:
///
/// ```
///   rTOPIC PAYLOAD   a retained message below b/        mTOPIC PAYLOAD   a new one
///   c                the connection is made             d                it is lost
///   tX               time passes: the byte's value in seconds
/// ```
///
/// The payloads `S` and `L` stand for a state and a list of leases.
enum BrokerStory {
    static func check(_ bytes: [UInt8]) throws {
        guard bytes.count <= 4_096 else { return }
        let stage = try Stage()
        for line in bytes.split(separator: UInt8(ascii: "\n")).prefix(64) {
            stage.play(line)
            try stage.checkPublished()
            try stage.checkDisplays()
        }
        try stage.checkForgetting()
    }

    /// A daemon with its own panel, connected to a broker. On one thread.
    private final class Stage {
        private let hub = NotificationHub()
        private let queue = ManualQueue()
        private let service: DisplayService
        private let bridge: Bridge
        private let clock = Clock()
        private let panel: DisplayID
        /// Whether the connection is ready. Retained messages may arrive before.
        private var isConnected = false
        private var hasHeard = false

        private final class Clock: @unchecked Sendable {  // It is read on the thread that sets it.
            var now = Moment.start
        }

        init() throws {
            panel = try require(DisplayID("panel"), "an id")
            let range = try require(BrightnessRange(maximum: 100), "a range")
            service = try DisplayService(
                [.init(ScriptedPanel(panel, range: range, step: 50), on: queue)],
                poster: hub.poster,
                at: .start
            )
            var configuration = Bridge.Configuration(
                topics: Topics(prefix: "b", node: try require(NodeName("edge"), "a name")),
                version: "1",
                lightReports: LightReports(poster: hub.poster)
            )
            configuration.discovery = "homeassistant"
            configuration.mirrors = ["b/+", "c/far"].compactMap { MirrorFilter($0) }
            bridge = Bridge(Surface(service, hub) { [clock] in clock.now }, configuration) {}
            queue.runAll()
        }

        func play(_ line: ArraySlice<UInt8>) {
            let rest = line.dropFirst()
            switch line.first {
            case UInt8(ascii: "c"): connect()
            case UInt8(ascii: "d"): disconnect()
            case UInt8(ascii: "t"):
                clock.now = clock.now + .seconds(Int(rest.first ?? 1))
                bridge.drainInbox()
            case UInt8(ascii: "r"): receive(rest, isRetained: true)
            case UInt8(ascii: "m"): receive(rest, isRetained: false)
            default: break
            }
            queue.runAll()
        }

        private func connect() {
            guard !isConnected else { return }
            bridge.begin(canReceiveAnswers: true)
            isConnected = true
        }

        private func disconnect() {
            bridge.end(.lost)
            (isConnected, hasHeard) = (false, false)
        }

        private func receive(_ line: ArraySlice<UInt8>, isRetained: Bool) {
            let end = line.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            let payload =
                switch Array(line[end...].dropFirst()) {
                case [UInt8(ascii: "S")]: Self.state
                case [UInt8(ascii: "L")]: Self.leases
                case let other: other
                }
            hasHeard = true
            bridge.receive(
                Publication(
                    Array(line[..<end]).text,
                    payload,
                    isRetained: isRetained,
                    responseTopic: isRetained ? nil : "b/far/answers",
                    correlation: [1]
                )
            )
        }

        private static let state = Array(
            #"""
            {"name":"P","brightness":1,"baseline":0.5,"raw":{"value":9,"maximum":9},"unavailable":null,"boost":null,
            "power":{"on":true,"baseline":true,"switchable":false},"auto":{"enabled":false},
            "cause":{"kind":"api","at":"2026-11-21T06:00:00.000Z"}}
            """#.utf8
        )
        private static let leases = Array(
            #"""
            {"leases":[{"id":"l","kind":"boost","brightness":1,"lifespan":"custom","holder":"h","principal":"mqtt",
            "overridden":false,"grantedAt":"2026-11-21T06:00:00.000Z"}]}
            """#.utf8
        )

        // MARK: Facts

        /// The daemon publishes only its own displays, and answers only on allowed topics.
        func checkPublished() throws {
            for publication in bridge.take(.max) {
                let topic = publication.topic
                try require(TopicName.isPlain(topic), "something is published to \(topic.debugDescription)")
                if publication.isRetained {
                    let isOwn = topic.hasPrefix("b/edge/") || topic == "homeassistant/device/b_edge/config"
                    try require(isOwn, "\(topic) is retained")
                    try require(
                        topic == "b/edge/status" || publication.payload.isEmpty
                            || StrictJSON(publication.payload).isValid,
                        "the retained message at \(topic) is not JSON"
                    )
                } else {
                    try require(topic == "b/far/answers", "\(topic) is published to")
                }
            }
        }

        func checkDisplays() throws {
            let states = service.all.states
            try require(states.contains { $0.id == panel && $0.kind != .remote }, "the own display is gone")
            try require(states.count <= Bridge.defaultMirrorLimit + 1, "\(states.count) displays")
            for state in states where state.kind == .remote {
                try require(state.id.text.contains(":"), "\(state.id) is mirrored")
                try require(StrictJSON(state.json).isValid, "\(state.id) is not encoded as JSON")
                try require(isConnected || hasHeard || !state.isAvailable, "\(state.id) is available without a broker")
                let leases = service.leases(of: state.id)?.all ?? []
                try require(leases.count <= LeaseTable.limit, "\(leases.count) leases")
            }
        }

        /// After the broker lost its retained messages, no display of them remains.
        func checkForgetting() throws {
            disconnect()
            connect()
            clock.now = clock.now + MirroredDisplays.absenceGrace
            bridge.drainInbox()
            let left = service.all.states.filter { $0.kind == .remote }.map(\.id.text)
            try require(left.isEmpty, "the broker does not retain \(left), and they are shown")
            disconnect()
        }
    }
}
