// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The due steps of a transition over time.
@Suite struct TransitionTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let from: Int
        let to: Int
        let seconds: Double

        var testDescription: String { "\(from) to \(to) in \(seconds) s" }
    }

    private static let cases = [
        Case(from: 0, to: 100, seconds: 1),
        Case(from: 100, to: 0, seconds: 1),
        Case(from: 3, to: 4, seconds: 5),
        Case(from: 4, to: 2, seconds: 5),
        Case(from: 0, to: 120_000, seconds: 0.3),
        Case(from: 0, to: 1, seconds: 0.001),
        Case(from: 10, to: 20, seconds: 3_600),
        Case(from: 900, to: 17, seconds: 2.7),
    ]

    private struct Write: Equatable {
        let step: Int
        let at: Instant
    }

    /// The steps of a panel that is written `late` after each due time.
    private func writes(_ transition: Transition, late: Duration = .zero) -> [Write] {
        var transition = transition
        var writes: [Write] = []
        var shown = transition.from
        while shown != transition.to, writes.count < 1_000_000 {
            let now = transition.due + late
            shown = transition.step(at: now, showing: shown)
            transition.advance(showing: shown, at: now)
            writes.append(Write(step: shown, at: now))
        }
        return writes
    }

    private func transition(_ given: Case) -> Transition {
        Transition(
            from: given.from,
            to: given.to,
            in: .seconds(given.seconds),
            at: Moment.start.instant,
            of: BrightnessRange(maximum: 120_000)!
        )
    }

    @Test(arguments: cases)
    func `a transition begins at once, ends in time, and never goes back`(given: Case) throws {
        let writes = writes(transition(given))
        let (first, last) = try (#require(writes.first), #require(writes.last))
        #expect(first.at == Moment.start.instant)
        #expect(last.step == given.to)
        let steps = [given.from] + writes.map(\.step)
        #expect(zip(steps, steps.dropFirst()).allSatisfy { given.from < given.to ? $0 < $1 : $0 > $1 })
        let end = Moment.start.instant + .seconds(given.seconds)
        #expect(last.at <= max(end, first.at) + Transition.frame)
        if abs(given.to - given.from) > 1 { #expect(last.at >= end - .microseconds(1)) }
    }

    @Test(arguments: cases)
    func `two writes are at least a frame apart, and each changes the step`(given: Case) {
        let writes = writes(transition(given))
        #expect(zip(writes, writes.dropFirst()).allSatisfy { $1.at - $0.at >= Transition.frame })
        #expect(writes.count <= abs(given.to - given.from))
        #expect(writes.count <= Int(given.seconds * 60) + 2)
    }

    @Test func `a panel with few steps takes each of them once`() {
        let writes = writes(transition(Case(from: 0, to: 5, seconds: 4)))
        #expect(writes.map(\.step) == [1, 2, 3, 4, 5])
        // Fast at first: three quarters of the distance in half of the time.
        #expect(writes[3].at == Moment.start.instant + .seconds(2))
    }

    @Test func `a late write skips past steps`() throws {
        let writes = writes(transition(Case(from: 0, to: 100, seconds: 1)), late: .milliseconds(300))
        #expect(writes.count < 6)
        #expect(try #require(writes.last).step == 100)
    }

    @Test func `before a step is due the panel keeps its step`() {
        var transition = transition(Case(from: 0, to: 10, seconds: 10))
        #expect(transition.step(at: Moment.start.instant, showing: 0) == 1)
        transition.advance(showing: 1, at: Moment.start.instant)
        #expect(transition.step(at: transition.due - .nanoseconds(1), showing: 1) == 1)
        #expect(transition.step(at: transition.due, showing: 1) == 2)
    }

    @Test func `long after its end the transition is at its target`() {
        let transition = transition(Case(from: 0, to: 10, seconds: 10))
        #expect(transition.step(at: Moment.after(.seconds(86_400)).instant, showing: 0) == 10)
    }
}
