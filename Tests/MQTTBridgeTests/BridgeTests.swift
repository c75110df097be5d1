// SPDX-License-Identifier: Apache-2.0
import MQTT
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import MQTTBridge

/// Messages at the broker, of a display whose panel works only when the test runs it.
@Suite struct BridgeTests {
    let hub = NotificationHub()
    let queue = ManualQueue()
    let panel: DisplayID
    let service: DisplayService
    let logged: Logged
    let reports = LightReports(poster: NotificationHub().poster)
    let configuration: Bridge.Configuration
    let bridge: Bridge

    static let answers = "b/me/answers"

    final class Logged: Sendable {
        private let all = Mutex<[String]>([])
        private let listener: Listener

        init(_ hub: NotificationHub) { listener = hub.source.listen(to: NotificationFilter([.notice])) {} }

        var lines: [String] {
            all.withLock { all in
                for case .notice(.broker(let line)) in listener.drain() { all.append(line) }
                return all
            }
        }
    }

    init() throws {
        logged = Logged(hub)
        panel = try #require(DisplayID("panel"))
        let range = try #require(BrightnessRange(maximum: 100))
        service = try DisplayService(
            [.init(ScriptedPanel(panel, range: range, step: 50), on: queue)],
            poster: hub.poster,
            at: .start
        )
        let topics = Topics(prefix: "b", node: try #require(NodeName("lobby")))
        configuration = Bridge.Configuration(
            topics: topics,
            version: "1",
            lightReports: reports
        )
        bridge = Bridge(Surface(service, hub), configuration) {}
        queue.runAll()
    }

    private func take() -> [String: Publication] {
        Dictionary(bridge.take(100).map { ($0.topic, $0) }) { _, newer in newer }
    }

    private func say(
        _ topic: String,
        _ payload: String,
        answerTo: String? = Self.answers,
        isRetained: Bool = false,
        to bridge: Bridge? = nil
    ) {
        (bridge ?? self.bridge).receive(
            Publication(
                topic,
                Array(payload.utf8),
                isRetained: isRetained,
                responseTopic: answerTo,
                correlation: [7]
            )
        )
        queue.runAll()
    }

    private func text(_ publication: Publication?) -> String? {
        publication.map { String(decoding: $0.payload, as: UTF8.self) }
    }

    @Test func `each connection begins with all retained facts`() {
        for _ in 0..<2 {
            bridge.begin(canReceiveAnswers: true)
            let said = take()
            #expect(text(said["b/lobby/status"]) == "online")
            #expect(text(said["b/lobby/panel/state"])?.contains("\"brightness\":0.5") == true)
            #expect(text(said["b/lobby/panel/leases"]) == "{\"leases\":[]}")
            let capabilities = text(said["b/lobby/capabilities"])
            #expect(capabilities?.contains(#""leases":["boost","dim","wake","sleep"],"power":true"#) == true)
            #expect(capabilities?.contains(#""epoch":"\#(service.epoch.text)""#) == true)
            #expect(capabilities?.contains(#""principals":true"#) == true)
            #expect(!said.values.contains { !$0.isRetained })
            bridge.end(.lost)
        }
    }

    @Test func `without a connection no message is stored`() {
        #expect(bridge.take(100) == [])
        service.submit(Command(.set(.step(70))), to: panel, at: .start) { _ in }
        queue.runAll()
        #expect(bridge.take(100) == [])
        #expect(hub.source.retained(.audience) == .audience(isPresent: false))
    }

    @Test func `a connected bridge counts as a viewer`() {
        bridge.begin(canReceiveAnswers: true)
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        bridge.end(.lost)
        #expect(hub.source.retained(.audience) == .audience(isPresent: false))
    }

    @Test func `a command changes the display with the cause and the channel`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/panel/set", #"{"percent":70,"holder":"maria"}"#)
        let said = bridge.take(100)
        #expect(said.map(\.topic) == ["b/lobby/panel/state", Self.answers])
        #expect(said.last?.correlation == [7])
        #expect(said.last?.contentType == "application/json")
        #expect(said.last?.isRetained == false)
        #expect(text(said.last)?.contains(#""cause":{"kind":"mqtt","by":"maria""#) == true)
    }

