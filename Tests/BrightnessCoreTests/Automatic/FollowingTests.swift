// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A display with automatic brightness: the panel shows 30 of 100. The curve is 20 in the dark, 40 at 99 lux and 80 at
/// 9,999 lux.
@Suite(.timeLimit(.minutes(10)))
struct FollowingTests {
    private let fixture: DisplayServiceFixture

    init() throws {
        fixture = try DisplayServiceFixture(
            showing: 30,
            automatic: AutomaticRules(
                hold: .seconds(600),
                curve: BrightnessCurve("0:0.2,99:0.4,9999:0.8")!,
                up: .zero,
                down: .zero
            )
        )
    }

    /// Changes the light and notifies the displays that follow it.
    private func light(_ lux: Double?, source: Ambient.Source = .sensor, at now: Moment = .start) throws {
        fixture.hub.poster.post(.ambient(.of(lux, source: source)))
        try fixture.perform(.follow, at: now)
    }

    @Test func `a display follows the light as soon as it is switched on`() throws {
        try light(99)
        #expect(fixture.panel.writes == [])
        try fixture.perform(.setAutomatic(true))
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
        #expect(fixture.state.baseline == .at(0.4))
        #expect(fixture.state.cause.kind == .auto)
        #expect(fixture.state.cause.by == "somebody")
        try light(9_999)
        #expect(fixture.state.baseline == .at(0.8))
        #expect(fixture.state.cause.kind == .auto)
        #expect(fixture.panel.step == 80)
    }

