// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CommandTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test(arguments: [
        (Command.Action.set(0.5), 50),
        (.set(.step(7)), 7),
        (.set(.step(0)), 0),
        (.set(.step(100)), 100),
        (.move(delta: 0.2), 50),
        (.move(delta: -0.001), 29),
    ])
    func `set changes the baseline and the panel`(action: Command.Action, step: Int) throws {
        let answer = try fixture.perform(action, at: .after(.seconds(5)))
        let cause = Cause(.api, by: "somebody", reason: "test", at: Moment.after(.seconds(5)).wall)
        #expect(answer.state == fixture.state)
        #expect(answer.events == [])
        #expect(fixture.state.step == step)
        #expect(abs(fixture.state.baseline.fraction - Double(step) / 100) < 1e-12)
        #expect(fixture.state.brightness == fixture.state.baseline)
        #expect(fixture.state.cause == cause)
        #expect(fixture.state.revision == Revision(2))
        #expect(fixture.panel.writes == [step])
        #expect(fixture.posted == [.state(fixture.state)])
    }

    @Test(arguments: [
        Command.Action.set(0.3), .set(.step(30)), .move(delta: 0), .restore(holder: nil), .restoreAll(), .tick,
        .refresh(),
    ])
    func `a command without effect makes no revision, no write and no notification`(action: Command.Action) throws {
        let before = fixture.state
        let answer = try fixture.perform(action, at: .after(.seconds(5)))
        #expect(answer.state == before)
        #expect(fixture.state == before)
        #expect(fixture.panel.writes == [])
        #expect(fixture.posted == [])
    }

    @Test func `the baseline keeps the exact fraction, whichever step shows it`() throws {
        try fixture.perform(.set(0.424))
        #expect(fixture.state.baseline == .at(0.424))
        #expect(fixture.state.step == 42)
        let before = fixture.state
        try fixture.perform(.set(0.423))
        #expect(fixture.state.revision == before.revision.next)
        #expect(fixture.panel.writes == [42])
    }

    @Test(arguments: [-1, 101, .max, .min])
    func `a step outside the panel's range is rejected`(step: Int) throws {
        let before = fixture.state
        #expect(throws: CommandError.outOfRange(before.range)) { try fixture.perform(.set(.step(step))) }
        #expect(fixture.state == before)
        #expect(fixture.posted == [])
    }

    @Test(arguments: [
        (Set([Revision(1)]), true),
        (Set([Revision(1), Revision(9)]), true),
        (Set([Revision(2)]), false),
        (Set<Revision>(), false),
    ])
    func `a command whose revision does not match changes nothing`(onlyAt: Set<Revision>, holds: Bool) throws {
        if holds {
            #expect(try fixture.perform(.set(0.5), onlyAt: onlyAt).state.step == 50)
        } else {
            #expect(throws: CommandError.otherRevision) { try fixture.perform(.set(0.5), onlyAt: onlyAt) }
            #expect(fixture.panel.writes == [])
            #expect(fixture.posted == [])
        }
    }

    @Test func `another program's unpublished change fails the condition`() throws {
        fixture.panel.step = 60
        #expect(throws: CommandError.otherRevision) { try fixture.perform(.set(0.5), onlyAt: [Revision(1)]) }
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.state.revision == Revision(2))
    }

    @Test func `a panel that was below the minimum is restored exactly`() throws {
        let fixture = try DisplayServiceFixture(showing: 3, guard: 10)
        try fixture.perform(.boost(by: "a"))
        try fixture.perform(.restoreAll())
        #expect(fixture.panel.writes == [100, 3])
        #expect(fixture.state.brightness == .at(0.03))
    }

    @Test func `no command requests a step below the minimum`() throws {
        let fixture = try DisplayServiceFixture(showing: 50, guard: 10)
        try fixture.perform(.set(0))
        try fixture.perform(.set(.step(0)))
        try fixture.perform(.move(delta: -1))
        try fixture.perform(.set(1))
        try fixture.perform(.set(.step(3)))
        #expect(fixture.panel.writes == [10, 100, 10])
    }
}