    @Test func `a boost is a lease of the anonymous holder, published with the state`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/all/all/boost", "")
        say("b/all/all/boost", "")
        #expect(service.leases(of: panel)?.all.map(\.lifespan) == [.custom])
        let said = take()
        #expect(text(said["b/lobby/panel/leases"])?.contains(#""holder":null"#) == true)
        #expect(text(said[Self.answers])?.hasPrefix(#"{"results":[{"display":"panel","status":2"#) == true)
        say("b/lobby/panel/restore", "{}")
        #expect(text(take()["b/lobby/panel/leases"]) == "{\"leases\":[]}")
    }

    @Test func `leases of every kind are published`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/panel/dim", #"{"brightness":0.2,"holder":"night"}"#)
        let said = take()
        #expect(text(said["b/lobby/panel/leases"])?.contains(#""kind":"dim""#) == true)
        say("b/lobby/panel/awake/set", "ON")
        #expect(service.leases(of: panel)?.all.map(\.kind) == [.dim, .wake])
        #expect(service.leases(of: panel)?.all.last?.holder == HomeAssistantEntity.holder)
        #expect(text(take()[Self.answers])?.contains(#""kind":"wake""#) == true)
        say("b/lobby/panel/awake/set", "OFF")
        #expect(text(take()[Self.answers])?.contains(#""released":1"#) == true)
        #expect(service.leases(of: panel)?.all.map(\.kind) == [.dim])
    }

    @Test func `a list of leases has at most the bytes that gateways read, without those with the longest texts`()
        throws
    {
        bridge.begin(canReceiveAnswers: true)
        let long = String(repeating: "🖥", count: 125)
        for number in 100...226 {
            let names = #""holder":"\#(long)\#(number)","reason":"\#(long)\#(long)""#
            say("b/lobby/panel/dim", #"{"brightness":1,\#(names)}"#)
        }
        say("b/lobby/panel/boost", #"{"holder":"kiosk"}"#)
        #expect(service.leases(of: panel)?.all.count == LeaseTable.principalLimit)
        let list = try #require(take()["b/lobby/panel/leases"]?.payload)
        let root = try #require(JSONDocument(parsing: list, upTo: Lease.longestList)?.root)
        let leases = try #require(LeaseTable.leases(in: root, at: .start))
        #expect(leases.count > 100)
        #expect(leases.contains { $0.holder == "kiosk" })
    }

    @Test func `a gateway speaks for its clients, and each has leases of its own`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        for principal in ["b/edge/kiosk", "b/edge-2/kiosk", "c/edge/kiosk"] {
            say("b/lobby/panel/boost", #"{"holder":"page","principal":"\#(principal)"}"#)
        }
        say("b/lobby/panel/boost", #"{"holder":"page"}"#)
        let principals = ["b/edge/kiosk", "b/edge-2/kiosk", "c/edge/kiosk", "mqtt"]
        #expect(service.leases(of: panel)?.all.map(\.principal.text) == principals)
        #expect(service.leases(of: panel)?.all.map(\.holder) == ["page", "page", "page", "page"])
        say("b/lobby/panel/restore", #"{"holder":"page","principal":"b/edge/kiosk"}"#)
        #expect(service.leases(of: panel)?.all.map(\.principal.text) == Array(principals.dropFirst()))
        say("b/lobby/panel/set", #"{"percent":70,"holder":"boss/phone","principal":"b/edge/kiosk"}"#)
        let cause = service.state(of: panel)?.cause
        #expect((cause?.kind, cause?.by, cause?.principal?.text) == (.mqtt, "boss/phone", "b/edge/kiosk"))
    }

    @Test func `a command is executed only at the revision that it names`() throws {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        let revision = try #require(service.state(of: panel)?.revision)
        let tag = "\(service.epoch.text)-\(revision.number)"
        say("b/lobby/panel/set", #"{"percent":70,"ifMatch":"\#(tag)"}"#)
        #expect(service.state(of: panel)?.step == 70)
        for stale in [tag, "00000000-1", "x", "\(tag)0"] {
            say("b/lobby/panel/set", #"{"percent":10,"ifMatch":"\#(stale)"}"#)
            #expect(text(take()[Self.answers])?.contains("/problems/precondition-failed") == true)
        }
        #expect(service.state(of: panel)?.step == 70)
    }

    @Test(arguments: [
        ("b/lobby/panel/boost", #"{"principal":"kiosk"}"#, "invalid-body"),
        ("b/lobby/panel/boost", #"{"principal":"edge/kiosk"}"#, "invalid-body"),
        ("b/lobby/panel/boost", #"{"principal":"b/lobby/kiosk"}"#, "invalid-body"),
        ("b/lobby/panel/boost", #"{"principal":"b/edge/"}"#, "invalid-body"),
        ("b/lobby/panel/boost", #"{"principal":"b/a.b/kiosk"}"#, "invalid-body"),
        ("b/lobby/panel/boost", #"{"principal":7}"#, "invalid-body"),
        ("b/lobby/panel/set", #"{"percent":10,"ifMatch":7}"#, "invalid-body"),
        ("b/lobby/panel/sleep", "", "not-switchable"),
        ("b/lobby/panel/power", #"{"on":false}"#, "not-switchable"),
        ("b/lobby/panel/sleep", #"{"lifespan":"lifetime"}"#, "invalid-body"),
        ("b/lobby/panel/awake/set", "MAYBE", "invalid-body"),
        ("b/lobby/panel/set", "", "invalid-body"),
        ("b/lobby/panel/set", "brighter", "invalid-json"),
        ("b/lobby/panel/set", "[]", "invalid-body"),
        ("b/lobby/panel/set", #"{"percent":101}"#, "invalid-body"),
        ("b/lobby/other/set", #"{"percent":10}"#, "display-not-found"),
        ("b/lobby/panel/renew", #"{"lease":"x","ttl":5}"#, "lease-not-found"),
        ("b/lobby/all/release", #"{"lease":"x"}"#, "display-not-found"),
        ("b/lobby/panel/auto", #"{"enabled":true}"#, "no-light-sensor"),
        ("b/lobby/panel/light/set", #"{"state":"BLUE"}"#, "invalid-body"),
        ("b/lobby/panel/light/set", #"{"state":"BLUE","brightness":4}"#, "invalid-body"),
        ("b/lobby/panel/light/set", #"{"color_mode":"brightness"}"#, "invalid-body"),
        ("b/lobby/panel/light/set", #"{"state":"ON","transition":-1}"#, "invalid-body"),
    ])
    func `an invalid command is answered with a problem document and changes nothing`(
        topic: String,
        payload: String,
        problem: String
    ) {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        let before = service.state(of: panel)
        say(topic, payload)
        let answer = take()[Self.answers]
        #expect(answer?.contentType == "application/problem+json")
        #expect(text(answer)?.contains("/problems/\(problem)") == true)
        #expect(service.state(of: panel) == before)
    }

    @Test func `a body of more than 16 KiB is not read`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/panel/set", "{" + String(repeating: " ", count: 16_384) + "}")
        #expect(text(take()[Self.answers])?.contains("/problems/body-too-large") == true)
    }

    /// A bridge with a quota and a clock that the test sets.
    private func limited(_ perSecond: Int, _ time: ManualTime, groups: DisplayGroups = .none) -> Bridge {
        var surface = Surface(service, hub, writeQuota: WriteQuota(perSecond: perSecond)) { time.now }
        surface.groups = groups
        let bridge = Bridge(surface, configuration) {}
        bridge.begin(canReceiveAnswers: true)
        return bridge
    }

    /// Lets the time pass until nothing waits.
    private func wait(_ bridge: Bridge, _ time: ManualTime) {
        while let left = bridge.timeLeft {
            time.advance(by: left)
            bridge.drainInbox()
            queue.runAll()
        }
    }

    @Test func `of commands beyond the write quota the newest waits for room, and the others are answered`() {
        let time = ManualTime()
        let bridge = limited(2, time)
        for step in 1...4 { say("b/lobby/panel/set", #"{"raw":\#(step)}"#, to: bridge) }
        _ = bridge.take(100)
        for step in 5...9 {
            say("b/lobby/panel/set", #"{"raw":\#(step)}"#, to: bridge)
            let said = bridge.take(100)
            #expect(said.map(\.topic) == (step == 5 ? [] : [Self.answers]))
            #expect(said.allSatisfy { text($0)?.contains("/problems/rate-limited") ?? false })
        }
        // Other topics have a value of their own.
        say("b/lobby/panel/light/set", #"{"state":"ON","brightness":77}"#, to: bridge)
        #expect(service.state(of: panel)?.step == 4)
        wait(bridge, time)
        #expect(service.state(of: panel)?.step == 77)
        #expect(
            bridge.take(100).filter { $0.topic == Self.answers }.map { text($0)?.contains("problem") } == [
                false, false,
            ]
        )
        bridge.end(.stopped)
    }

    @Test(arguments: [60, 100, 200, 2_000])
    func `the last value of a stream of commands stays, and the log reports once that some were skipped`(
        perSecond: Int
    ) {
        let time = ManualTime()
        let bridge = limited(50, time)
        for number in 1...(5 * perSecond) {
            time.advance(by: .seconds(1) / perSecond)
            bridge.drainInbox()
            let step = number == 5 * perSecond ? 77 : number % 70
            say("b/lobby/panel/light/set", #"{"state":"ON","brightness":\#(step)}"#, answerTo: nil, to: bridge)
            _ = bridge.take(100)
        }
        wait(bridge, time)
        #expect(service.state(of: panel)?.step == 77)
        #expect(logged.lines.count == (perSecond > 70 ? 1 : 0))
        #expect(logged.lines.allSatisfy { $0.contains("b/lobby/panel/light/set: More than 50 writes a second") })
        bridge.end(.stopped)
    }

    @Test(arguments: [
        [#""displays":["panel"]"#, #""displays":["other"]"#], [#""displays":"panel""#, #""displays":"other""#],
        [#""group":"left""#, #""group":"right""#],
    ])
    func `of waiting commands for several displays, the newest for the same ones is executed`(
        names: [String]
    ) throws {
        let other = ScriptedPanel(try #require(DisplayID("other")), range: BrightnessRange(maximum: 100)!, step: 50)
        try service.add(.init(other, on: queue), at: .start)
        let groups = try DisplayGroups(["left=panel", "right=other"].map { try #require(DisplayGroup($0)) })
        let time = ManualTime()
        let bridge = limited(1, time, groups: groups)
        for step in 1...9 {
            for name in names { say("b/lobby/all/set", #"{\#(name),"raw":\#(step)}"#, answerTo: nil, to: bridge) }
        }
        wait(bridge, time)
        #expect([panel, other.id].map { service.state(of: $0)?.step } == [9, 9])
        bridge.end(.stopped)
    }

    @Test func `a command waits also while the connection is lost`() {
        let time = ManualTime()
        let bridge = limited(1, time)
        for step in 1...9 { say("b/lobby/panel/set", #"{"raw":\#(step)}"#, to: bridge) }
        bridge.end(.lost)
        wait(bridge, time)
        #expect(service.state(of: panel)?.step == 9)
    }

    @Test func `readings and the displays have quotas of their own`() throws {
        let other = ScriptedPanel(try #require(DisplayID("other")), range: BrightnessRange(maximum: 100)!, step: 50)
        try service.add(.init(other, on: queue), at: .start)
        let time = ManualTime()
        let bridge = limited(1, time)
        for lux in 1...177 { say("b/lobby/illuminance/window", "\(lux)", to: bridge) }
        for step in 1...177 { say("b/lobby/other/set", #"{"raw":\#(step % 100)}"#, to: bridge) }
        for name in 1...50 { say("b/lobby/gone-\(name)/set", #"{"raw":1}"#, to: bridge) }
        _ = bridge.take(1_000)
        say("b/lobby/illuminance/desk", "3", to: bridge)
        say("b/lobby/panel/set", #"{"raw":33}"#, to: bridge)
        say("b/lobby/all/boost", "", to: bridge)
        #expect(bridge.take(100).allSatisfy { text($0)?.contains("problem") == false })
        #expect(service.state(of: panel)?.baseline.fraction == 0.33)
        #expect(service.leases(of: panel)?.all.count == 1)
        wait(bridge, time)
        #expect(readings == ["desk 3.0", "window 177.0"])
        #expect(service.state(of: other.id)?.baseline.fraction == 0.77)
        bridge.end(.stopped)
    }

    @Test func `without a write quota every command is carried out`() {
        let bridge = Bridge(Surface(service, hub), configuration) {}
        bridge.begin(canReceiveAnswers: true)
        for number in 0..<500 { say("b/lobby/panel/set", #"{"raw":\#(number % 100)}"#, to: bridge) }
        #expect(service.state(of: panel)?.step == 99)
        bridge.end(.stopped)
    }

    @Test func `a problem without a response topic is logged`() {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/panel/set", "{}", answerTo: nil)
        #expect(logged.lines.count == 1)
        #expect(logged.lines.first?.contains("invalid-body") == true)
    }

    private var readings: [String] {
        reports.all(at: Moment.start.instant).map { "\($0.name.text) \($0.illuminance.lux)" }
    }

    @Test func `a reading is a number or the body of REST, and an empty message removes it`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/illuminance/window", "3.2")
        let answer = take()[Self.answers]
        #expect(answer?.payload == [] && answer?.contentType == nil && answer?.correlation == [7])
        say("b/lobby/illuminance/desk", #"{"illuminance":20,"ttl":60}"#)
        #expect(readings == ["desk 20.0", "window 3.2"])
        #expect(reports.all(at: Moment.start.instant + .seconds(60)).count == 1)
        for _ in 0..<2 { say("b/lobby/illuminance/desk", "") }
        #expect(readings == ["window 3.2"])
    }

    @Test(
        arguments: [
            ("window", "nan", "invalid-json"), ("window", "[3]", "invalid-json"), ("window", "-1", "invalid-body"),
            ("window", "1e9", "invalid-body"), ("window", #"{"lux":3}"#, "invalid-body"), ("a b", "3", "invalid-body"),
            (String(repeating: "x", count: 65), "3", "invalid-body"),
            ("window", String(repeating: "3", count: 20_000), "body-too-large"),
        ]
    )
    func `an invalid reading is answered with a problem and changes nothing`(
        name: String,
        payload: String,
        problem: String
    ) {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/illuminance/\(name)", payload)
        #expect(text(take()[Self.answers])?.contains("/problems/\(problem)\"") == true)
        #expect(readings == [])
    }

    @Test func `readings are limited in number`() {
        bridge.begin(canReceiveAnswers: true)
        for number in 0..<1_000 { say("b/lobby/illuminance/s\(number)", "3", answerTo: nil) }
        #expect(readings.count == LightReports.limit)
        // Five refusals are logged.
        #expect(logged.lines.count == 5)
        bridge.end(.stopped)
    }

    @Test func `a retained reading is ignored`() {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/illuminance/window", "3", isRetained: true)
        #expect(readings == [])
        #expect(logged.lines.count == 1)
    }

    @Test func `a retained command is ignored`() {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/panel/set", #"{"percent":70}"#, isRetained: true)
        #expect(service.state(of: panel)?.step == 50)
        #expect(logged.lines.count == 1)
    }

    @Test func `no answer is published to a topic of a daemon`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/panel/set", #"{"percent":70}"#, answerTo: "b/hall/panel/set")
        #expect(take().keys.sorted() == ["b/lobby/panel/state"])
    }

    @Test(arguments: ["homeassistant/device/b_lobby/config", "x/y", "b/lobby/status"])
    func `nothing is published to a topic that a stranger names`(topic: String) {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/illuminance/window", "3.2", answerTo: topic)
        #expect(readings == ["window 3.2"])
        #expect(take().isEmpty)
    }

    @Test func `a command to a stopping daemon is rejected with an answer`() throws {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        _ = service.refuseCommands()
        say("b/lobby/panel/set", #"{"percent":70}"#, answerTo: Self.answers)
        #expect(service.state(of: panel)?.step == 50)
        let answer = try #require(take()[Self.answers])
        #expect(String(decoding: answer.payload, as: UTF8.self).contains("The daemon is stopping"))
    }

    @Test func `a stopping daemon is offline before its leases end`() {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/panel/boost", "")
        // The boost's leases are still pending.
        #expect(bridge.take(1).map(\.topic) == ["b/lobby/capabilities"])
        for id in service.refuseCommands() {
            service.submitLast(Command(.restoreAll(), transition: .zero), to: id, at: .start) {}
        }
        queue.runAll()
        let last = bridge.take(100)
        #expect(last.first == Bridge.will(configuration.topics))
        #expect(last.count { $0.topic == "b/lobby/status" } == 1)
        #expect(text(last.first { $0.topic == "b/lobby/panel/leases" }) == "{\"leases\":[]}")
        bridge.end(.lost)
        bridge.begin(canReceiveAnswers: true)
        #expect(text(take()["b/lobby/status"]) == "offline")
    }

    @Test(arguments: [
        (#"{"state":"ON","brightness":40}"#, 40), (#"{"state":"ON"}"#, 50), (#"{"state":"OFF"}"#, 0),
        (#"{"state":"ON","brightness":1,"transition":0}"#, 1), (#"{"brightness":31}"#, 31),
        (#"{"state":"ON","brightness":40,"color_mode":"brightness","effect":null,"flash":10,"color_temp":370}"#, 40),
        (#"{"state":"ON","brightness":40,"color":{"x":0.3},"white":7}"#, 40),
    ])
    func `a command of Home Assistant's light sets the baseline`(payload: String, step: Int) {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/panel/light/set", payload)
        #expect(service.state(of: panel)?.step == step)
        #expect(service.state(of: panel)?.cause.kind == (step == 50 ? .connected : .mqtt))
    }

    @Test func `a transition longer than an hour lasts an hour`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        say("b/lobby/panel/light/set", #"{"state":"ON","brightness":90,"transition":5400}"#)
        #expect(text(take()[Self.answers])?.contains("problem") == false)
        let light = HomeAssistantLight(isOn: true, transition: .seconds(5_400))
        #expect(light.transition == .seconds(3_600))
    }

    @Test func `a light that is lit is never published with a brightness of 0`() throws {
        let range = try #require(BrightnessRange(maximum: 1_000))
        let id = try #require(DisplayID("tube"))
        let switchable = ScriptedPanel(id, range: range, step: 500, isSwitchable: true)
        try service.add(.init(switchable, on: queue), at: .start)
        queue.runAll()
        var configuration = configuration
        configuration.discovery = "homeassistant"
        let bridge = Bridge(Surface(service, hub), configuration) {}
        bridge.begin(canReceiveAnswers: true)
        func light(_ display: String) -> String? {
            text(bridge.take(100).last { $0.topic == "b/lobby/\(display)/light/state" })
        }
        for (command, state) in [
            (Command(.set(.step(0))), #"{"state":"ON","color_mode":"brightness","brightness":1}"#),
            (Command(.set(.step(4))), #"{"state":"ON","color_mode":"brightness","brightness":1}"#),
            (Command(.set(.step(10))), #"{"state":"ON","color_mode":"brightness","brightness":1}"#),
            (Command(.set(.step(1_000))), #"{"state":"ON","color_mode":"brightness","brightness":100}"#),
        ] {
            service.submit(command, to: id, at: .start) { _ in }
            queue.runAll()
            #expect(light("tube") == state)
        }
        // A display that cannot be switched is off at its minimum.
        service.submit(Command(.set(.step(0))), to: panel, at: .start) { _ in }
        queue.runAll()
        #expect(light("panel")?.contains(#""state":"OFF""#) == true)
        bridge.end(.stopped)
    }

    @Test func `a light that is off is switched on at 50 %`() {
        bridge.begin(canReceiveAnswers: true)
        say("b/lobby/panel/light/set", #"{"state":"OFF"}"#)
        say("b/lobby/panel/light/set", #"{"state":"ON"}"#)
        #expect(service.state(of: panel)?.step == 50)
    }

    @Test func `a command after one of a light that can be switched has the last word`() throws {
        let (hub, queue) = (NotificationHub(), ManualQueue())
        let range = try #require(BrightnessRange(maximum: 100))
        let switchable = ScriptedPanel(panel, range: range, step: 50, isSwitchable: true)
        let service = try DisplayService([.init(switchable, on: queue)], poster: hub.poster, at: .start)
        let bridge = Bridge(Surface(service, hub), configuration) {}
        bridge.begin(canReceiveAnswers: true)
        queue.runAll()
        // The panel is slow: both commands wait for it.
        let light = #"{"state":"ON","brightness":40}"#
        bridge.receive(Publication("b/lobby/panel/light/set", Array(light.utf8)))
        bridge.receive(Publication("b/lobby/panel/set", Array(#"{"percent":10}"#.utf8)))
        queue.runAll()
        #expect(service.state(of: panel)?.step == 10)
        #expect(switchable.writes == [10])
        bridge.end(.stopped)
    }

    @Test func `retained messages of a display that no longer exists are cleared`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        for left in ["state", "leases", "light/state"] {
            say("b/lobby/gone/\(left)", "{}", isRetained: true)
            say("b/lobby/panel/\(left)", "{}", isRetained: true)
            let said = bridge.take(100)
            let topics = ["leases", "light/state", "state"].map { "b/lobby/gone/\($0)" }
            #expect(said.map(\.topic) == topics)
            #expect(!said.contains { !$0.isRetained || !$0.payload.isEmpty })
        }
    }

    @Test func `retained messages of 20,000 old displays are cleared in parts`() {
        bridge.begin(canReceiveAnswers: true)
        for number in 0..<20_000 { say("b/lobby/d\(number)/state", "{}", isRetained: true) }
        #expect((4_096...4_200).contains(bridge.take(.max).count))
    }

    @Test func `the retained messages of a removed display are cleared`() {
        bridge.begin(canReceiveAnswers: true)
        _ = take()
        service.withdraw(own: panel)
        #expect(take()["b/lobby/panel/state"]?.payload == [])
    }

    @Test func `a lease that ends while its display is unplugged publishes nothing`() throws {
        let id = try #require(DisplayID("other"))
        let other = ScriptedPanel(id, range: try #require(BrightnessRange(maximum: 100)), step: 50)
        try service.add(.init(other, on: queue, comesAndGoes: true), at: .start)
        func execute(_ action: Command.Action) -> String? {
            service.submit(Command(action), to: id, at: .start) { _ in }
            queue.runAll()
            return text(take()["b/lobby/other/leases"])
        }
        bridge.begin(canReceiveAnswers: true)
        #expect(execute(.grant(LeaseRequest()))?.contains(#""kind":"boost""#) == true)
        other.failReads(.absent(path: "/other"), times: .max)
        other.failWrites(.absent(path: "/other"), times: .max)
        #expect(execute(.refresh()) == "")
        #expect(execute(.restoreAll()) == nil)
        #expect(service.leases(of: id)?.isEmpty == true)
        other.heal()
        #expect(execute(.refresh()) == "{\"leases\":[]}")
    }

    @Test func `publishing leases takes a time that grows with their number, not with its square`() {
        func cost(of numbers: Range<Int>) -> Duration {
            for number in numbers {
                let owner = Requester(Principal("p\(number)"), isAdmin: false)
                service.submit(Command(.grant(LeaseRequest(.dim)), requester: owner), to: panel, at: .start) { _ in }
                queue.runAll()
            }
            bridge.begin(canReceiveAnswers: true)
            defer { bridge.end(.lost) }
            return processorTime { _ = bridge.take(100) }
        }
        let few = cost(of: 0..<100)
        // Eight times as many: a text for each of them would take 64 times as long.
        #expect(cost(of: 100..<800) < few * 24)
        #expect(service.leases(of: panel)?.all.count == 800)
    }

    @Test func `a display that is removed just before everything is published again is cleared`() {
        let time = ManualTime()
        var configuration = configuration
        configuration.discovery = "homeassistant"
        let bridge = Bridge(Surface(service, hub) { time.now }, configuration) {}
        bridge.begin(canReceiveAnswers: true)
        _ = bridge.take(100)
        say("homeassistant/status", "online", answerTo: nil, to: bridge)
        service.withdraw(own: panel)
        time.advance(by: .seconds(3))
        bridge.drainInbox()
        let said = bridge.take(100)
        #expect(said.contains { $0.topic == "b/lobby/status" })
        #expect(said.last { $0.topic == "b/lobby/panel/state" }?.payload == [])
        #expect(said.last { $0.topic == "b/lobby/panel/leases" }?.payload == [])
        bridge.end(.stopped)
    }

    @Test func `health reports the limit of mirrored displays once it is reached, until the connection ends`() throws {
        var mirroring = configuration
        (mirroring.mirrors, mirroring.mirrorLimit) = ([try #require(MirrorFilter("b/+"))], 1)
        let bridge = Bridge(Surface(service, hub), mirroring) {}
        // A broker may send retained messages before it confirms the subscription.
        for display in ["left", "right"] {
            say("b/hall/\(display)/state", MirrorTests.state, answerTo: nil, to: bridge)
        }
        bridge.begin(canReceiveAnswers: true)
        let limitation = "the limit of 1 mirrored displays is reached (--limit mirrored)"
        #expect(hub.source.retained(.broker) == .broker(.connected(limitation: limitation)))
        #expect(service.all.states.map(\.id.text) == ["panel", "hall:left"])
        bridge.end(.lost)
        bridge.begin(canReceiveAnswers: true)
        #expect(hub.source.retained(.broker) == .broker(.connected()))
        say("b/hall/right/state", MirrorTests.state, answerTo: nil, to: bridge)
        #expect(hub.source.retained(.broker) == .broker(.connected(limitation: limitation)))
    }

    @Test func `nothing is published for a removed mirrored display`() throws {
        var mirroring = configuration
        mirroring.mirrors = [try #require(MirrorFilter("b/+"))]
        let bridge = Bridge(Surface(service, hub), mirroring) {}
        bridge.begin(canReceiveAnswers: true)
        say("b/hall/status", "online", answerTo: nil, to: bridge)
        say("b/hall/panel/state", MirrorTests.state, answerTo: nil, to: bridge)
        #expect(service.all.states.map(\.id.text) == ["panel", "hall:panel"])
        _ = bridge.take(100)
        say("b/hall/panel/state", "", answerTo: nil, to: bridge)
        #expect(service.all.states.map(\.id) == [panel])
        #expect(bridge.take(100).isEmpty)
    }

    @Test func `the discovery message is published at first and when the device changes`() throws {
        let time = ManualTime()
        var configuration = Bridge.Configuration(
            topics: Topics(prefix: "b", node: try #require(NodeName("lobby"))),
            version: "1",
            lightReports: LightReports(poster: hub.poster)
        )
        configuration.discovery = "homeassistant"
        let bridge = Bridge(Surface(service, hub) { time.now }, configuration) {}
        func told() -> String? {
            text(bridge.take(100).first { $0.topic == "homeassistant/device/b_lobby/config" })
        }
        bridge.begin(canReceiveAnswers: true)
        #expect(told()?.contains("panel_light") == true)
        service.submit(Command(.set(.step(70))), to: panel, at: .start) { _ in }
        queue.runAll()
        #expect(told() == nil)
        let light = Illuminance(lux: 120)
        for _ in 0..<2 {
            hub.poster.post(
                .ambient(
                    .init(
                        source: .sensor,
                        illuminance: light,
                        level: 0.5,
                        appearance: .day,
                        sensors: [],
                        at: Moment.start.wall
                    )
                )
            )
        }
        #expect(told() == nil)
        time.advance(by: .seconds(9))
        service.withdraw(own: panel)
        #expect(told() == nil)
        // All changes of ten seconds are one message.
        #expect(bridge.timeLeft == .seconds(1))
        time.advance(by: .seconds(1))
        let both = told()
        #expect(both?.contains("illuminance") == true)
        #expect(both?.contains(#""panel_light":{"platform":"light"}"#) == true)
        #expect(told() == nil)
        #expect(bridge.timeLeft == nil)
        // After a quiet time a change is published at once.
        time.advance(by: .seconds(10))
        let displays = try #require(PresetDisplays("all"))
        let value = try #require(PresetValue(brightness: Brightness(clamping: 0.3), isOn: nil))
        let name = try #require(ResourceName("film"))
        let film = try #require(Preset(name, [Preset.Rule(displays, value)]))
        hub.poster.post(.presets([film]))
        #expect(told()?.contains("preset-film") == true)
        // The message of an earlier run arrives late.
        for isNew in [true, false] {
            let earlier = #"{"components":{"gone_light":{"platform":"light","name":"Gone"}}}"#
            say("homeassistant/device/b_lobby/config", earlier, answerTo: nil, isRetained: true, to: bridge)
            #expect((told()?.contains(#""gone_light":{"platform":"light"}"#) == true) == isNew)
        }
    }

    @Test func `of 20,000 invalid response topics five are logged`() {
        bridge.begin(canReceiveAnswers: true)
        for number in 0..<20_000 { say("b/lobby/panel/set", "{}", answerTo: "b/lobby/d\(number)/state") }
        #expect(logged.lines.count { $0.contains("not answering at") } == 5)
        for number in 0..<20_000 { say("b/lobby/d\(number)/set", "{}", isRetained: true) }
        #expect(logged.lines.count { $0.contains("retained command") } == 5)
        #expect(logged.lines.count <= 15)
    }

    @Test func `a message that the broker rejects, or that is too long, is reported`() {
        bridge.begin(canReceiveAnswers: true)
        bridge.missed(topic: "b/x/y/state", bytes: 20_000_000)
        #expect(logged.lines == ["ignoring a message of 20000000 bytes at b/x/y/state: it is too long"])
        bridge.refused(.message(to: "b/lobby/panel/state", why: "it is too long"))
        let limitation = "publishing to b/lobby/panel/state failed: it is too long"
        #expect(hub.source.retained(.broker) == .broker(.connected(limitation: limitation)))
    }

    @Test func `the state of the broker connection is posted`() {
        #expect(hub.source.retained(.broker) == .broker(.connecting))
        bridge.begin(canReceiveAnswers: true)
        #expect(hub.source.retained(.broker) == .broker(.connected()))
        bridge.refused(.publishing(to: "b/lobby/status"))
        let limitation = "the broker denies publishing to b/lobby/status"
        #expect(hub.source.retained(.broker) == .broker(.connected(limitation: limitation)))
        bridge.end(.credentials(user: "lobby"))
        #expect(hub.source.retained(.broker) == .broker(.away("the broker rejected the password of \"lobby\"")))
    }
}
