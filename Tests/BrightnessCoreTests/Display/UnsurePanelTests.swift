// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Steps that a panel shows because of us, though not as it was told: never somebody else's wish.
@Suite struct UnsurePanelTests {
    private let even: @Sendable (Int) -> Int = { $0 / 2 * 2 }

    @Test func `a panel that is not asked after a write may round all the same`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, isCheapToRead: false, rounding: even)
        try fixture.perform(.boost(0.83, by: "a"))
        try fixture.perform(.refresh())
        #expect(fixture.panel.step == 82)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost?.isOverridden == false)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == 30)
    }

    @Test func `so may one that could not be asked after a write`() throws {
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

    @Test func `a step that it rounds and says it refused is not somebody's wish`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, rounding: even)
        fixture.panel.failWrites(.refused, times: 2, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.boost(0.83, by: "a")) }
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.3))
    }

    /// The boost is refused, and so is what should be there instead; the panel takes both.
    @Test func `nor is the one that should be there instead`() throws {
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

    @Test func `what a panel shows that was gone is nobody's wish, also when somebody asked for more meanwhile`() throws
    {
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
