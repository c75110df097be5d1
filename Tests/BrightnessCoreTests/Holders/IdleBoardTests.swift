// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct IdleBoardTests {
    private static let start = Moment.start.instant
    private static let both = IdleRules(
        dim: .init(after: .seconds(60), brightness: .at(0.1)),
        sleepAfter: .seconds(300)
    )

    private let left = IdleBoard.Display(id: .left, isSwitchable: true)
    private var board = IdleBoard(both, at: start)

    private mutating func evaluate(after seconds: Int, _ displays: IdleBoard.Display...) -> [IdleBoard.Action] {
        board.evaluate(at: Self.start + .seconds(seconds), displays: displays)
    }

    @Test mutating func `a display is dimmed and later switched off, each once`() {
        #expect(evaluate(after: 59, left) == [])
        #expect(evaluate(after: 60, left) == [.grant(.dim, on: .left)])
        #expect(evaluate(after: 61, left) == [])
        #expect(evaluate(after: 300, left) == [.grant(.sleep, on: .left)])
        #expect(evaluate(after: 9_999, left) == [])
    }

    @Test mutating func `activity ends the leases and begins the time again`() {
        _ = evaluate(after: 300, left)
        board.take(activityAt: Self.start + .seconds(301))
        #expect(evaluate(after: 301, left) == [.end(on: .left)])
        #expect(evaluate(after: 360, left) == [])
        #expect(evaluate(after: 361, left) == [.grant(.dim, on: .left)])
    }

    @Test mutating func `activity that is noticed late ends the leases before they are granted again`() {
        _ = evaluate(after: 60, left)
        board.take(activityAt: Self.start + .seconds(70))
        #expect(evaluate(after: 130, left) == [.end(on: .left), .grant(.dim, on: .left)])
    }

    @Test mutating func `an earlier activity that arrives late changes nothing`() {
        board.take(activityAt: Self.start + .seconds(50))
        board.take(activityAt: Self.start + .seconds(10))
        #expect(evaluate(after: 109, left) == [])
    }

    @Test mutating func `a display that cannot be switched is only dimmed`() {
        #expect(evaluate(after: 300, .init(id: .left)) == [.grant(.dim, on: .left)])
    }

    @Test mutating func `a display with a boost or a wake in force is not held, and is held again without it`() {
        let busy = IdleBoard.Display(id: .left, isSwitchable: true, isInUse: true)
        #expect(evaluate(after: 60, busy, .init(id: .right)) == [.grant(.dim, on: .right)])
        #expect(evaluate(after: 61, left) == [.grant(.dim, on: .left)])
        #expect(evaluate(after: 62, busy) == [.end(on: .left)])
    }

    @Test mutating func `an unplugged display gets its leases when it is back, and loses them while it is away`() {
        let away = IdleBoard.Display(id: .left, isPresent: false, isSwitchable: true)
        #expect(evaluate(after: 60, away) == [])
        #expect(evaluate(after: 61, left) == [.grant(.dim, on: .left)])
        board.take(activityAt: Self.start + .seconds(62))
        #expect(evaluate(after: 62, away) == [.end(on: .left)])
    }

    @Test mutating func `a refused lease is granted again`() {
        _ = evaluate(after: 60, left)
        board.forget(.dim, on: .left)
        #expect(evaluate(after: 90, left) == [.grant(.dim, on: .left)])
    }

    @Test mutating func `the next deadline is that of the next rule`() {
        func deadline(after seconds: Int) -> Instant? { board.nextDeadline(after: Self.start + .seconds(seconds)) }
        #expect(deadline(after: 0) == Self.start + .seconds(60))
        #expect(deadline(after: 60) == Self.start + .seconds(300))
        #expect(deadline(after: 300) == nil)
        board.take(activityAt: Self.start + .seconds(300))
        #expect(deadline(after: 300) == Self.start + .seconds(360))
    }

    /// Any history of activity, boosts, and displays that come and go.
    @Test(arguments: 0..<200) mutating func `what is held is what the rule requires at that instant`(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var (second, active) = (0, 0)
        var held: Set<LeaseKind> = []
        var display = left
        for _ in 0..<200 {
            second += Int.random(in: 0...200, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                board.take(activityAt: Self.start + .seconds(second))
                active = second
            case 1: display.isInUse.toggle()
            case 2: display.isPresent.toggle()
            default: break
            }
            for action in evaluate(after: second, display) {
                switch action {
                case .grant(let kind, .left): #expect(held.insert(kind).inserted)
                case .end(.left): held = []
                case .grant, .end: Issue.record("another display")
                }
            }
            let isIdle = second - active >= 60
            if !isIdle || display.isInUse {
                #expect(held.isEmpty)
            } else if display.isPresent {
                #expect(held == (second - active >= 300 ? [.dim, .sleep] : [.dim]))
            }
        }
    }
}