    @Test func `a small change or unknown light does not move the display`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        let before = fixture.state
        for lux: Double? in [90, 110, 120] { try light(lux) }
        #expect(fixture.state == before)
        try light(nil)
        #expect((fixture.state.baseline, fixture.state.cause) == (before.baseline, before.cause))
        try light(80)
        #expect(fixture.state.isSame(as: before))
    }

    @Test func `a display waits for a sensor while it is automatic and the light is unknown`() throws {
        try fixture.perform(.setAutomatic(true))
        // Nothing was reported yet.
        #expect(fixture.state.automatic.waiting == nil)
        try light(nil, source: .brightness)
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true, waiting: .sensor))
        try fixture.perform(.setAutomatic(false))
        #expect(fixture.state.automatic == .off)
        try fixture.perform(.setAutomatic(true))
        #expect(fixture.state.automatic.waiting == .sensor)
        try light(99)
        #expect(fixture.state.automatic.waiting == nil)
        #expect(fixture.state.baseline == .at(0.4))
        // The sensor does not answer.
        try light(nil)
        #expect(fixture.state.automatic.waiting == .sensor)
    }

    @Test func `a display that substitutes for a sensor is not followed`() throws {
        try light(nil, source: .brightness)
        try fixture.perform(.setAutomatic(true))
        try light(9_999, source: .brightness)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.panel.writes == [])
    }

    @Test func `the light dims slowly and brightens faster, and a person need not wait for it`() throws {
        let fixture = try DisplayServiceFixture(
            showing: 30,
            automatic: AutomaticRules(
                isOnByDefault: true,
                curve: BrightnessCurve("0:0.2,99:0.4,9999:0.8")!,
                up: .seconds(1),
                down: .seconds(8)
            )
        )
        fixture.hub.poster.post(.ambient(.of(9_999)))
        try fixture.perform(.follow)
        #expect(fixture.state.step == 80)
        try fixture.perform(.tick, at: .after(.milliseconds(500)))
        #expect((31...79).contains(fixture.panel.step))
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.panel.step == 80)
        fixture.hub.poster.post(.ambient(.of(0)))
        try fixture.perform(.follow, at: .after(.seconds(2)))
        try fixture.perform(.tick, at: .after(.seconds(9)))
        #expect((21...79).contains(fixture.panel.step))
        try fixture.perform(.set(0.5), at: .after(.seconds(9)))
        #expect(fixture.panel.step == 50)
        #expect(fixture.state.automatic.heldUntil != nil)
    }

    @Test func `switching off leaves the brightness`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.setAutomatic(false))
        try light(9_999)
        #expect(fixture.state.automatic == .off)
        #expect(fixture.state.baseline == .at(0.4))
    }

    // MARK: People

    @Test(arguments: [Cause.Kind.schedule, .idle, .presence])
    func `a baseline of the daemon itself holds the display, and teaches nothing`(channel: Cause.Kind) throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        var command = Command(.set(0.05), by: "schedule:night")
        command.channel = channel
        fixture.service.submit(command, to: .left, at: .start) { _ in }
        fixture.queue.runAll()
        #expect(fixture.state.baseline == .at(0.05))
        #expect(fixture.service.lessons(of: .left) == [])
        #expect(fixture.state.automatic.heldUntil == Moment.after(.seconds(600)).wall)
        try fixture.perform(.tick, at: .after(.seconds(600)))
        #expect(fixture.state.baseline == .at(0.4))
    }

    @Test(arguments: [Command.Action.set(0.6), .set(.step(60)), .move(delta: 0.2), .refresh()])
    func `a person's change holds the display and teaches it`(action: Command.Action) throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        if case .refresh = action { fixture.panel.step = 60 }
        try fixture.perform(action, at: .after(.seconds(5)))
        #expect(fixture.state.automatic.heldUntil == Moment.after(.seconds(605)).wall)
        try light(9_999, at: .after(.seconds(6)))
        #expect(fixture.panel.step == 60)
        try light(99, at: .after(.seconds(7)))
        try fixture.perform(.setAutomatic(true), at: .after(.seconds(8)))
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
        #expect(fixture.panel.step == 60)
        try light(9_999, at: .after(.seconds(9)))
        #expect(fixture.panel.step == 80)
    }

    @Test func `a hold ends by itself with an event, and the current light counts`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.set(0.6))
        try light(0)
        #expect(fixture.service.state(of: .left)?.baseline == .at(0.6))
        try fixture.perform(.tick, at: .after(.milliseconds(599_999)))
        #expect(fixture.state.automatic.heldUntil != nil)
        let count = fixture.posted.count
        try fixture.perform(.tick, at: .after(.seconds(600)))
        #expect(fixture.posted.dropFirst(count) == [.state(fixture.state)])
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
        #expect(fixture.panel.step == 20)
        #expect(fixture.state.cause.kind == .auto)
    }

    @Test func `an expired hold has no effect, even before it was ended`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.set(0.6))
        try light(0, at: .after(.seconds(601)))
        #expect(fixture.panel.step == 20)
    }

    @Test func `switching on again moves the display exactly to the curve`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.set(0.42))
        try fixture.perform(.setAutomatic(true, forgetsLessons: true))
        #expect(fixture.state.baseline == .at(0.4))
    }

    @Test func `a change that the panel rejected is not held`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        fixture.panel.failWrites(.refused)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.set(0.9)) }
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
    }

    @Test func `a panel that rejects a change gets the light's step when it accepts writes`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        fixture.panel.failWrites(.refused)
        try light(9_999)
        #expect(fixture.panel.step == 40)
        #expect(fixture.state.isAvailable == false)
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
    }

    // MARK: Boosts

    @Test func `during a boost the light sets the baseline, and the boost continues`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.boost(by: "a"))
        try light(0)
        #expect(fixture.state.brightness == .full)
        #expect(fixture.state.baseline == .at(0.2))
        #expect(fixture.state.boost?.count == 1)
        #expect(fixture.panel.step == 100)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 20)
        #expect(fixture.panel.writes == [40, 100, 20])
    }

    @Test func `a boost teaches nothing and holds nothing, however it ends`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.boost(0.9, by: "a"))
        try fixture.perform(.boost(by: "b"))
        try fixture.perform(.refresh())
        try fixture.perform(.release(.number(1)))
        try fixture.perform(.tick, at: .after(.seconds(61)))
        #expect(fixture.state.automatic == DisplayState.Automatic(isEnabled: true))
        try light(100)
        #expect(fixture.state.baseline == .at(0.4))
    }

    @Test func `turning a boosted panel down holds it without a lesson`() throws {
        try light(99)
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.boost(by: "a", for: .seconds(3_600)))
        fixture.panel.step = 70
        try fixture.perform(.refresh())
        fixture.panel.step = 60
        try fixture.perform(.refresh())
        #expect(fixture.state.boost?.isOverridden == true)
        try light(0, at: .after(.seconds(1)))
        #expect(fixture.panel.step == 60)
        // The hold is over: the light sets the display, but the boost stays without effect.
        try fixture.perform(.tick, at: .after(.seconds(600)))
        #expect(fixture.panel.step == 20)
        #expect(fixture.state.boost?.isOverridden == true)
        try light(99, at: .after(.seconds(601)))
        #expect(fixture.panel.step == 40)
    }

    // MARK: The service

    @Test func `the light sets the displays that follow it, after each switch`() async throws {
        let service = try DisplayService(
            [.init(fixture.panel, on: ImmediateQueue())],
            .init(automatic: AutomaticRules(curve: BrightnessCurve("0:0.2,99:0.4,9999:0.8")!, up: .zero, down: .zero)),
            poster: fixture.hub.poster,
            source: fixture.hub.source,
            at: .start
        )
        let following = Task { await service.followLight { .start } }
        defer { following.cancel() }
        var states = fixture.hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
        for (switched, other, lux, baseline) in [(99.0, 0.4, 9_999.0, 0.8), (9_999, 0.8, 0, 0.2)] {
            fixture.hub.poster.post(.ambient(.of(switched)))
            _ = try await service.perform(Command(.setAutomatic(true)), on: .left, at: .start).get()
            #expect(service.state(of: .left)?.baseline == .at(other))
            fixture.hub.poster.post(.ambient(.of(lux)))
            while await states.read()?.displayState?.baseline != .at(baseline) {}
            #expect(fixture.panel.step == Int(baseline * 100))
            _ = try await service.perform(Command(.setAutomatic(false)), on: .left, at: .start).get()
        }
    }

    /// Creates a service with the display `left`, whose displays follow the light by default.
    private func serviceOfLeft(_ hub: NotificationHub) throws -> DisplayService {
        try DisplayService(
            [.init(fixture.panel, on: ImmediateQueue())],
            .init(
                automatic: AutomaticRules(
                    isOnByDefault: true,
                    curve: BrightnessCurve("0:0.2,99:0.4,9999:0.8")!,
                    up: .zero,
                    down: .zero
                )
            ),
            poster: hub.poster,
            source: hub.source,
            at: .start
        )
    }

    private func states(in hub: NotificationHub) -> Notifications.Iterator {
        hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
    }

    @Test func `a display that appears or returns follows the light at once, next to another one`() async throws {
        let hub = NotificationHub()
        hub.poster.post(.ambient(.of(99)))
        let service = try serviceOfLeft(hub)
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 30)
        var (lefts, rights) = (states(in: hub), states(in: hub))
        let following = Task { await service.followLight { .start } }
        defer { following.cancel() }
        while let state = await lefts.read(of: .left)?.displayState, state.baseline != .at(0.4) {}
        try service.add(.init(panel, on: ImmediateQueue(), comesAndGoes: true), at: .start)
        while let state = await rights.read(of: .right)?.displayState, state.baseline != .at(0.4) {}
        panel.failReads(.gone, times: .max)
        _ = await service.perform(Command(.refresh()), on: .right, at: .start)
        hub.poster.post(.ambient(.of(9_999)))
        while let state = await lefts.read(of: .left)?.displayState, state.baseline != .at(0.8) {}
        #expect(service.own.map(\.id) == [.left])
        panel.heal()
        _ = await service.perform(Command(.refresh()), on: .right, at: .start)
        while let state = await rights.read(of: .right)?.displayState, state.baseline != .at(0.8) {}
        #expect(panel.step == 80)
    }

    @Test func `a display that appears waits for a sensor as another one does`() async throws {
        let hub = NotificationHub()
        hub.poster.post(.ambient(.of(nil, source: .brightness)))
        let service = try serviceOfLeft(hub)
        let panel = ScriptedPanel(.right, range: BrightnessRange(maximum: 100)!, step: 30)
        var (lefts, rights) = (states(in: hub), states(in: hub))
        let following = Task { await service.followLight { .start } }
        defer { following.cancel() }
        while let state = await lefts.read(of: .left)?.displayState, state.automatic.waiting == nil {}
        try service.add(.init(panel, on: ImmediateQueue()), at: .start)
        while let state = await rights.read(of: .right)?.displayState, state.automatic.waiting == nil {}
        #expect(service.state(of: .right)?.automatic.waiting == .sensor)
    }

    @Test func `mode, hold and lessons of an earlier run continue`() throws {
        let lesson = BrightnessCurve.Point.of(99, 0.6)
        var record = DisplayRecord.of(baselineStep: 400)
        record.automatic = AutomaticRecord(
            isEnabled: true,
            heldUntil: .after(.seconds(100)),
            lessons: [lesson]
        )
        var model = DisplayModel(
            ScriptedPanel(.left, range: BrightnessRange(maximum: 1_000)!, step: 300),
            showing: 300,
            goingOnFrom: RecoveredRecord(record, isOfThisBoot: true),
            at: .start
        )
        #expect(model.record.automatic == record.automatic)
        #expect(model.nextDeadline == Moment.after(.seconds(100)).instant)
        model.light = .of(99)
        _ = try model.execute(
            Command(.tick),
            leaseID: { .number(1) },
            connectivity: { _, _ in .unknown },
            at: .after(.seconds(100))
        )
        #expect(model.baseline == .at(0.6))
        #expect(model.record.automatic == AutomaticRecord(isEnabled: true, lessons: [lesson]))
    }
}

extension Ambient {
    static func of(_ lux: Double?, source: Source = .sensor) -> Ambient {
        Ambient(
            source: source,
            illuminance: lux.map { .of($0) },
            level: nil,
            appearance: .day,
            sensors: [],
            at: Moment.start.wall
        )
    }
}
