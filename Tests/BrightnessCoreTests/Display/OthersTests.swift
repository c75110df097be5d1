// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

/// Changes by another program or a person at the panel: `.external`.
@Suite(.timeLimit(.minutes(10)))
struct OthersTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test func `a step set by others becomes the baseline`() throws {
        fixture.panel.step = 60
        try fixture.perform(.refresh(), at: .after(.seconds(5)))
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.state.brightness == .at(0.6))
        #expect(fixture.state.step == 60)
        #expect(fixture.state.cause == Cause(.external, at: Moment.after(.seconds(5)).wall))
        #expect(fixture.panel.writes == [])
        #expect(fixture.posted == [.state(fixture.state)])
    }

    @Test(arguments: [([Cause.Kind.hotkey], Cause.Kind.hotkey), ([.external, .hotkey, .external], .hotkey)])
    func `a change has the cause of the refresh that finds it`(looks: [Cause.Kind], reported: Cause.Kind) throws {
        fixture.panel.step = 60
        for kind in looks { _ = fixture.submit(.refresh(as: kind)) }
        fixture.queue.runAll()
        #expect(fixture.state.cause.kind == reported)
        let before = fixture.state
        try fixture.perform(.refresh(as: .simulator))
        #expect(fixture.state == before)
    }

    @Test func `an own write is not a change by others`() throws {
        for action in [Command.Action.set(0.5), .boost(by: "a"), .restoreAll(), .set(0.123)] {
            try fixture.perform(action)
            let before = fixture.state
            try fixture.perform(.refresh())
            #expect(fixture.state == before)
        }
    }

    @Test func `a step that the panel rounds is an own write`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, rounding: { $0 / 2 * 2 })
        try fixture.perform(.boost(0.95, by: "a"))
        #expect(fixture.panel.step == 94)
        let before = fixture.state
        try fixture.perform(.refresh())
        #expect(fixture.state == before)
        #expect(fixture.panel.writes == [95])
        fixture.panel.step = 50
        try fixture.perform(.refresh())
        #expect(fixture.state.boost?.isOverridden == true)
    }

    @Test func `a step that a failed write left is not a change by others`() throws {
        fixture.panel.failWrites(.refused, times: 2, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.boost(by: "a")) }
        fixture.panel.step = 100
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.3))
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a command applies on top of others' earlier changes`() throws {
        fixture.panel.step = 60
        try fixture.perform(.move(delta: 0.1))
        #expect(fixture.state.step == 70)
        fixture.panel.step = 40
        try fixture.perform(.boost(by: "a"))
        try fixture.perform(.restoreAll())
        #expect(fixture.panel.step == 40)
    }

    @Test func `a panel that is slow to read is read only on request`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, isCheapToRead: false)
        fixture.panel.step = 60
        try fixture.perform(.boost(by: "a"))
        try fixture.perform(.restoreAll())
        try fixture.perform(.tick)
        #expect(fixture.panel.reads == 1)
        #expect(fixture.panel.step == 30)
        fixture.panel.step = 60
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.panel.reads == 2)
    }

    @Test func `a person's change overrides a boost, and its end changes nothing`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.step = 20
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.2))
        #expect(fixture.state.brightness == .at(0.2))
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.state.boost?.count == 1)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.state.boost == nil)
        #expect(fixture.state.brightness == .at(0.2))
        #expect(fixture.panel.writes == [100])
    }

    @Test func `only the leases in force at a person's change are overridden, and their renewals`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.step = 20
        try fixture.perform(.refresh())
        try fixture.perform(.boost(0.9, by: "a"))
        try fixture.perform(.renew(.number(1), LeaseRenewal(ttl: .seconds(90))))
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.panel.writes == [100])
        try fixture.perform(.boost(0.8, by: "b"))
        #expect(fixture.state.boost?.isOverridden == false)
        #expect(fixture.state.boost?.count == 1)
        #expect(fixture.panel.writes == [100, 80])
        try fixture.perform(.restore(holder: "b"))
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.panel.writes == [100, 80, 20])
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.state.boost == nil)
        #expect(fixture.panel.writes == [100, 80, 20])
    }

    @Test func `a person's change overrides dims, and no wake`() throws {
        try fixture.perform(.lease(.dim, 0.1, by: "a"))
        try fixture.perform(.lease(.wake, by: "a"))
        #expect(fixture.panel.step == 10)
        #expect(fixture.state.limits == [.dim])
        fixture.panel.step = 60
        try fixture.perform(.refresh())
        #expect(fixture.state.dim?.isOverridden == true)
        #expect(fixture.state.wake?.isOverridden == false)
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.state.limits == [])
        try fixture.perform(.lease(.dim, 0.2, by: "b"))
        #expect(fixture.panel.step == 20)
        try fixture.perform(.restoreAll())
        #expect(fixture.panel.step == 60)
    }

    @Test func `a PUT during a dim moves the baseline and overrides nothing`() throws {
        try fixture.perform(.lease(.dim, 0.2, by: "a"))
        try fixture.perform(.set(0.9))
        #expect(fixture.state.brightness == .at(0.2))
        try fixture.perform(.move(delta: -0.1))
        #expect(fixture.state.baseline == .at(0.8))
        try fixture.perform(.boost(by: "b"))
        #expect(fixture.panel.step == 20)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 100)
    }

    @Test func `others may raise a boosted panel, too`() throws {
        try fixture.perform(.boost(0.5, by: "a"))
        fixture.panel.step = 80
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.state.baseline == .at(0.8))
        #expect(fixture.panel.writes == [50])
    }
}
