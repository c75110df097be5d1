// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

@Suite struct WriteBudgetTests {
    private var budget = WriteBudget(limit: 3)

    @Test func `two writes are half a second apart`() {
        var budget = budget
        #expect(budget.delay(at: Moment.start.instant) == .zero)
        budget.wrote(at: .start)
        #expect(budget.delay(at: Moment.start.instant) == .milliseconds(500))
        #expect(budget.delay(at: Moment.after(.milliseconds(450)).instant) == .milliseconds(50))
        #expect(budget.delay(at: Moment.after(.milliseconds(500)).instant) == .zero)
        #expect(budget.delay(at: Moment.after(.seconds(5)).instant) == .zero)
    }

    @Test func `the budget of a day is limited and available again the next day`() {
        var budget = budget
        for count in 1...3 {
            #expect(!budget.isSpent(at: .start))
            budget.wrote(at: .start)
            #expect(budget.today(at: .start) == count)
        }
        #expect(budget.isSpent(at: .start))
        // Tests begin at six in the morning, UTC.
        #expect(budget.isSpent(at: .after(.seconds(17 * 3_600))))
        #expect(!budget.isSpent(at: .after(.seconds(18 * 3_600))))
        budget.wrote(at: .after(.seconds(18 * 3_600)))
        #expect(budget.today(at: .after(.seconds(18 * 3_600))) == 1)
    }

    @Test func `writes that restore the brightness count, too`() {
        var budget = budget
        for _ in 0..<5 { budget.wrote(at: .start) }
        #expect(budget.today(at: .start) == 5)
        #expect(budget.isSpent(at: .start))
    }

    @Test func `the writes of an earlier run count until the day is over`() {
        var budget = budget
        for _ in 0..<3 { budget.wrote(at: .start) }
        let next = WriteBudget(limit: 3, goingOnFrom: budget.writes)
        #expect(next.isSpent(at: .after(.seconds(60))))
        #expect(next.delay(at: Moment.start.instant) == .zero)
        #expect((next.isSpent(at: .after(.seconds(86_400))), next.today(at: .after(.seconds(86_400)))) == (false, 0))
    }
}
