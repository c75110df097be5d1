// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The flashes of a panel of 100 steps.
@Suite(.timeLimit(.minutes(10)))
struct FlashLimitTests {
    private var limit = FlashLimit(showing: 50, of: 100)

    private mutating func show(_ steps: Int..., at milliseconds: Int = 0) {
        for step in steps { limit.showed(step, at: Moment.after(.milliseconds(milliseconds)).instant) }
    }

    @Test mutating func `three flashes are free, and the next one waits for the window after the first`() {
        show(0, 100, at: 0)
        show(0, 100, at: 300)
        show(0, at: 600)
        #expect(limit.start(to: 100) == nil)
        show(100, at: 700)
        #expect(limit.start(to: 0) == Moment.after(FlashLimit.window).instant)
        show(0, at: 1_100)
        // Two of the changes were made at once.
        #expect(limit.start(to: 100) == Moment.after(FlashLimit.window).instant)
        show(100, at: 1_100)
        #expect(limit.start(to: 0) == Moment.after(FlashLimit.window + .milliseconds(300)).instant)
    }

    @Test mutating func `a change that goes on in the same direction never waits`() {
        show(0, 100, 0, 100, 0, 40)
        #expect(limit.start(to: 90) == nil)
        show(90)
        #expect(limit.start(to: 100) == nil)
        #expect(limit.start(to: 70) != nil)
    }

    @Test(arguments: [(50, 41), (80, 99), (85, 100)])
    mutating func `small changes and those of a bright panel are no flashes`(dark: Int, bright: Int) {
        for _ in 0..<20 { show(dark, bright) }
        #expect(limit.start(to: dark) == nil)
        #expect(limit.start(to: bright) == nil)
    }

    @Test mutating func `small steps one way and back count by their distance`() {
        for _ in 0..<3 {
            for step in stride(from: 20, through: 40, by: 1) { show(step) }
            for step in stride(from: 40, through: 20, by: -1) { show(step) }
        }
        // The first of the six led from 50 to 20.
        #expect(limit.start(to: 40) != nil)
        #expect(limit.start(to: 29) == nil)
    }

    @Test mutating func `a limit that is lifted delays nothing`() {
        show(0, 100, 0, 100, 0, 100)
        limit.lift()
        #expect(limit.start(to: 0) == nil)
    }
}

/// Many clients, or one in haste: the panel shows the last value, and never more than three flashes in a second.
@Suite(.timeLimit(.minutes(10)))
struct FlashingTests {
    private func fixture(writesOnce: Bool = false, transition: Duration = .zero) throws -> DisplayServiceFixture {
        try DisplayServiceFixture(showing: 50, writesOnce: writesOnce, transition: transition, isSwitchable: true)
    }

    private func tick(_ fixture: DisplayServiceFixture, at milliseconds: Int) {
        fixture.service.tick(at: .after(.milliseconds(milliseconds)))
        fixture.queue.runAll()
    }

    @Test(arguments: [false, true])
    func `the newest of the changes that wait is shown when it may be`(writesOnce: Bool) throws {
        let fixture = try fixture(writesOnce: writesOnce)
        for level in [0, 1, 0, 1, 0, 1, 0, 0.5, 0.1] { try fixture.perform(.set(level)) }
        #expect(fixture.panel.writes == [0, 100, 0, 100, 0, 100])
        // Clients see the target at once, as in a transition.
        #expect(fixture.state.step == 10)
        tick(fixture, at: 1_099)
        #expect(fixture.panel.writes.count == 6)
        tick(fixture, at: 1_100)
        #expect(fixture.panel.writes.dropFirst(6) == [10])
    }

    @Test func `a client that does not stop causes three flashes in each second`() throws {
        let fixture = try fixture()
        var shown: [(step: Int, at: Int)] = []
        for millisecond in stride(from: 0, to: 10_000, by: 10) {
            try fixture.perform(.set(millisecond % 20 == 0 ? 0 : 1), at: .after(.milliseconds(millisecond)))
            tick(fixture, at: millisecond)
            if shown.last?.step != fixture.panel.step { shown.append((fixture.panel.step, millisecond)) }
        }
        for (index, change) in shown.enumerated() {
            #expect(shown[..<index].count { $0.at > change.at - 1_100 } < 6)
        }
        #expect(shown.count >= 50)
    }

    @Test func `a slider that is dragged down and up is written at each move`() throws {
        let fixture = try fixture()
        let moves = Array(stride(from: 49, to: 0, by: -1)) + Array(2..<100)
        for (index, step) in moves.enumerated() {
            try fixture.perform(.set(Double(step) / 100), at: .after(.milliseconds(index * 5)))
        }
        #expect(fixture.panel.writes == moves)
    }

    @Test func `switching counts, and waits as well`() throws {
        let fixture = try fixture()
        for isOn in [false, true, false, true] { try fixture.perform(.setPower(isOn)) }
        try fixture.perform(.set(0))
        try fixture.perform(.set(1))
        try fixture.perform(.setPower(false))
        #expect(fixture.panel.switches == [false, true, false, true])
        tick(fixture, at: 1_100)
        #expect(fixture.panel.switches == [false, true, false, true, false])
        #expect(fixture.state.power.isOn == false)
    }

    @Test func `the panel is restored at once when the daemon ends`() throws {
        let fixture = try fixture()
        try fixture.perform(.boost(1, by: "a"))
        for level in [0, 0.8, 0, 0.8, 0, 0.8] { try fixture.perform(.set(level), at: .start) }
        try fixture.perform(.restore(holder: "a"))
        for level in [0, 0.8, 0, 0.8, 0, 0.8, 0, 0.5] { try fixture.perform(.set(level)) }
        #expect(fixture.panel.step != 50)
        fixture.service.submitLast(Command(.restoreAll(), transition: .zero), to: .left, at: .start) {}
        fixture.queue.runAll()
        #expect(fixture.panel.step == 50)
    }
}
