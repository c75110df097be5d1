// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A screen dimmer saves the current step, dims, and later restores the saved step.
@Suite struct DimmerTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    private func others(set step: Int, as kind: Cause.Kind = .external, at now: Moment = .start) throws {
        fixture.panel.step = step
        try fixture.perform(.refresh(as: kind), at: now)
    }

    @Test func `a dimmer's restore ends the override, and the end of the boost restores the baseline`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        try others(set: 10)
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.state.baseline == .at(0.1))
        try others(set: 90)
        #expect(fixture.state.boost?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.brightness == .at(0.9))
        #expect(fixture.panel.writes == [90])
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 30)
    }

    @Test func `a dimmer's restore during a dim returns to the dim`() throws {
        try fixture.perform(.set(0.8))
        try fixture.perform(.lease(.dim, 0.2, by: "a"))
        try others(set: 5)
        try others(set: 20)
        #expect(fixture.state.dim?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.8))
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 80)
    }

    @Test func `a dimmer's restore reinstates only the leases that it has overridden`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        try others(set: 50, as: .hotkey)
        try fixture.perform(.boost(0.7, by: "b"))
        try others(set: 10)
        try others(set: 70)
        #expect(fixture.service.leases(of: .left)?.all.map(\.isOverridden) == [true, false])
        #expect(fixture.state.baseline == .at(0.5))
        #expect(fixture.panel.step == 70)
    }

    @Test func `a dimmer that dims and restores twice changes nothing`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        for step in [10, 90, 20, 90] { try others(set: step) }
        #expect(fixture.state.boost?.isOverridden == false)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 30)
    }

    @Test func `a dimmer restores a step that the panel stored although its write failed`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        try fixture.perform(.boost(0.6, by: "b"))
        fixture.panel.failWrites(.io(path: "/test", errno: 5), times: .max, takingStep: true)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 60)
        fixture.panel.heal()
        for step in [10, 60] { try others(set: step) }
        #expect(fixture.state.boost?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a restore after the end of the boost sets the baseline, not the boost`() throws {
        try fixture.perform(.boost(0.9, by: "a", for: .seconds(60)))
        try others(set: 10)
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(fixture.panel.step == 10)
        try others(set: 90, at: .after(.seconds(90)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a restore sets the current highest lease and the current baseline`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        try fixture.perform(.boost(0.7, by: "b"))
        try others(set: 10)
        try fixture.perform(.restore(holder: "a"))
        try fixture.perform(.set(0.5))
        #expect(fixture.panel.step == 50)
        try others(set: 90)
        #expect(fixture.panel.step == 70)
        #expect(fixture.state.baseline == .at(0.5))
    }

    @Test func `a dimmer may fade out`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        for step in [70, 40, 10, 90] { try others(set: step) }
        #expect(fixture.state.boost?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.3))
    }

    /// The ways in which a person reaches the step of the boost.
    @Test(arguments: [
        [(10, Cause.Kind.external), (50, .external), (90, .external)],
        [(10, .hotkey), (90, .external)],
        [(10, .external), (90, .hotkey)],
        [(10, .external), (20, .simulator), (90, .external)],
        [(95, .external), (90, .external)],
    ])
    func `a person who reaches the boost's step in other ways is not a dimmer`(changes: [(Int, Cause.Kind)]) throws {
        try fixture.perform(.boost(0.9, by: "a"))
        for (step, kind) in changes { try others(set: step, as: kind) }
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.state.baseline == .at(0.9))
        try fixture.perform(.restoreAll())
        #expect(fixture.panel.step == 90)
    }

    @Test func `the boost's step counts as a restore once, and only after a dim`() throws {
        try fixture.perform(.boost(0.9, by: "a"))
        try fixture.perform(.restoreAll())
        try others(set: 90)
        #expect(fixture.state.baseline == .at(0.9))
        try fixture.perform(.set(0.3))
        try fixture.perform(.boost(0.9, by: "a"))
        try others(set: 10)
        try others(set: 90)
        try fixture.perform(.restoreAll(), at: .after(.seconds(2)))
        try others(set: 90)
        #expect(fixture.state.baseline == .at(0.9))
    }

    @Test func `a panel that rounds is restored to the step that it reads back`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, rounding: { $0 / 2 * 2 })
        try fixture.perform(.boost(0.95, by: "a"))
        for step in [10, 94] {
            fixture.panel.step = step
            try fixture.perform(.refresh())
        }
        #expect(fixture.state.boost?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a dimmer's restore restores the hold of automatic brightness`() throws {
        let fixture = try DisplayServiceFixture(
            showing: 30,
            automatic: AutomaticRules(isOnByDefault: true, hold: .seconds(600))
        )
        try fixture.perform(.set(0.3))
        let held = fixture.state.automatic.heldUntil
        try fixture.perform(.boost(0.9, by: "a", for: .seconds(3_600)), at: .after(.seconds(100)))
        for (step, seconds) in [(10, 200), (90, 300)] {
            fixture.panel.step = step
            try fixture.perform(.refresh(), at: .after(.seconds(seconds)))
        }
        #expect(held == Moment.after(.seconds(600)).wall)
        #expect(fixture.state.automatic.heldUntil == held)
    }
}
