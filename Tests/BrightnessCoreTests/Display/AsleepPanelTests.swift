// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A sleeping panel gets its brightness when it is awake, and no write before.
@Suite(.timeLimit(.minutes(10)))
struct AsleepPanelTests {
    private let fixture: DisplayServiceFixture

    init() throws {
        fixture = try DisplayServiceFixture(showing: 30)
        fixture.panel.failReads(.asleep(path: "/test/bl_power"), times: .max)
        fixture.panel.failWrites(.asleep(path: "/test/bl_power"), times: .max)
        try fixture.perform(.refresh())
    }

    @Test func `a sleeping panel is unavailable`() {
        #expect(!fixture.state.isAvailable)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.cause.kind == .external)
    }

    @Test func `a sleeping panel is unavailable since it was noticed, not since the last try`() throws {
        #expect(fixture.state.unavailable == Unavailability(since: Moment.start.wall))
        try fixture.perform(.refresh(), at: .after(.seconds(60)))
        #expect(fixture.state.unavailable == Unavailability(since: Moment.start.wall))
        fixture.panel.heal()
        try fixture.perform(.refresh(), at: .after(.seconds(120)))
        #expect(fixture.state.unavailable == nil)
    }

    @Test func `a clock that is set corrects the time`() throws {
        let set = Moment(instant: Moment.after(.seconds(2)).instant, wall: Moment.after(.seconds(3_602)).wall)
        try fixture.perform(.clockSet, at: set)
        #expect(fixture.state.unavailable == Unavailability(since: Moment.after(.seconds(3_600)).wall))
    }

    @Test func `a panel that is switched on again was changed by another program`() throws {
        fixture.panel.heal()
        try fixture.perform(.refresh())
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.cause.kind == .external)
    }

    @Test(arguments: [Command.Action.set(0.5), .move(delta: 0.2), .boost(0.5, by: "a")])
    func `commands succeed, and are written when the panel is awake`(action: Command.Action) throws {
        try fixture.perform(action)
        #expect(fixture.state.brightness == .at(0.5))
        #expect(!fixture.state.isAvailable)
        #expect(fixture.panel.step == 30)
        fixture.panel.heal()
        fixture.panel.step = 100
        try fixture.perform(.refresh(as: .hotkey))
        #expect(fixture.panel.step == 50)
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.cause.kind == .external)
    }

    @Test func `a panel that is awake when its lease ends is available at once`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a monitor that sleeps when a rejected command is undone is written when it is awake`() throws {
        let monitor = ScriptedPanel(
            .left,
            range: BrightnessRange(maximum: 100)!,
            step: 60,
            isCheapToRead: false,
            writesOnce: true
        )
        let service = try DisplayService(
            [DisplayService.PanelRegistration(monitor, on: ImmediateQueue())],
            poster: NotificationHub().poster,
            at: .start
        )
        func perform(_ action: Command.Action, after seconds: Int) {
            service.submit(Command(action), to: .left, at: .after(.seconds(seconds))) { _ in }
        }
        perform(.lease(.dim, 0, by: "a", for: .seconds(10)), after: 0)
        #expect(monitor.step == 0)
        monitor.demandRefusal = .worn(limit: 1)
        monitor.failReads(.asleep(path: "/test"), times: .max)
        monitor.failWrites(.asleep(path: "/test"), times: .max)
        perform(.set(0.8), after: 20)
        monitor.heal()
        monitor.demandRefusal = nil
        // The monitor wakes with another brightness; nobody has set it.
        monitor.step = 28
        perform(.refresh(), after: 60)
        #expect(monitor.step == 60)
    }

    @Test func `a daemon starts with a sleeping panel`() throws {
        let service = try { () throws(DeviceError) in
            fixture.panel.failReads(.asleep(path: "/test/bl_power", step: 30), times: .max)
            return try DisplayService(
                [DisplayService.PanelRegistration(fixture.panel, on: ImmediateQueue())],
                poster: NotificationHub().poster,
                at: .start
            )
        }()
        // It may have been asleep before the daemon's start.
        #expect(service.state(of: .left)?.unavailable == Unavailability(since: Moment.start.wall, isAtLatest: true))
        #expect(service.state(of: .left)?.baseline == .at(0.3))
        fixture.panel.heal()
        service.submit(Command(.refresh()), to: .left, at: .start) { _ in }
        #expect(service.state(of: .left)?.isAvailable == true)
        #expect(fixture.panel.writes == [])
    }

    @Test func `a boost that ended during the sleep is not shown`() throws {
        try fixture.perform(.boost(by: "a"))
        try fixture.perform(.restore(holder: "a"))
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(.seconds(30)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a sleeping panel is retried after 1, 2, 4, 8, 16 and then every 30 seconds`() throws {
        var waited = Duration.zero
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            let reads = fixture.panel.reads
            waited += .seconds(pause)
            #expect(fixture.service.state(of: .left)?.isAvailable == false)
            try fixture.perform(.tick, at: .after(waited))
            #expect(fixture.panel.reads == reads + 1)
        }
        #expect(fixture.panel.writes == [])
    }
}
