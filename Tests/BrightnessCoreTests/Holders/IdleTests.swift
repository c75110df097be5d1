// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

struct IdleTests {
    private static let both = IdleRules(
        dim: .init(after: .seconds(60), brightness: .at(0.1)),
        sleepAfter: .seconds(300)
    )

    private let left = Situation.Display(id: .left, isSwitchable: true)
    private var idle = Idle(both, at: .start)

    private mutating func kinds(after seconds: Int, _ display: Situation.Display) -> [LeaseKind] {
        evaluate(after: seconds, display).wishes.compactMap(\.kind)
    }

    private mutating func evaluate(after seconds: Int, _ displays: Situation.Display...) -> Wanted {
        idle.evaluate(Situation(now: .after(.seconds(seconds)), isClockSet: true, displays: displays))
    }

    @Test mutating func `a display is dimmed and later switched off`() {
        #expect(kinds(after: 59, left) == [])
        #expect(kinds(after: 60, left) == [.dim])
        #expect(kinds(after: 300, left) == [.dim, .sleep])
    }

    @Test(arguments: [BrightnessCore.Notification.activity, .resumed])
    mutating func `activity and a machine that wakes begin the time again`(fact: BrightnessCore.Notification) {
        let before = evaluate(after: 300, left).wishes
        idle.receive(fact, at: .after(.seconds(301)))
        #expect(kinds(after: 360, left) == [])
        let after = evaluate(after: 361, left).wishes
        #expect(after.map(\.effect) == [.lease(.dim, .at(0.1))])
        #expect(after[0].episode != before[0].episode)
    }

    @Test mutating func `a display that cannot be switched is only dimmed`() {
        #expect(kinds(after: 300, .init(id: .left)) == [.dim])
    }

    @Test mutating func `a display that cannot be dimmed is only switched off`() {
        #expect(kinds(after: 300, .init(id: .left, isDimmable: false, isSwitchable: true)) == [.sleep])
    }

    @Test mutating func `a wish for a display with a boost or a wake in force is suspended`() {
        let busy = Situation.Display(id: .left, isSwitchable: true, isInUse: true)
        #expect(evaluate(after: 60, busy, .init(id: .right)).wishes.map(\.isSuspended) == [true, false])
    }

    @Test mutating func `the leases of an unplugged display are still wanted`() {
        #expect(kinds(after: 300, .init(id: .left, isPresent: false, isSwitchable: true)) == [.dim, .sleep])
    }

    @Test mutating func `the next evaluation is at the next rule`() {
        func next(_ wanted: Wanted) -> Duration? { wanted.next.map { $0 - Moment.start.instant } }
        #expect(next(evaluate(after: 0)) == .seconds(60))
        #expect(next(evaluate(after: 60)) == .seconds(300))
        #expect(next(evaluate(after: 300)) == nil)
        idle.receive(.activity, at: .after(.seconds(300)))
        #expect(next(evaluate(after: 300)) == .seconds(360))
    }
}
