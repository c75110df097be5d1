// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct PowerTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30, isSwitchable: true) }

    private var power: DisplayState.Power { fixture.state.power }

    @Test func `a power command switches the panel once, and is reported`() throws {
        #expect(power == .init(isOn: true, baseline: true, isSwitchable: true))
        try fixture.perform(.setPower(true))
        #expect(fixture.panel.switches == [])
        try fixture.perform(.setPower(false))
        try fixture.perform(.setPower(false))
        #expect(fixture.panel.switches == [false])
        #expect(power == .init(isOn: false, baseline: false, isSwitchable: true))
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.cause.kind == .api)
        #expect(fixture.state.limits == [.power])
        try fixture.perform(.setPower(true))
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.state.limits == [])
    }

    @Test(arguments: [Command.Action.setPower(false), .setPower(true), .lease(.sleep, by: "a")])
    func `a panel that cannot be switched rejects power commands and sleeps, and grants a wake`(
        action: Command.Action
    ) throws {
        let fixture = try DisplayServiceFixture(showing: 30)
        #expect(throws: CommandError.notSwitchable) { try fixture.perform(action) }
        try fixture.perform(.lease(.wake, by: "a"))
        #expect(fixture.state.wake?.count == 1)
        #expect(fixture.panel.switches == [])
    }

    @Test func `a panel that is off is not written, and gets its target when it is on`() throws {
        try fixture.perform(.lease(.sleep, by: "a"))
        try fixture.perform(.set(0.7))
        try fixture.perform(.boost(0.9, by: "b"))
        #expect(fixture.state.brightness == .at(0.9))
        #expect(fixture.state.limits(on: .boost) == [.sleep])
        #expect(fixture.panel.writes == [])
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.panel.writes == [90])
    }

    @Test func `a failed switch is tried again if its result cannot be read any more`() {
        var power = PowerModel(of: fixture.panel, isOn: true, goingOnFrom: nil)
        power.set(false)
        power.switched(to: false, at: Moment.start.instant)
        power.switchFailed(to: true, isReadable: true, at: Moment.start.instant)
        let leases = LeaseTable(display: .left).effect
        #expect(!power.isPending(leases))
        _ = power.observe(nil, isReturning: false)
        #expect(power.isPending(leases))
    }

    @Test func `a transition ends in the dark`() throws {
        try fixture.perform(.set(0.9), in: .seconds(10))
        let shown = fixture.panel.step
        try fixture.perform(.lease(.sleep, by: "a", for: .seconds(60)), at: .after(.seconds(1)))
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.panel.step < 90 && fixture.panel.step >= shown)
        try fixture.perform(.tick, at: .after(.seconds(61)))
        #expect(fixture.panel.step == 90)
    }

    @Test(arguments: [LeaseChange.released, .expired, .disconnected])
    func `the end of a sleep switches the panel on`(change: LeaseChange) throws {
        let lifespan: LeaseLifespan = change == .disconnected ? .visible : .custom
        try fixture.perform(.grant(LeaseRequest(.sleep, lifespan: lifespan, ttl: .seconds(60), holder: "a")))
        #expect(power.isOn == false)
        #expect(fixture.state.cause.kind == .sleep)
        switch change {
        case .released: try fixture.perform(.release(.number(1)))
        case .disconnected: try fixture.perform(.tick, at: .after(.seconds(10)))
        default: try fixture.perform(.tick, at: .after(.seconds(60)))
        }
        #expect(fixture.posted.compactMap(\.leaseEvent?.change) == [.granted, change])
        #expect(power.isOn == true)
        #expect(fixture.panel.switches == [false, true])
    }

    @Test func `a wake wins over every sleep, and over the baseline`() throws {
        try fixture.perform(.setPower(false))
        try fixture.perform(.lease(.sleep, by: "a"))
        try fixture.perform(.lease(.wake, by: "b"))
        #expect(power.isOn == true)
        #expect(fixture.state.limits(on: .sleep) == [.wake])
        try fixture.perform(.restore(holder: "b"))
        #expect(power.isOn == false)
        try fixture.perform(.restore(holder: "a"))
        #expect(power.isOn == false)
        #expect(fixture.panel.switches == [false, true, false])
    }

    @Test(arguments: [true, false])
    func `a power command overrides the wakes and sleeps in force, and not later ones`(isOn: Bool) throws {
        try fixture.perform(.lease(isOn ? .sleep : .wake, by: "a"))
        try fixture.perform(.setPower(isOn))
        #expect(power.isOn == isOn)
        #expect((isOn ? fixture.state.sleep : fixture.state.wake)?.isOverridden == true)
        // The renewal of an overridden lease is overridden.
        try fixture.perform(.lease(isOn ? .sleep : .wake, by: "a"))
        #expect(power.isOn == isOn)
        try fixture.perform(.lease(isOn ? .sleep : .wake, by: "b"))
        #expect(power.isOn == !isOn)
        try fixture.perform(.restore(holder: "b"))
        #expect(power.isOn == isOn)
    }

    @Test func `a change by others is reported, overrides wakes, and stays until the next power lease`() throws {
        try fixture.perform(.lease(.wake, by: "a"))
        fixture.panel.isOn = false
        try fixture.perform(.refresh())
        #expect(power == .init(isOn: false, baseline: true, isSwitchable: true))
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.cause.kind == .external)
        #expect(fixture.state.wake?.isOverridden == true)
        let overridden = try #require(fixture.posted.compactMap(\.leaseEvent).last)
        #expect(overridden.change == .renewed && overridden.lease.isOverridden)
        try fixture.perform(.set(0.8))
        try fixture.perform(.boost(by: "b"))
        try fixture.perform(.restore(holder: "a"))
        #expect(power.isOn == false)
        #expect(fixture.panel.switches == [])
        try fixture.perform(.lease(.wake, by: "a"))
        #expect(power.isOn == true)
        #expect(fixture.panel.step == 100)
    }

    @Test(arguments: [Command.Action.setPower(false), .lease(.sleep, by: "a")])
    func `a person who switches the panel on sets the power baseline`(action: Command.Action) throws {
        try fixture.perform(action)
        fixture.panel.isOn = true
        try fixture.perform(.refresh())
        #expect(power == .init(isOn: true, baseline: true, isSwitchable: true))
        #expect(fixture.state.cause.kind == .external)
        // Neither a sleep that ends nor one that follows changes it.
        try fixture.perform(.restore(holder: "a"))
        try fixture.perform(.lease(.sleep, by: "b"))
        #expect(power.isOn == false)
        try fixture.perform(.restore(holder: "b"))
        #expect(power == .init(isOn: true, baseline: true, isSwitchable: true))
    }

    @Test func `a program that blanks the panel does not set the power baseline`() throws {
        fixture.panel.isOn = false
        try fixture.perform(.refresh())
        #expect(power.baseline)
        fixture.panel.isOn = true
        try fixture.perform(.refresh())
        #expect(power == .init(isOn: true, baseline: true, isSwitchable: true))
        #expect(fixture.panel.switches == [])
    }

    @Test func `a panel that is back and stays off is connected`() throws {
        try fixture.perform(.setPower(false))
        fixture.panel.failReads(.gone)
        try fixture.perform(.refresh())
        #expect(fixture.state.cause.kind == .lost)
        // It shows a picture when it is back.
        fixture.panel.isOn = true
        try fixture.perform(.refresh(), at: .after(.seconds(5)))
        #expect(fixture.panel.switches == [false, false])
        #expect(fixture.state.isAvailable && power.isOn == false)
        #expect(fixture.state.cause.kind == .connected)
    }

    /// Otherwise a person's return to a previous step would pass for the daemon's own.
    @Test func `a step that others set in the dark replaces the last write`() throws {
        try fixture.perform(.set(0.4))
        try fixture.perform(.lease(.sleep, by: "a"))
        try fixture.perform(.set(0.7))
        fixture.panel.step = 70
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.writes == [40])
        fixture.panel.step = 40
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.4))
    }

    @Test func `a switch that fails fails its command, and a pending one is retried`() throws {
        fixture.panel.failSwitches(.refused)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.lease(.sleep, by: "a")) }
        // Until it is read again, the panel may be off.
        #expect(fixture.state.sleep == nil && power.isOn == true && !fixture.state.isAvailable)
        try fixture.perform(.lease(.sleep, by: "a"))
        fixture.panel.failSwitches(.refused, times: 2)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.state.sleep == nil && power.isOn == false && !fixture.state.isAvailable)
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(!fixture.state.isAvailable)
        try fixture.perform(.tick, at: .after(.seconds(3)))
        #expect(power.isOn == true && fixture.state.isAvailable)
    }

    @Test func `a failed switch that reached the panel is not a change by others`() throws {
        fixture.panel.failSwitches(.refused, takingPower: true)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.lease(.sleep, by: "a")) }
        #expect(fixture.panel.isOn == false)
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.panel.isOn && power.isOn == true && fixture.state.isAvailable)
    }

    @Test func `the panel's budget of writes does not prevent switching it on`() throws {
        try fixture.perform(.lease(.sleep, by: "a"))
        fixture.panel.demandRefusal = .worn(limit: 1)
        #expect(throws: CommandError.panel(.worn(limit: 1))) {
            try fixture.perform(.setPower(true))
            try fixture.perform(.setPower(false))
        }
        #expect(power.isOn == true)
    }

    @Test func `a command that is rejected for the budget does not delay a switch of the same batch`() throws {
        try fixture.perform(.setPower(false))
        try fixture.perform(.lease(.wake, by: "a"))
        fixture.panel.demandRefusal = .worn(limit: 1)
        let results = fixture.submit(.restore(holder: "a"), .boost(by: "b"))
        fixture.queue.runAll()
        #expect(results.all.map { (try? $0.get()) != nil } == [true, false])
        #expect(fixture.panel.switches == [false, true, false])
        #expect(power.isOn == false && fixture.state.isAvailable)
    }
}
