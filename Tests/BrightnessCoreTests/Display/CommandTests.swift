// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct CommandTests {
    private let bench: Bench

    init() throws { bench = try Bench(showing: 30) }

    @Test(arguments: [
        (Command.Action.set(0.5), 50),
        (.set(.step(7)), 7),
        (.set(.step(0)), 0),
        (.set(.step(100)), 100),
        (.adjust(delta: 0.2), 50),
        (.adjust(delta: -0.001), 29),
    ])
    func `sets the baseline and the panel`(action: Command.Action, step: Int) throws {
        let answer = try bench.perform(action, at: .after(.seconds(5)))
        let cause = Cause(.api, by: "somebody", reason: "test", at: Moment.after(.seconds(5)).wall)
        #expect(answer.state == bench.state)
        #expect(answer.events == [])
        #expect(bench.state.step == step)
        #expect(abs(bench.state.baseline.fraction - Double(step) / 100) < 1e-12)
        #expect(bench.state.brightness == bench.state.baseline)
        #expect(bench.state.cause == cause)
        #expect(bench.state.revision == Revision(2))
        #expect(bench.panel.writes == [step])
        #expect(bench.posted == [.brightness(bench.state)])
    }

    @Test(arguments: [
        Command.Action.set(0.3), .set(.step(30)), .adjust(delta: 0), .restore(holder: nil), .restoreAll, .tick,
        .refresh(),
    ])
    func `what changes nothing makes no revision, no write and no notification`(action: Command.Action) throws {
        let before = bench.state
        let answer = try bench.perform(action, at: .after(.seconds(5)))
        #expect(answer.state == before)
        #expect(bench.state == before)
        #expect(bench.panel.writes == [])
        #expect(bench.posted == [])
    }

    @Test func `a fraction is kept as it was asked for, whatever step shows it`() throws {
        try bench.perform(.set(0.424))
        #expect(bench.state.baseline == .at(0.424))
        #expect(bench.state.step == 42)
        let before = bench.state
        try bench.perform(.set(0.423))
        #expect(bench.state.revision == before.revision.next)
        #expect(bench.panel.writes == [42])
    }

    @Test(arguments: [-1, 101, .max, .min])
    func `a step the panel does not have is refused`(step: Int) throws {
        let before = bench.state
        #expect(throws: CommandError.outOfRange(before.range)) { try bench.perform(.set(.step(step))) }
        #expect(bench.state == before)
        #expect(bench.posted == [])
    }

    @Test(arguments: [
        (Set([Revision(1)]), true),
        (Set([Revision(1), Revision(9)]), true),
        (Set([Revision(2)]), false),
        (Set<Revision>(), false),
    ])
    func `a condition on the revision holds or nothing is done`(onlyAt: Set<Revision>, holds: Bool) throws {
        if holds {
            #expect(try bench.perform(.set(0.5), onlyAt: onlyAt).state.step == 50)
        } else {
            #expect(throws: CommandError.otherRevision) { try bench.perform(.set(0.5), onlyAt: onlyAt) }
            #expect(bench.panel.writes == [])
            #expect(bench.posted == [])
        }
    }

    @Test func `a change by somebody else breaks the condition before anybody was told of it`() throws {
        bench.panel.step = 60
        #expect(throws: CommandError.otherRevision) { try bench.perform(.set(0.5), onlyAt: [Revision(1)]) }
        #expect(bench.state.baseline == .at(0.6))
        #expect(bench.state.revision == Revision(2))
    }

    @Test func `a panel found below the guard is put back as it was`() throws {
        let bench = try Bench(showing: 3, guard: 10)
        try bench.perform(.boost(by: "a"))
        try bench.perform(.restoreAll)
        #expect(bench.panel.writes == [100, 3])
        #expect(bench.state.brightness == .at(0.03))
    }

    @Test func `never asks for a step below the guard`() throws {
        let bench = try Bench(showing: 50, guard: 10)
        try bench.perform(.set(0))
        try bench.perform(.set(.step(0)))
        try bench.perform(.adjust(delta: -1))
        try bench.perform(.set(1))
        try bench.perform(.set(.step(3)))
        #expect(bench.panel.writes == [10, 100, 10])
    }
}
