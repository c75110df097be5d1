// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

/// What another program or a person at the panel does: `.external`.
@Suite(.timeLimit(.minutes(1)))
struct OthersTests {
    private let bench: Bench

    init() throws { bench = try Bench(showing: 30) }

    @Test func `what others set becomes the baseline`() throws {
        bench.panel.step = 60
        try bench.perform(.refresh(), at: .after(.seconds(5)))
        #expect(bench.state.baseline == .at(0.6))
        #expect(bench.state.brightness == .at(0.6))
        #expect(bench.state.step == 60)
        #expect(bench.state.cause == Cause(.external, at: Moment.after(.seconds(5)).wall))
        #expect(bench.panel.writes == [])
        #expect(bench.posted == [.brightness(bench.state)])
    }

    @Test(arguments: [([Cause.Kind.hotkey], Cause.Kind.hotkey), ([.external, .hotkey, .external], .hotkey)])
    func `whoever says "look" says what it comes from`(looks: [Cause.Kind], told: Cause.Kind) throws {
        bench.panel.step = 60
        for kind in looks { _ = bench.submit(.refresh(as: kind)) }
        bench.queue.runAll()
        #expect(bench.state.cause.kind == told)
        let before = bench.state
        try bench.perform(.refresh(as: .simulator))
        #expect(bench.state == before)
    }

    @Test func `an own write is not taken for somebody else's`() throws {
        for action in [Command.Action.set(0.5), .boost(by: "a"), .restoreAll, .set(0.123)] {
            try bench.perform(action)
            let before = bench.state
            try bench.perform(.refresh())
            #expect(bench.state == before)
        }
    }

    @Test func `a step that the panel rounds is an own write all the same`() throws {
        let bench = try Bench(showing: 30, rounding: { $0 / 2 * 2 })
        try bench.perform(.boost(0.95, by: "a"))
        #expect(bench.panel.step == 94)
        let before = bench.state
        try bench.perform(.refresh())
        #expect(bench.state == before)
        #expect(bench.panel.writes == [95])
        bench.panel.step = 50
        try bench.perform(.refresh())
        #expect(bench.state.boost?.isOverridden == true)
    }

    @Test func `a step that a failed write left behind is nobody's wish`() throws {
        bench.panel.failWrites(.refused, times: 2, takingStep: true)
        #expect(throws: CommandError.panel(.refused)) { try bench.perform(.boost(by: "a")) }
        bench.panel.step = 100
        try bench.perform(.refresh())
        #expect(bench.state.baseline == .at(0.3))
        try bench.perform(.tick, at: .after(.seconds(1)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
    }

    @Test func `a command is measured by what others did before it`() throws {
        bench.panel.step = 60
        try bench.perform(.adjust(delta: 0.1))
        #expect(bench.state.step == 70)
        bench.panel.step = 40
        try bench.perform(.boost(by: "a"))
        try bench.perform(.restoreAll)
        #expect(bench.panel.step == 40)
    }

    @Test func `a panel that is dear to read is read only when asked`() throws {
        let bench = try Bench(showing: 30, isCheapToRead: false)
        bench.panel.step = 60
        try bench.perform(.boost(by: "a"))
        try bench.perform(.restoreAll)
        try bench.perform(.tick)
        #expect(bench.panel.reads == 1)
        #expect(bench.panel.step == 30)
        bench.panel.step = 60
        try bench.perform(.refresh())
        #expect(bench.state.baseline == .at(0.6))
        #expect(bench.panel.reads == 2)
    }

    @Test func `a person wins over a boost, and is not troubled by its end`() throws {
        try bench.perform(.boost(by: "a"))
        bench.panel.step = 20
        try bench.perform(.refresh())
        #expect(bench.state.baseline == .at(0.2))
        #expect(bench.state.brightness == .at(0.2))
        #expect(bench.state.boost?.isOverridden == true)
        #expect(bench.state.boost?.leases == 1)
        try bench.perform(.restore(holder: "a"))
        #expect(bench.state.boost == nil)
        #expect(bench.state.brightness == .at(0.2))
        #expect(bench.panel.writes == [100])
    }

    @Test func `stays overridden until the last lease has ended`() throws {
        try bench.perform(.boost(by: "a"))
        bench.panel.step = 20
        try bench.perform(.boost(by: "b"))
        try bench.perform(.boost(0.9, by: "a"))
        try bench.perform(.renew(.number(1), ttl: .seconds(90)))
        try bench.perform(.restore(holder: "a"))
        #expect(bench.state.boost?.isOverridden == true)
        #expect(bench.panel.writes == [100])
        try bench.perform(.tick, at: .after(.seconds(60)))
        #expect(bench.state.boost == nil)
        #expect(bench.panel.writes == [100])
        try bench.perform(.boost(by: "c"), at: .after(.seconds(60)))
        #expect(bench.state.boost?.isOverridden == false)
        #expect(bench.panel.writes == [100, 100])
    }

    @Test func `others may raise a boosted panel, too`() throws {
        try bench.perform(.boost(0.5, by: "a"))
        bench.panel.step = 80
        try bench.perform(.restore(holder: "a"))
        #expect(bench.state.baseline == .at(0.8))
        #expect(bench.panel.writes == [50])
    }
}
