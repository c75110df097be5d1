// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Steps that differ from the written ones because of the daemon: never a change by others.
@Suite struct UnsurePanelTests {
    private let even: @Sendable (Int) -> Int = { $0 / 2 * 2 }

    @Test func `a panel that was not read after a write may round`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, isCheapToRead: false, rounding: even)
        try fixture.perform(.boost(0.83, by: "a"))
        try fixture.perform(.refresh())
        #expect(fixture.panel.step == 82)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost?.isOverridden == false)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 30)
    }

    @Test func `a panel that could not be read after a write may round`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, rounding: even)
        let panel = BusyPanel(panel: fixture.panel) { _ in fixture.panel.failReads(.refused) }
        let service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: ImmediateQueue())],
            poster: fixture.hub.poster,
            at: .start
        )
        service.submit(Command(.boost(0.83, by: "a")), to: .left, at: .start) { _ in }
        service.submit(Command(.refresh()), to: .left, at: .start) { _ in }
        #expect(service.state(of: .left)?.baseline == .at(0.3))
        #expect(service.state(of: .left)?.boost?.isOverridden == false)
    }

    @Test func `a step that the panel rounds and reports as rejected is not a change by others`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, rounding: even)
        fixture.panel.failWrites(.refused, times: 2, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.boost(0.83, by: "a")) }
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.3))
    }

    /// The panel rejects both the boost and the step instead of it, but accepts them.
    @Test func `the rejected step instead of a boost is not a change by others`() throws {
        let fixture = try DisplayServiceFixture(showing: 30)
        try fixture.perform(.boost(0.6, by: "a"))
        fixture.panel.failWrites(.refused, times: 2, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) {
            try fixture.perform(.boost(1, by: "b"), at: .after(.seconds(1)))
        }
        try fixture.perform(.refresh(), at: .after(.seconds(1)))
        #expect(fixture.panel.step == 60)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost?.isOverridden == false)
    }

    @Test func `the step of a panel that was gone is not a change by others, even with a demand in between`() throws {
        let fixture = try DisplayServiceFixture(showing: 30)
        fixture.panel.failReads(.refused)
        fixture.panel.failWrites(.refused, times: 2)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.set(0.5)) }
        fixture.panel.step = 77
        try fixture.perform(.tick, at: .after(.seconds(2)))
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }
}
