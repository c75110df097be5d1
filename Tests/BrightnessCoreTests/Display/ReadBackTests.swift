// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

/// Changes by others between a write and its read-back.
@Suite struct ReadBackTests {
    private let exact: Desk

    init() throws { exact = try Desk() }

    @Test(arguments: [5, 28, 60, 99])
    func `a person's change right after the write of a boost overrides it`(step: Int) throws {
        exact.hands.append(step)
        exact.perform(.boost(1, by: "a"))
        #expect(exact.state.boost?.isOverridden == true)
        #expect(exact.state.baseline == .at(Double(step) / 100))
        #expect(exact.state.step == step)
        #expect(exact.state.cause.kind == .external)
        exact.perform(.restore(holder: "a"))
        #expect(exact.panel.step == step)
        #expect(exact.panel.writes == [100])
    }

    @Test func `a person's change right after a set wins, even by a single step`() throws {
        exact.hands.append(51)
        exact.perform(.set(0.5))
        #expect(exact.state.baseline == .at(0.51))
        exact.perform(.refresh())
        #expect(exact.state.baseline == .at(0.51))
        #expect(exact.panel.writes == [50])
    }

    @Test func `a person's change right after a step of a transition ends it`() throws {
        exact.perform(.set(0.9), in: .seconds(10))
        exact.hands.append(80)
        exact.perform(.tick, at: .after(.seconds(5)))
        let writes = exact.panel.writes
        exact.perform(.tick, at: .after(.seconds(10)))
        #expect(exact.panel.writes == writes)
        #expect(exact.panel.step == 80)
        #expect(exact.state.baseline == .at(0.8))
    }

    @Test func `a dimmer that restores right after a write gets the baseline`() throws {
        exact.perform(.boost(1, by: "a"))
        exact.panel.step = 10
        exact.perform(.refresh())
        exact.perform(.restore(holder: "a"))
        exact.hands.append(100)
        exact.perform(.set(0.4))
        #expect(exact.state.baseline == .at(0.4))
        #expect(exact.panel.step == 40)
    }

    @Test func `a panel that rounds by more than two steps twice is accepted`() throws {
        let quarters = try Desk(rounding: { $0 / 25 * 25 })
        quarters.perform(.boost(0.95, by: "a"))
        #expect(quarters.state.boost?.isOverridden == false)
        #expect(quarters.panel.writes == [95, 95])
        quarters.perform(.refresh())
        #expect(quarters.state.boost?.isOverridden == false)
        quarters.perform(.restore(holder: "a"))
        #expect(quarters.state.baseline == .at(0.3))
    }

    @Test func `a person's change right after the write of a panel that rounds is restored`() throws {
        let even = try Desk(rounding: { $0 / 2 * 2 })
        even.hands.append(60)
        even.perform(.boost(0.95, by: "a"))
        #expect(even.state.boost?.isOverridden == true)
        #expect(even.state.baseline == .at(0.6))
        #expect(even.panel.writes == [95, 95, 60])
        #expect(even.panel.step == 60)
    }

    @Test func `a failed write explains its own step and no other`() throws {
        exact.panel.failWrites(.refused, times: 2, takingStep: true)
        exact.perform(.boost(0.8, by: "a"))
        exact.panel.step = 81
        exact.perform(.refresh(), at: .after(.milliseconds(1)))
        #expect(exact.state.baseline == .at(0.81))
    }
}

/// A display of 100 steps at 30, whose steps others set right after its writes.
private final class Desk: Sendable {
    let panel: ScriptedPanel
    /// The step that others set right after the next write.
    let hands = Collected<Int>()
    private let hub = NotificationHub()
    private let service: DisplayService

    init(rounding: (@Sendable (Int) -> Int)? = nil) throws {
        let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 100)!, step: 30, rounding: rounding)
        let hands = hands
        let busy = BusyPanel(
            panel: panel,
            behind: { _ in
                guard let step = hands.all.first else { return }
                hands.removeAll()
                panel.step = step
            }
        )
        self.panel = panel
        service = try DisplayService(
            [DisplayService.PanelRegistration(busy, on: ImmediateQueue())],
            poster: hub.poster,
            at: .start
        )
    }

    var state: DisplayState { service.state(of: .left)! }

    func perform(_ action: Command.Action, in transition: Duration? = nil, at now: Moment = .start) {
        service.submit(Command(action, by: "somebody", transition: transition), to: .left, at: now) { _ in }
    }
}
