// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import MQTT
import Synchronization
import TestSupport
import Testing

@testable import MQTTBridge

/// Displays of the node `lobby`, mirrored by the daemon `edge`.
@Suite struct MirrorTests {
    let hub = NotificationHub()
    let service: DisplayService
    let mirror: Mirror
    let remote: DisplayID
    let log: BridgeTests.Logged

    static let state = #"""
        {"id":"panel","name":"Panel","kind":"backlight","brightness":0.4,"baseline":0.4,
        "raw":{"value":40,"maximum":100},"percent":40,"power":{"on":true,"baseline":true,"switchable":false},
        "boost":null,"auto":{"enabled":true,"heldUntil":null,"waiting":"sensor"},"available":true,"unavailable":null,
        "new":[1],
        "cause":{"kind":"dreamt","by":"maria","reason":null,"at":"2026-11-21T06:00:00.123Z"},"revision":7}
        """#
    static let lease = #"""
        {"id":"l1","kind":"boost","display":"panel","holder":"kiosk","principal":"b/edge/brightnessd","brightness":1,
        "lifespan":"custom","reason":"qr","grantedAt":"2026-11-21T06:00:00.000Z","until":null,"overridden":false}
        """#

    init() throws {
        log = BridgeTests.Logged(hub)
        remote = try #require(DisplayID("lobby:panel"))
        service = try DisplayService([], poster: hub.poster, at: .start)
        mirror = Mirror(
            [try #require(MirrorFilter("b/+"))],
            own: Topics(prefix: "b", node: try #require(NodeName("edge"))),
            service,
            limit: 20_000,
            log: BrokerLog(now: { .start }) { [hub] in hub.poster.post(.notice(.broker($0))) },
            poster: hub.poster,
            wake: {}
        )
    }

    @discardableResult
    private func receive(_ topic: String, _ payload: String, correlation: [UInt8]? = nil) -> Bool {
        mirror.receive(Publication(topic, Array(payload.utf8), correlation: correlation), at: .start)
    }

    private func connect() {
        receive("b/lobby/panel/state", Self.state)
        receive("b/lobby/status", "online")
        mirror.begin(canReceiveAnswers: true, at: .start)
    }

    private final class Answers: Sendable {
        private let all = Mutex<[Result<CommandSuccess, CommandError>]>([])
        var last: Result<CommandSuccess, CommandError>? { all.withLock { $0.last } }
        var count: Int { all.withLock { $0.count } }
        func add(_ answer: Result<CommandSuccess, CommandError>) { all.withLock { $0.append(answer) } }
    }

    /// Sends a command, and returns its request and the response to it.
    private func ask(_ command: Command, at now: Moment = .start) -> (Publication?, Answers) {
        let answers = Answers()
        service.submit(command, to: remote, at: now) { answers.add($0) }
        mirror.runDeadlines(at: now)
        return (mirror.takeOutgoing().first, answers)
    }

    private func body(_ publication: Publication?) -> String {
        publication.map { String(decoding: $0.payload, as: UTF8.self) } ?? ""
    }

    @Test func `a display of another daemon becomes one of this daemon's`() throws {
        connect()
        let state = try #require(service.state(of: remote))
        #expect((state.kind, state.name, state.step) == (.remote, "lobby: Panel", 40))
        #expect(state.isAvailable)
        #expect((state.cause.kind, state.cause.by) == (.external, "maria"))
        #expect(service.all.states.map(\.id) == [remote])
    }

    @Test(arguments: ["panel", "another-id-than-that-of-the-topic"])
    func `a mirrored follower has its leader's id here`(id: String) {
        let state = Self.state.replacing(#"{"id":"panel""#, with: #"{"id":"\#(id)","follows":"edp""#)
        receive("b/lobby/panel/state", state)
        #expect(service.state(of: remote)?.leader == DisplayID("lobby:edp"))
    }

    @Test func `a repeated state makes no new revision`() {
        connect()
        let before = service.revision
        connect()
        #expect(service.revision == before)
    }

    @Test func `a mirrored display is available only while its daemon and the broker are online`() {
        receive("b/lobby/panel/state", Self.state)
        #expect(service.state(of: remote)?.isAvailable == false)
        receive("b/lobby/status", "online")
        #expect(service.state(of: remote)?.isAvailable == true)
        receive("b/lobby/status", "offline")
        #expect(service.state(of: remote)?.isAvailable == false)
        receive("b/lobby/status", "online")
        mirror.end(at: .start)
        #expect(service.state(of: remote)?.isAvailable == false)
        #expect(service.state(of: remote)?.cause.by == "maria")
    }

    @Test func `the leases of a mirrored display are posted from begin to end`() {
        connect()
        let listener = hub.source.listen(to: NotificationFilter([.lease])) {}
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        #expect(service.leases(of: remote)?.all.map(\.holder) == ["kiosk"])
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        receive("b/lobby/panel/leases", "{\"leases\":[]}")
        let changes = listener.drain().compactMap { news in
            if case .lease(let event, _) = news { event.change } else { nil }
        }
        #expect(changes == [.released])
        #expect(service.leases(of: remote)?.isEmpty == true)
    }

    @Test(
        arguments: [
            (#""until":"2026-11-21T06:00:00.500Z""#, .expired),
            (#""until":null,"ending":"2026-11-21T06:00:00.500Z""#, .disconnected),
            (#""until":"2026-11-21T06:00:05.000Z","ending":"2026-11-21T06:00:05.000Z""#, .released),
        ] as [(String, LeaseChange)]
    )
    func `the end of a lease has its reason, also if the node's clock is a little ahead`(
        times: String,
        change: LeaseChange
    ) {
        connect()
        let listener = hub.source.listen(to: NotificationFilter([.lease])) {}
        let lease = Self.lease.replacing("\"until\":null", with: times)
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        receive("b/lobby/panel/leases", "{\"leases\":[]}")
        let changes = listener.drain().compactMap { news in
            if case .lease(let event, _) = news { event.change } else { nil }
        }
        #expect(changes == [change])
    }

    @Test func `a mirrored display that is removed may return`() {
        connect()
        receive("b/lobby/panel/state", "")
        #expect(service.all.states.isEmpty)
        receive("b/lobby/panel/state", Self.state)
        #expect(service.all.states.map(\.id) == [remote])
        #expect(service.displays == [remote])
    }

    @Test func `a display of this machine keeps its id when another daemon's display of that id goes`() throws {
        connect()
        let panel = ScriptedPanel(remote, range: try #require(BrightnessRange(maximum: 100)), step: 30)
        try service.add(DisplayService.PanelRegistration(panel, on: ImmediateQueue()), at: .start)
        #expect(service.state(of: remote)?.kind == .backlight)
        receive("b/lobby/panel/state", Self.state)
        #expect(log.lines.count == 1)
        receive("b/lobby/panel/state", "")
        #expect(service.state(of: remote)?.kind == .backlight)
    }

    @Test(arguments: [
        "b/edge/panel/state", "c/lobby/panel/state", "b/lobby/panel/light/state", "b/lobby/panel/set", "b",
    ])
    func `a topic outside the filter is not mirrored`(topic: String) {
        #expect(!receive(topic, Self.state))
        #expect(service.displays.isEmpty)
    }

    @Test(arguments: ["{", "{}", "[]", #"{"name":"x","brightness":2}"#])
    func `an invalid state is ignored and logged`(payload: String) {
        receive("b/lobby/panel/state", payload)
        #expect(service.displays.isEmpty)
        #expect(log.lines.count == 1)
    }

    @Test func `a state of more than 16 KiB is not parsed`() {
        receive("b/lobby/panel/state", Self.state + String(repeating: " ", count: 16_384))
        #expect(service.displays.isEmpty)
        #expect(log.lines.count == 1)
    }

    private func leases(_ ids: some Sequence<String>) -> String {
        let leases = ids.map { Self.lease.replacing("l1", with: $0).replacing("\n", with: "") }
        return "{\"leases\":[\(leases.joined(separator: ","))]}"
    }

    @Test func `a mirrored display has at most as many leases as a local one, each id once`() {
        connect()
        receive("b/lobby/panel/leases", leases((0..<1_200).map { "l\($0)" }))
        #expect(service.leases(of: remote)?.all.count == LeaseTable.limit)
        receive("b/lobby/panel/leases", leases(["a", "a", "b/c", "", "d\\u0022", "e_F-1"]))
        #expect(service.leases(of: remote)?.all.map(\.id.text) == ["a", "e_F-1"])
    }

    @Test func `a list that is too long ends neither a lease nor its renewals`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        receive("b/lobby/panel/leases", leases((0..<10_000).map { "l\($0)" }))
        #expect(service.leases(of: remote)?.all.map(\.id.text) == ["l1"])
        #expect(log.lines.count == 1)
        mirror.runDeadlines(at: .start + RenewedLeases.renewalInterval)
        #expect(mirror.takeOutgoing().map(\.topic) == ["b/lobby/panel/renew"])
    }

    @Test func `a lease whose holder is not a name is not the anonymous holder's`() {
        connect()
        let lease = Self.lease.replacing("\"kiosk\"", with: "7")
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        #expect(service.leases(of: remote)?.isEmpty == true)
    }

    @Test(arguments: ["7", "\"soon\"", "\"9999-12-31T23:59:59-23:59\""])
    func `a lease whose end is not a time is not one without an end`(until: String) {
        connect()
        let lease = Self.lease.replacing("\"until\":null", with: "\"until\":\(until)")
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        #expect(service.leases(of: remote)?.isEmpty == true)
    }

    @Test(arguments: ["\u{9B}2J", "\u{202E}gnp", "\u{2066}x", "a\u{7F}"])
    func `a state whose name has control characters is not shown`(name: String) {
        receive("b/lobby/panel/state", Self.state.replacing("\"Panel\"", with: "\"\(name)\""))
        #expect(service.displays.isEmpty)
    }

    @Test func `of 20,000 invalid states five are logged`() {
        for number in 0..<20_000 { receive("b/lobby/d\(number)/state", "{") }
        #expect(log.lines.count == 5)
    }

    @Test func `a display that the broker no longer retains is withdrawn after a reconnect`() {
        connect()
        receive("b/lobby/other/state", Self.state)
        mirror.end(at: .start)
        connect()
        mirror.runDeadlines(at: .start + .seconds(1))
        #expect(service.all.states.count == 2)
        mirror.runDeadlines(at: .start + MirroredDisplays.grace)
        #expect(service.all.states.map(\.id) == [remote])
        #expect(service.state(of: remote)?.isAvailable == true)
    }

    @Test func `leases that arrive before the state are shown`() {
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        connect()
        #expect(service.leases(of: remote)?.all.map(\.holder) == ["kiosk"])
    }

    @Test func `leases of every kind are shown, and those of a newer kind left out`() {
        connect()
        let dim = Self.lease.replacing(#""id":"l1","kind":"boost""#, with: #""id":"l2","kind":"dim""#)
            .replacing(#""overridden":false"#, with: #""overridden":true"#)
        let glow = Self.lease.replacing(#""id":"l1","kind":"boost""#, with: #""id":"l3","kind":"glow""#)
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease),\(dim),\(glow)]}")
        let leases = service.leases(of: remote)?.all
        #expect(leases?.map(\.kind) == [.boost, .dim])
        #expect(leases?.map(\.isOverridden) == [false, true])
    }

    @Test(arguments: [
        #""id":"l1","#, #""kind":"boost","#, #""principal":"b/edge/brightnessd","#, #","overridden":false"#,
    ])
    func `a lease without its id, kind, principal or effect is left out`(member: String) {
        connect()
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease.replacing(member, with: ""))]}")
        #expect(service.leases(of: remote)?.isEmpty == true)
    }

    @Test(arguments: [
        #""power":{"on":true,"baseline":true,"switchable":false},"#,
        #""auto":{"enabled":true,"heldUntil":null,"waiting":"sensor"},"#,
        #""unavailable":null,"#,
    ])
    func `a state without its power, automatic brightness or availability is ignored`(member: String) {
        receive("b/lobby/panel/state", Self.state.replacing("\n", with: "").replacing(member, with: ""))
        #expect(service.displays.isEmpty)
        #expect(log.lines.count == 1)
    }

    @Test(arguments: [
        Command.Action.grant(LeaseRequest(.dim)), .grant(LeaseRequest(.wake)), .grant(LeaseRequest(.sleep)),
        .setPower(false),
    ])
    func `a node with less gets no command that it does not support`(action: Command.Action) {
        connect()
        #expect(ask(Command(action)).0 != nil)
        receive("b/lobby/capabilities", #"{"leases":["boost"],"power":false,"displays":true,"principals":true}"#)
        let (refused, answers) = ask(Command(action))
        #expect(refused == nil)
        #expect(throws: CommandError.unsupported) { try answers.last?.get() }
        receive(
            "b/lobby/capabilities",
            #"{"leases":["boost","dim","wake","sleep"],"power":true,"principals":true,"more":1}"#
        )
        #expect(ask(Command(action)).0 != nil)
    }

    @Test func `a restore is forwarded with its kind`() {
        connect()
        let boost = Command(.restore(holder: "k", kind: .boost))
        #expect(body(ask(boost).0) == #"{"kind":"boost","holder":"k","reason":null,"principal":"b/edge/brightnessd"}"#)
        #expect(body(ask(Command(.restoreAll(kind: .dim))).0).contains(#""kind":"dim""#))
    }

    @Test(arguments: ["[]", "{}", #"{"leases":1}"#, "boost"])
    func `invalid capabilities are ignored and logged`(payload: String) {
        connect()
        receive("b/lobby/capabilities", #"{"leases":["boost"]}"#)
        receive("b/lobby/capabilities", payload)
        #expect(log.lines.count == 1)
        #expect(ask(Command(.grant(LeaseRequest(.dim)))).0 == nil)
        receive("b/lobby/capabilities", "")
        #expect(ask(Command(.grant(LeaseRequest(.dim)))).0 != nil)
    }

    @Test(arguments: [
        (Command(.set(.fraction(.full)), by: "maria"), "set", #"{"brightness":1,"holder":"maria","reason":null}"#),
        (Command(.move(delta: -0.1)), "set", #"{"raw":30,"holder":null,"reason":null}"#),
        (
            Command(
                .grant(LeaseRequest(ttl: .seconds(60), holder: "k")),
                by: "k",
                reason: "qr",
                transition: .seconds(0.5)
            ),
            "boost",
            #"{"brightness":1,"lifespan":"custom","ttl":60,"holder":"k","reason":"qr","transition":0.5}"#
        ),
        (
            Command(.grant(LeaseRequest(lifespan: .visible, holder: "k")), by: "k"), "boost",
            #"{"brightness":1,"lifespan":"custom","ttl":20,"holder":"k","reason":null}"#
        ),
        (
            Command(.grant(LeaseRequest(lifespan: .lifetime))), "boost",
            #"{"brightness":1,"lifespan":"lifetime","holder":null,"reason":null}"#
        ),
        (Command(.renew(LeaseID("l1"), LeaseRenewal(ttl: .seconds(5)))), "renew", #"{"lease":"l1","ttl":5}"#),
        (
            Command(
                .renew(LeaseID("l1"), LeaseRenewal(at: .step(7), lifespan: .lifetime, reason: "qr")),
                transition: .seconds(2)
            ),
            "renew", #"{"lease":"l1","raw":7,"lifespan":"lifetime","reason":"qr","transition":2}"#
        ),
        (Command(.release(LeaseID("l1"))), "release", #"{"lease":"l1"}"#),
        (Command(.restore(holder: "k"), by: "k"), "restore", #"{"holder":"k","reason":null}"#),
        (Command(.restoreAll()), "restore", #"{"all":true,"holder":null,"reason":null}"#),
        (Command(.setAutomatic(true)), "auto", #"{"enabled":true,"forget":false,"holder":null,"reason":null}"#),
        (
            Command(.configure(DisplaySettings.Change(name: DisplayName("Left")!))), "settings",
            #"{"name":"Left","holder":null,"reason":null}"#
        ),
        (
            Command(.configure(DisplaySettings.Change(name: .some(nil), curve: .perceptual))), "settings",
            #"{"name":null,"curve":"perceptual","holder":null,"reason":null}"#
        ),
        (
            Command(.configure(DisplaySettings.Change(curve: PanelCurve("0:3,100:80")))), "settings",
            #"{"curve":[[0,0.03],[1,0.8]],"holder":null,"reason":null}"#
        ),
        (
            Command(.configure(DisplaySettings.Change(position: DisplaySettings.Position(2)))), "settings",
            #"{"position":2,"holder":null,"reason":null}"#
        ),
        (
            Command(.apply(PresetRequest(.value(PresetValue(brightness: Brightness(clamping: 0.3), isOn: true)!)))),
            "preset", #"{"brightness":0.3,"on":true,"holder":null,"reason":null}"#
        ),
        (
            Command(
                .apply(
                    PresetRequest(
                        .value(PresetValue(brightness: nil, isOn: false)!),
                        terms: PresetRequest.Terms(ttl: .seconds(60), holder: "film")
                    )
                ),
                reason: "night"
            ),
            "preset", #"{"on":false,"ttl":60,"holder":"film","reason":"night"}"#
        ),
    ])
    func `a command is forwarded to the display's daemon`(command: Command, method: String, payload: String) {
        connect()
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        let (question, answers) = ask(command)
        #expect(question?.topic == "b/lobby/panel/\(method)")
        #expect(question?.responseTopic == "b/edge/answers")
        #expect(question?.isRetained == false)
        #expect(body(question) == payload.dropLast() + #","principal":"b/edge/brightnessd"}"#)
        #expect(answers.last == nil)
    }

    @Test func `a step counts from the value that the commands under way lead to`() {
        func state(_ baseline: String) -> String {
            Self.state.replacing("\"baseline\":0.4", with: "\"baseline\":\(baseline)")
        }
        func step() -> Publication? { ask(Command(.move(delta: 0.1))).0 }
        connect()
        var questions = [step(), step()]
        // The state of the first one arrives while the second one is under way.
        receive("b/lobby/panel/state", state("0.5"))
        questions.append(step())
        #expect(questions.map { body($0).prefix(9) } == [#"{"raw":50"#, #"{"raw":60"#, #"{"raw":70"#])
        receive("b/lobby/panel/state", state("0.7"))
        for question in questions { receive("b/edge/answers", state("0.7"), correlation: question?.correlation) }
        // A person at the node.
        receive("b/lobby/panel/state", state("0.2"))
        questions = [ask(Command(.set(.step(35)))).0, step()]
        #expect(questions.map { body($0).prefix(9) } == [#"{"raw":35"#, #"{"raw":45"#])
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(body(step()).hasPrefix(#"{"raw":30"#))
    }

    // MARK: Principals

    /// Every command that a client can send; its holder has a slash and looks like another principal.
    @Test(
        arguments: [
            .set(.fraction(.full)), .move(delta: 0.1), .setPower(true), .restoreAll(), .setAutomatic(true),
            .configure(DisplaySettings.Change(name: DisplayName("Left")!)),
            .grant(LeaseRequest(holder: "boss/phone")), .grant(LeaseRequest(.dim, holder: "boss/phone")),
            .restore(holder: "boss/phone"), .renew(LeaseID("l1"), LeaseRenewal(ttl: .seconds(5))),
            .release(LeaseID("l1")),
        ] as [Command.Action]
    )
    func `a command is forwarded for its principal, whatever its holder is called`(action: Command.Action) throws {
        connect()
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        let requester = Requester(Principal("kiosk-3"), isAdmin: true)
        let question = ask(Command(action, by: "boss/phone", requester: requester)).0
        let payload = try #require(question?.payload)
        let forwarded = try #require(JSONDocument(parsing: payload)?.root)
        #expect(forwarded["principal"]?.string == "b/edge/kiosk-3")
        if let holder = forwarded["holder"], !holder.isNull { #expect(holder.string == "boss/phone") }
    }

    @Test func `a command is not forwarded to a node that takes no principals`() {
        connect()
        receive("b/lobby/capabilities", #"{"leases":["boost"],"power":true,"displays":true}"#)
        let (question, answers) = ask(Command(.set(.step(1))))
        #expect(question == nil)
        #expect(throws: CommandError.unsupported) { try answers.last?.get() }
    }

    @Test(arguments: [
        ("b/edge/kiosk-3", "kiosk-3"), ("b/hall/kiosk-3", "b/hall/kiosk-3"), ("c/edge/kiosk-3", "c/edge/kiosk-3"),
        ("kiosk-3", "b/lobby/kiosk-3"), ("mqtt", "b/lobby/mqtt"), ("edge/kiosk-3", "b/lobby/edge/kiosk-3"),
        ("uid:1000", "b/lobby/uid:1000"),
    ])
    func `a reported principal is a client of this daemon only if its name says so`(reported: String, shown: String) {
        connect()
        let cause =
            #""cause":{"kind":"mqtt","by":"boss/phone","principal":"\#(reported)","at":"2026-11-21T06:00:00.123Z"}"#
        let state = Self.state.replacing(#/"cause":{[^}]*}/#, with: cause)
        receive("b/lobby/panel/state", state)
        #expect(service.state(of: remote)?.cause.principal?.text == shown)
        #expect(service.state(of: remote)?.cause.by == "boss/phone")
        let lease = Self.lease.replacing("b/edge/brightnessd", with: reported)
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        #expect(service.leases(of: remote)?.all.map(\.principal.text) == [shown])
    }

    @Test func `a token of another gateway with the same name owns no lease here`() {
        connect()
        let lease = Self.lease.replacing("b/edge/brightnessd", with: "b/gateway-1/kiosk")
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        let kiosk = Requester(Principal("kiosk"), isAdmin: false)
        let (question, answers) = ask(Command(.release(LeaseID("l1")), requester: kiosk))
        #expect(question == nil)
        #expect(throws: CommandError.lease(.foreign)) { try answers.last?.get() }
    }

    // MARK: Conditions

    private func set(onlyAt revision: Revision?) -> Command {
        Command(.set(.step(1)), onlyAt: revision.map { [$0] })
    }

    @Test func `a condition is sent to the node as its own revision, and its refusal is returned`() throws {
        connect()
        receive("b/lobby/capabilities", Self.checks)
        let seen = try #require(service.state(of: remote)?.revision)
        let (first, _) = ask(set(onlyAt: seen))
        let (second, answers) = ask(set(onlyAt: seen))
        // The gateway does not know yet that the first one is executed.
        #expect(body(first).contains(#""ifMatch":"0123abcd-7""#) && body(second).contains(#""ifMatch":"0123abcd-7""#))
        let problem = #"{"type":"/problems/precondition-failed","title":"","status":412,"detail":"Another revision."}"#
        receive("b/edge/answers", problem, correlation: second?.correlation)
        let expected = CommandError.remote(problem: "precondition-failed", detail: "Another revision.")
        #expect(throws: expected) { try answers.last?.get() }
        #expect(!body(ask(set(onlyAt: nil)).0).contains("ifMatch"))
    }

    @Test func `a condition on a revision that is over is refused at once`() throws {
        connect()
        receive("b/lobby/capabilities", Self.checks)
        let seen = try #require(service.state(of: remote)?.revision)
        receive("b/lobby/panel/state", Self.state.replacing("0.4", with: "0.5").replacing(":7}", with: ":8}"))
        let (question, answers) = ask(set(onlyAt: seen))
        #expect(question == nil)
        #expect(throws: CommandError.otherRevision) { try answers.last?.get() }
    }

    @Test func `a condition is not sent with the revision of an earlier run of the node`() throws {
        connect()
        receive("b/lobby/capabilities", Self.checks)
        receive("b/lobby/capabilities", "")
        receive("b/lobby/capabilities", Self.checks.replacing("0123abcd", with: "99999999"))
        let seen = try #require(service.state(of: remote)?.revision)
        #expect(throws: CommandError.otherRevision) { try ask(set(onlyAt: seen)).1.last?.get() }
        receive("b/lobby/panel/state", Self.state.replacing(":7}", with: ":2}"))
        #expect(body(ask(set(onlyAt: seen)).0).contains(#""ifMatch":"99999999-2""#))
    }

    @Test func `a condition is not sent to a node that does not check it`() throws {
        connect()
        receive("b/lobby/capabilities", Self.lists)
        let seen = try #require(service.state(of: remote)?.revision)
        #expect(throws: CommandError.unsupported) { try ask(set(onlyAt: seen)).1.last?.get() }
    }

    @Test(arguments: [Command.Action.follow, .clockSet, .tick, .refresh()])
    func `a command for this daemon is not forwarded`(action: Command.Action) {
        connect()
        let (question, answers) = ask(Command(action))
        #expect(question == nil)
        #expect((try? answers.last?.get())?.state.id == remote)
    }

    @Test func `a node is asked to answer below its own prefix`() throws {
        let mirror = Mirror(
            [try #require(MirrorFilter("b/+"))],
            own: Topics(prefix: "gateways", node: try #require(NodeName("edge"))),
            service,
            limit: 10,
            log: BrokerLog(now: { .start }) { _ in },
            poster: hub.poster,
            wake: {}
        )
        func receive(_ topic: String, _ payload: String, correlation: [UInt8]? = nil) -> Bool {
            mirror.receive(Publication(topic, Array(payload.utf8), correlation: correlation), at: .start)
        }
        #expect(receive("b/lobby/panel/state", Self.state))
        #expect(receive("b/lobby/status", "online"))
        mirror.begin(canReceiveAnswers: true, at: .start)
        #expect(mirror.subscriptions.last?.filter == "b/edge/answers")
        let answers = Answers()
        service.submit(Command(.set(.step(1))), to: remote, at: .start) { answers.add($0) }
        mirror.runDeadlines(at: .start)
        let question = try #require(mirror.takeOutgoing().first)
        #expect(question.responseTopic == "b/edge/answers")
        #expect(receive("b/edge/answers", Self.state, correlation: question.correlation))
        #expect(throws: Never.self) { try answers.last?.get() }
        #expect(answers.last != nil)
    }

    @Test func `an answer to an earlier run is ignored`() {
        connect()
        let (first, answers) = ask(Command(.set(.step(1))))
        let (second, _) = ask(Command(.set(.step(2))))
        #expect((first?.correlation?.count, second?.correlation?.count) == (16, 16))
        #expect(first?.correlation != second?.correlation)
        for number in 0...9 as ClosedRange<UInt8> {
            receive("b/edge/answers", Self.lease, correlation: [0, 0, 0, 0, 0, 0, 0, number])
        }
        #expect(answers.last == nil)
    }

    @Test func `an answer is the lease with its id in this daemon`() throws {
        connect()
        let (question, answers) = ask(Command(.grant(LeaseRequest(holder: "kiosk"))))
        receive("b/edge/answers", Self.lease, correlation: question?.correlation)
        let event = try #require(try answers.last?.get().events.first)
        #expect((event.lease.display, event.lease.id, event.change) == (remote, LeaseID("l1"), .granted))
    }

    @Test func `a problem is passed on from the other daemon`() throws {
        connect()
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        let (question, answers) = ask(Command(.release(LeaseID("l1"))))
        let problem = #"{"type":"/problems/lease-ended","title":"","status":410,"detail":"It is over."}"#
        receive("b/edge/answers", problem, correlation: question?.correlation)
        #expect(throws: CommandError.remote(problem: "lease-ended", detail: "It is over.")) { try answers.last?.get() }
    }

    @Test func `the detail of a problem is plain text of at most 1,024 characters`() throws {
        let detail = #"a\u009b\n"# + String(repeating: "x", count: 2_000)
        let json = try #require(JSONDocument(parsing: Array(#"{"type":"/problems/x","detail":"\#(detail)"}"#.utf8)))
        let problem = CommandError(try #require(ProblemDocument(reading: json.root)))
        let expected = #"a\u{9b}\u{a}"# + String(repeating: "x", count: 1_021) + "…"
        #expect(problem == .remote(problem: "x", detail: expected))
    }

    @Test func `forwarded commands time out together, whatever the number of silent nodes`() throws {
        connect()
        receive("b/hall/panel/state", Self.state)
        receive("b/hall/status", "online")
        let answers = Answers()
        for id in [remote, try #require(DisplayID("hall:panel"))] {
            service.submit(Command(.set(.step(1))), to: id, at: .start) { answers.add($0) }
        }
        mirror.runDeadlines(at: .start)
        #expect(mirror.takeOutgoing().count == 2)
        mirror.runDeadlines(at: .start + .seconds(3))
        #expect(answers.count == 0)
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(answers.count == 2)
        #expect(throws: CommandError.unanswered) { try answers.last?.get() }
    }

    @Test func `a command to an offline daemon is rejected`() {
        connect()
        receive("b/lobby/status", "offline")
        #expect(throws: CommandError.unreachable) { try ask(Command(.set(.step(1)))).1.last?.get() }
        receive("b/lobby/status", "online")
        mirror.end(at: .start)
        #expect(throws: CommandError.unreachable) { try ask(Command(.set(.step(1)))).1.last?.get() }
    }

    @Test func `without response topics no command is forwarded`() {
        connect()
        mirror.begin(canReceiveAnswers: false, at: .start)
        #expect(throws: CommandError.unreachable) { try ask(Command(.set(.step(1)))).1.last?.get() }
    }

    @Test func `the result of a command is unknown if the broker connection is lost`() {
        connect()
        let (_, answers) = ask(Command(.set(.step(1))))
        mirror.end(at: .start)
        #expect(throws: CommandError.unanswered) { try answers.last?.get() }
    }

    @Test func `a boost bound to a stream here is renewed while the stream is open`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        mirror.runDeadlines(at: .start + RenewedLeases.renewalInterval)
        let renewal = mirror.takeOutgoing()
        #expect(renewal.map(\.topic) == ["b/lobby/panel/renew"])
        // Nothing else of the lease: another client may have changed it.
        #expect(
            body(renewal.first)
                == #"{"lease":"l1","lifespan":"custom","ttl":20,"principal":"b/edge/brightnessd"}"#
        )
        service.streamClosed(by: ["kiosk"], of: .daemon, at: .start)
        mirror.runDeadlines(at: .start + RenewedLeases.renewalInterval * 2)
        mirror.runDeadlines(at: .start + RenewedLeases.renewalInterval * 4)
        #expect(mirror.takeOutgoing() == [])
    }

    /// A `visible` boost of this daemon's client, which the node grants as `lease`.
    private func takeBoost(as lease: String = Self.lease, ttl: Duration? = nil) {
        let request = LeaseRequest(lifespan: .visible, ttl: ttl, holder: "kiosk")
        let question = ask(Command(.grant(request), by: "kiosk")).0
        receive("b/lobby/panel/leases", "{\"leases\":[\(lease)]}")
        receive("b/edge/answers", lease, correlation: question?.correlation)
    }

    /// The lease of a node whose clock is behind: its end is over by the clock of this daemon.
    private static let early = lease.replacing("\"until\":null", with: "\"until\":\"2026-11-21T05:59:55.000Z\"")

    @Test func `the end of a lease by this daemon's clock counts only while its node is absent`() {
        connect()
        let leases = "{\"leases\":[\(Self.early)]}"
        receive("b/lobby/panel/leases", leases)
        #expect(service.leases(of: remote)?.all.map(\.holder) == ["kiosk"])
        receive("b/lobby/status", "offline")
        #expect(service.leases(of: remote)?.isEmpty == true)
        // The node has not reported its leases yet.
        receive("b/lobby/status", "online")
        #expect(service.leases(of: remote)?.isEmpty == true)
        receive("b/lobby/panel/leases", leases)
        #expect(service.leases(of: remote)?.all.map(\.holder) == ["kiosk"])
    }

    @Test func `a lease that ends while its node is absent is no longer shown`() {
        connect()
        let late = Self.lease.replacing("\"until\":null", with: "\"until\":\"2026-11-21T06:00:05.000Z\"")
        receive("b/lobby/panel/leases", "{\"leases\":[\(late)]}")
        receive("b/lobby/status", "offline")
        mirror.runDeadlines(at: .after(.seconds(4)))
        #expect(service.leases(of: remote)?.all.map(\.holder) == ["kiosk"])
        mirror.runDeadlines(at: .after(.seconds(6)))
        #expect(service.leases(of: remote)?.isEmpty == true)
    }

    @Test func `a clock that is set decides again which leases of absent nodes are over`() {
        connect()
        let late = Self.lease.replacing("\"until\":null", with: "\"until\":\"2026-11-21T06:00:05.000Z\"")
        receive("b/lobby/panel/leases", "{\"leases\":[\(late)]}")
        receive("b/lobby/status", "offline")
        for (second, ahead) in [(1, 0), (2, 3_600), (3, 0), (4, -3_600), (6, -3_600)] {
            let wall = Moment.after(.seconds(second + ahead)).wall
            mirror.runDeadlines(at: Moment(instant: Moment.after(.seconds(second)).instant, wall: wall))
            #expect(service.leases(of: remote)?.isEmpty == (ahead > 0), "\(second)")
        }
    }

    @Test func `a lease of a node whose clock is behind can be released`() {
        connect()
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.early)]}")
        #expect(ask(Command(.release(LeaseID("l1")))).0?.topic == "b/lobby/panel/release")
    }

    @Test func `a boost bound to a stream here is renewed at a node whose clock is behind`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost(as: Self.early)
        mirror.runDeadlines(at: .start + RenewedLeases.renewalInterval)
        #expect(mirror.takeOutgoing().map(\.topic) == ["b/lobby/panel/renew"])
    }

    /// Changes that boost after five seconds, and returns the forwarded body and the renewals in the next ten.
    private func change(_ change: LeaseRenewal, isDone: Bool = true) -> (body: String, renewals: [String]) {
        let question = ask(Command(.renew(LeaseID("l1"), change)), at: .start + .seconds(5)).0
        let problem = #"{"type":"/problems/invalid-body","detail":"Nothing was changed."}"#
        receive("b/edge/answers", isDone ? Self.lease : problem, correlation: question?.correlation)
        var renewals: [String] = []
        for second in 6...15 {
            mirror.runDeadlines(at: .start + .seconds(second))
            renewals += mirror.takeOutgoing().map { "\(second): \(body($0).split(separator: ",\"principal")[0])" }
        }
        return (String(body(question).split(separator: ",\"principal")[0]), renewals)
    }

    @Test func `a new brightness of a boost bound to a stream here leaves its renewals as they are`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let (body, renewals) = change(LeaseRenewal(at: .fraction(.full), reason: "code"))
        #expect(body == #"{"lease":"l1","brightness":1,"reason":"code""#)
        #expect(renewals == [#"9: {"lease":"l1","lifespan":"custom","ttl":20"#])
    }

    @Test func `a new time limit of a boost bound to a stream here is that of its renewals`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let (body, renewals) = change(LeaseRenewal(ttl: .seconds(12)))
        #expect(body == #"{"lease":"l1","lifespan":"custom","ttl":12"#)
        #expect(renewals == [#"12: {"lease":"l1","lifespan":"custom","ttl":5"#])
    }

    @Test func `a boost that is no longer bound to a stream here is not renewed`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let (body, renewals) = change(LeaseRenewal(lifespan: .custom, ttl: .seconds(600)))
        #expect(body == #"{"lease":"l1","lifespan":"custom","ttl":600"#)
        #expect(renewals == [])
    }

    @Test func `a change that the node refuses does not end the renewals`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let (_, renewals) = change(LeaseRenewal(lifespan: .custom, ttl: .seconds(600)), isDone: false)
        #expect(renewals == [#"9: {"lease":"l1","lifespan":"custom","ttl":20"#])
    }

    @Test func `a boost that becomes bound to a stream here is renewed`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        receive("b/lobby/panel/leases", "{\"leases\":[\(Self.lease)]}")
        let (body, renewals) = change(LeaseRenewal(lifespan: .visible))
        #expect(body == #"{"lease":"l1","lifespan":"custom","ttl":20"#)
        #expect(renewals == [#"12: {"lease":"l1","lifespan":"custom","ttl":20"#])
    }

    @Test func `an outage of the broker does not end a boost bound to a stream here`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost(ttl: .seconds(30))
        mirror.end(at: .start + .seconds(5))
        for second in 6...13 { mirror.runDeadlines(at: .start + .seconds(second)) }
        #expect(mirror.takeOutgoing() == [])
        let back = Moment.start + .seconds(14)
        for (topic, payload) in [("state", Self.state), ("leases", "{\"leases\":[\(Self.lease)]}")] {
            _ = mirror.receive(Publication("b/lobby/panel/\(topic)", Array(payload.utf8), isRetained: true), at: back)
        }
        _ = mirror.receive(Publication("b/lobby/status", Array("online".utf8), isRetained: true), at: back)
        mirror.begin(canReceiveAnswers: true, at: back)
        mirror.runDeadlines(at: back + .seconds(1))
        let question = mirror.takeOutgoing().first
        #expect(question?.topic == "b/lobby/panel/renew")
        #expect(body(question).contains(#""ttl":15,"#))
    }

    /// Messages about the node's status, and about the display's leases.
    @Test(
        arguments: [
            // It stops and starts, starts without its journal, removes the display; a client releases the boost.
            (["offline", "[]", "online", "[]"], .stopped), (["offline", "online", "[]"], .stopped), ([""], .stopped),
            (["[]", "offline", "online", "[]"], .released),
        ] as [([String], LeaseChange)]
    )
    func `a boost bound to a stream here is requested again unless a client released it`(
        messages: [String],
        end: LeaseChange
    ) {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let listener = hub.source.listen(to: NotificationFilter([.lease])) {}
        _ = listener.drain()
        for message in messages {
            switch message {
            case "online", "offline": receive("b/lobby/status", message)
            case "": receive("b/lobby/panel/leases", "")
            default: receive("b/lobby/panel/leases", "{\"leases\":\(message)}")
            }
        }
        let changes = listener.drain().compactMap { news in
            if case .lease(let event, _) = news { event.change } else { nil }
        }
        #expect(changes == [end])
        mirror.runDeadlines(at: .start + .seconds(1))
        #expect(mirror.takeOutgoing().map(\.topic) == (end == .stopped ? ["b/lobby/panel/boost"] : []))
    }

    @Test func `a boost bound to a stream here that lapsed is requested as it was last`() {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        let changed = Self.lease.replacing(#""brightness":1"#, with: #""brightness":0.7"#)
        receive("b/lobby/panel/leases", "{\"leases\":[\(changed)]}")
        receive("b/lobby/status", "offline")
        mirror.runDeadlines(at: .start + .seconds(21))
        let back = Moment.start + .seconds(22)
        _ = mirror.receive(Publication("b/lobby/panel/leases", Array(#"{"leases":[]}"#.utf8)), at: back)
        _ = mirror.receive(Publication("b/lobby/status", Array("online".utf8)), at: back)
        mirror.runDeadlines(at: back + .seconds(1))
        let question = mirror.takeOutgoing().first
        #expect(question?.topic == "b/lobby/panel/boost")
        #expect(
            body(question).hasPrefix(
                #"{"brightness":0.7,"lifespan":"custom","ttl":20,"holder":"kiosk","reason":"qr","#
            )
        )
    }

    @Test(
        arguments: [
            .restore(holder: "kiosk"), .restore(holder: "kiosk", kind: .boost),
            .restoreAll(), .restoreAll(kind: .boost),
        ] as [Command.Action],
        [true, false]
    )
    func `a boost that lapsed is not requested again after its release`(action: Command.Action, isDone: Bool) {
        connect()
        service.streamOpened(by: ["kiosk"], of: .daemon, at: .start)
        takeBoost()
        receive("b/lobby/status", "offline")
        mirror.runDeadlines(at: .start + .seconds(21))
        let back = Moment.start + .seconds(22)
        _ = mirror.receive(Publication("b/lobby/panel/leases", Array(#"{"leases":[]}"#.utf8)), at: back)
        _ = mirror.receive(Publication("b/lobby/status", Array("online".utf8)), at: back)
        // The turn in which the boost is due.
        service.submit(Command(action), to: remote, at: back + .seconds(2)) { _ in }
        mirror.runDeadlines(at: back + .seconds(2))
        let sent = mirror.takeOutgoing()
        #expect(sent.map(\.topic) == ["b/lobby/panel/restore"])
        let problem = #"{"type":"/problems/rate-limited","detail":"Nothing was changed."}"#
        receive("b/edge/answers", isDone ? Self.state : problem, correlation: sent.first?.correlation)
        mirror.runDeadlines(at: back + .seconds(2) + Mirror.timeout)
        #expect(mirror.takeOutgoing().map(\.topic) == (isDone ? [] : ["b/lobby/panel/boost"]))
    }

    @Test func `a bridge does not publish mirrored displays`() throws {
        connect()
        let configuration = Bridge.Configuration(
            topics: Topics(prefix: "b", node: try #require(NodeName("edge"))),
            version: "1",
            lightReports: LightReports(poster: hub.poster)
        )
        let bridge = Bridge(Surface(service, hub), configuration) {}
        bridge.begin(canReceiveAnswers: true)
        #expect(bridge.take(100).map(\.topic) == ["b/edge/capabilities", "b/edge/status"])
        bridge.receive(Publication("b/edge/all/boost", [], responseTopic: "b/me/answers"))
        bridge.receive(Publication("b/edge/lobby:panel/boost", [], responseTopic: "b/me/answers"))
        let answers = bridge.take(100).map { String(decoding: $0.payload, as: UTF8.self) }
        #expect(answers.first == "{\"results\":[]}")
        #expect(answers.last?.contains("display-not-found") == true)
    }

    @Test(arguments: ["b/+", "b/lobby", "site/b/+"])
    func `a filter selects nodes or displays`(text: String) {
        #expect(MirrorFilter(text) != nil)
    }

    @Test(arguments: ["", "b", "b/", "/lobby", "b/#", "+/lobby", "b/all", "b//+"])
    func `an invalid filter is rejected`(text: String) {
        #expect(MirrorFilter(text) == nil)
    }

    // MARK: Commands for several displays

    private final class Results: Sendable {
        private let all = Mutex<[String: String]>([:])
        var byDisplay: [String: String] { all.withLock { $0 } }
        func add(_ id: DisplayID, _ result: Result<CommandSuccess, CommandError>) {
            let text =
                switch result {
                case .success(let answer): "done \(answer.events.map(\.lease.id.text))"
                case .failure(let error): "\(error)"
                }
            all.withLock { $0[id.text] = text }
        }
    }

    /// Two displays of the node `lobby` and one of `hall`, and a command for all three.
    private func askAll(_ command: Command, capabilities: String) -> ([Publication], Results) {
        for topic in ["lobby/a", "lobby/b", "hall/c"] { receive("b/\(topic)/state", Self.state) }
        for node in ["lobby", "hall"] {
            receive("b/\(node)/status", "online")
            receive("b/\(node)/capabilities", capabilities)
        }
        mirror.begin(canReceiveAnswers: true, at: .start)
        let results = Results()
        service.submit(command, to: service.displays, at: .start) { results.add($0, $1) }
        mirror.runDeadlines(at: .start)
        return (mirror.takeOutgoing(), results)
    }

    private static let checks = lists.replacing("{", with: #"{"epoch":"0123abcd","#)
    private static let lists = #"{"version":"1","leases":["boost"],"power":true,"displays":true,"principals":true}"#

    @Test func `a command for several displays is one message a node`() throws {
        let (messages, results) = askAll(Command(.set(.step(70))), capabilities: Self.lists)
        #expect(messages.map(\.topic) == ["b/lobby/all/set", "b/hall/c/set"])
        #expect(body(messages[0]).hasPrefix(#"{"displays":["a","b"],"raw":70,"#))
        #expect(messages.allSatisfy { body($0).contains(#""principal":"b/edge/brightnessd""#) })
        #expect(results.byDisplay.isEmpty)
        let answer = """
            {"results":[{"display":"b","status":503,"problem":{"type":"/problems/display-unavailable","detail":"off"}},
            {"display":"a","status":200,"state":\(Self.state)},{"display":"c","status":200,"state":{}}]}
            """
        receive("b/edge/answers", answer, correlation: messages[0].correlation)
        #expect(results.byDisplay["lobby:a"] == "done []")
        #expect(results.byDisplay["lobby:b"]?.contains("display-unavailable") == true)
        #expect(results.byDisplay["hall:c"] == nil)
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(results.byDisplay["hall:c"] == "unanswered")
    }

    @Test func `each display of an answer gets its own lease, and the others are unanswered`() throws {
        let boost = Command(.grant(LeaseRequest(at: .fraction(.full))))
        let (messages, results) = askAll(boost, capabilities: Self.lists)
        let answer = #"{"results":[{"display":"a","status":201,"lease":\#(Self.lease)}]}"#
        receive("b/edge/answers", answer, correlation: messages[0].correlation)
        #expect(results.byDisplay["lobby:a"] == #"done ["l1"]"#)
        #expect(results.byDisplay["lobby:b"] == "unanswered")
    }

    @Test func `a node without commands for several displays gets one message a display`() {
        let less = #"{"version":"1","leases":["boost"],"power":true,"displays":false,"principals":true}"#
        let (messages, _) = askAll(Command(.setPower(false)), capabilities: less)
        #expect(messages.map(\.topic) == ["b/lobby/a/power", "b/lobby/b/power", "b/hall/c/power"])
        #expect(!body(messages[0]).contains("displays"))
    }

    // MARK: Limits

    /// A mirror of two displays, which allows two commands under way for one principal and four in all.
    private func small() throws -> Mirror {
        let mirror = Mirror(
            [try #require(MirrorFilter("b/+"))],
            own: Topics(prefix: "b", node: try #require(NodeName("edge"))),
            service,
            limit: 2,
            log: BrokerLog(now: { .start }) { _ in },
            poster: hub.poster,
            wake: {}
        )
        func receive(_ topic: String, _ payload: String) {
            _ = mirror.receive(Publication(topic, Array(payload.utf8)), at: .start)
        }
        for name in ["a", "b"] { receive("b/lobby/\(name)/state", Self.state) }
        receive("b/lobby/status", "online")
        receive("b/lobby/capabilities", Self.lists)
        mirror.begin(canReceiveAnswers: true, at: .start)
        return mirror
    }

    private func command(by principal: String) -> Command {
        Command(.set(.step(7)), requester: Requester(Principal(principal), isAdmin: false))
    }

    @Test func `commands under way to nodes that do not answer are limited, for each principal and in all`() throws {
        let mirror = try small()
        func submit(by principal: String) -> Results {
            let results = Results()
            service.submit(command(by: principal), to: service.displays, at: .start) { results.add($0, $1) }
            mirror.runDeadlines(at: .start)
            return results
        }
        let busy = ["lobby:a": "busy", "lobby:b": "busy"]
        let first = submit(by: "maria")
        #expect(first.byDisplay.isEmpty)
        #expect(submit(by: "maria").byDisplay == busy)
        #expect(submit(by: "otto").byDisplay.isEmpty)
        #expect(submit(by: "boss").byDisplay == busy)
        #expect(mirror.takeOutgoing().count == 2)
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(first.byDisplay == ["lobby:a": "unanswered", "lobby:b": "unanswered"])
        #expect(submit(by: "maria").byDisplay.isEmpty)
        mirror.end(at: .start)
        mirror.begin(canReceiveAnswers: true, at: .start)
        #expect(submit(by: "maria").byDisplay == ["lobby:a": "unreachable", "lobby:b": "unreachable"])
        _ = mirror.receive(Publication("b/lobby/status", Array("online".utf8)), at: .start)
        #expect(submit(by: "maria").byDisplay.isEmpty)
    }

    @Test func `a command for many displays is rejected as a whole if too many are under way`() throws {
        let mirror = try small()
        let handler = CommandHandler(service, hub.source)
        let displays = try handler.displays(of: .all)
        func start() throws -> CommandExecution {
            let execution = try handler.execution(of: command(by: "maria"), on: displays)
            execution.start(at: .start) {}
            mirror.runDeadlines(at: .start)
            return execution
        }
        let execution = try start()
        #expect(execution.results.map(\.status) == [202, 202])
        let problem = #expect(throws: Problem.self) { try start() }
        #expect(problem?.type == .serverLimitReached)
        #expect(mirror.takeOutgoing().count == 1)
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(execution.results.map(\.status) == [503, 503])
        #expect(throws: Never.self) { try start() }
    }

    @Test func `a command that has failed is not sent`() {
        let (messages, results) = askAll(Command(.set(.step(70))), capabilities: Self.lists)
        #expect(messages.count == 2)
        service.submit(Command(.set(.step(10))), to: service.displays, at: .start) { results.add($0, $1) }
        mirror.runDeadlines(at: .start)
        mirror.runDeadlines(at: .start + Mirror.timeout)
        #expect(mirror.takeOutgoing().isEmpty)
    }
}
