// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A monitor: its power cannot be read, and two switches are at least two seconds apart.
@Suite(.timeLimit(.minutes(10)))
struct SwitchIntervalTests {
    private let fixture: DisplayServiceFixture

    init() throws {
        fixture = try DisplayServiceFixture(
            showing: 30,
            isCheapToRead: false,
            isSwitchable: true,
            switchInterval: .seconds(2),
            canReadPower: false
        )
    }

    @Test func `only the last of several commands within the interval is carried out`() throws {
        for isOn in [false, true, false, true] { try fixture.perform(.setPower(isOn)) }
        #expect(fixture.panel.switches == [false])
        try fixture.perform(.tick, at: .after(.milliseconds(1_999)))
        #expect(fixture.panel.switches == [false])
        #expect(fixture.state.power.isOn == false)
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.state.power.isOn == true)
        #expect(fixture.panel.isOn)
    }

    @Test func `the pending switch has a deadline`() throws {
        try fixture.perform(.lease(.sleep, by: "a"))
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.switches == [false])
        fixture.service.tick(at: .after(.seconds(2)))
        fixture.queue.runAll()
        #expect(fixture.panel.switches == [false, true])
    }

    @Test func `a monitor is written two seconds after it was switched on`() throws {
        try fixture.perform(.lease(.sleep, by: "a"))
        try fixture.perform(.set(0.6))
        try fixture.perform(.restore(holder: "a"), at: .after(.seconds(5)))
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.panel.writes == [])
        fixture.service.tick(at: .after(.seconds(7)))
        fixture.queue.runAll()
        #expect(fixture.panel.writes == [60])
    }

    @Test func `a monitor that is off is not read`() throws {
        try fixture.perform(.setPower(false))
        let reads = fixture.panel.reads
        fixture.panel.failReads(.refused, times: .max)
        try fixture.perform(.refresh())
        #expect(fixture.panel.reads == reads)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a failed switch is repeated, since the state is unknown`() throws {
        fixture.panel.failSwitches(.refused)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.setPower(false)) }
        #expect(fixture.state.power.isOn == nil && fixture.state.power.baseline)
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.state.power.isOn == true && fixture.state.isAvailable)
    }

    @Test func `the last command switches a boosted monitor on and puts its baseline back`() throws {
        try fixture.perform(.boost(by: "b"))
        try fixture.perform(.lease(.sleep, by: "a"))
        _ = fixture.service.refuseCommands()
        fixture.service.submitLast(Command(.restoreAll()), to: .left, at: .start) {}
        fixture.queue.runAll()
        #expect(fixture.panel.switches == [false, true])
        #expect(fixture.panel.writes == [100, 30])
    }

    @Test func `the last command does not wait`() throws {
        try fixture.perform(.lease(.sleep, by: "a"))
        _ = fixture.service.refuseCommands()
        fixture.service.submitLast(Command(.restoreAll()), to: .left, at: .start) {}
        fixture.queue.runAll()
        #expect(fixture.panel.switches == [false, true])
    }
}
