// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct ThinningTests {
    /// A year with a change every six hours, then eight days with a change every twenty seconds.
    /// The fixture commits every half hour, and after each change of the year.
    private final class Year {
        let fixture: HistoryFixture
        /// Every state and its start.
        private(set) var changes: [(at: Int64, fraction: Double)] = []

        init() throws {
            fixture = try HistoryFixture()
            try pass(days: 365, changingEvery: 21_600)
            try pass(days: 8, changingEvery: 20)
        }

        private func pass(days: Int, changingEvery seconds: Int) throws {
            var fraction = 0
            for index in 1...days * 86_400 / seconds {
                // The interval varies by a few milliseconds, and no fraction repeats the one before it.
                fixture.pass(.milliseconds(seconds * 1_000 + (index % 3 - 1) * 7))
                fraction = (fraction + 1 + index % 5) % 997
                changes.append((fixture.now.wall.milliseconds, Double(fraction) / 1_000))
                fixture.show(Double(fraction) / 1_000)
                if index * seconds % 1_800 == 0 { try fixture.commit() }
            }
        }

        func fraction(at time: Int64) -> Double? {
            var (low, high) = (0, changes.count)
            while low < high {
                let middle = (low + high) / 2
                if changes[middle].at <= time { low = middle + 1 } else { high = middle }
            }
            return low > 0 ? changes[low - 1].fraction : nil
        }

        /// The largest number of samples in one step; `from` and `to` are ages.
        func mostSamples(of step: Int64, from: Int64, to: Int64) throws -> Int {
            let now = fixture.now.wall.milliseconds
            let dates = try fixture.dates().filter { (now - from...now - to).contains($0) }
            return Dictionary(grouping: dates) { ($0 - 1) / step }.values.map(\.count).max() ?? 0
        }
    }

    @Test func `older samples are thinned to one per step, and the state at every step is still known`() throws {
        let year = try Year()
        let now = year.fixture.now.wall.milliseconds
        let (minute, hour, day) = (60_000 as Int64, 3_600_000 as Int64, 86_400_000 as Int64)

        #expect(try year.mostSamples(of: minute, from: 7 * day, to: hour + minute) == 1)
        #expect(try year.mostSamples(of: 15 * minute, from: 365 * day, to: 7 * day + 15 * minute) == 1)
        #expect(try #require(year.fixture.dates().dropFirst().first) > now - 365 * day)

        let store = try SampleTable(year.fixture.database)
        let display = Subject.display(HistoryFixture.display)
        for (age, step) in [(7 * day, minute), (365 * day - hour, 15 * minute)] {
            var wrong = 0
            let start = (now - age) / step * step + step
            for time in stride(from: start, through: now, by: Int(step)) {
                let kept = try store.sample(of: display, at: time)?.sample.brightness?.fraction
                if kept != year.fraction(at: time) { wrong += 1 }
            }
            #expect(wrong == 0, "of \(age / step) steps")
        }
        for (at, fraction) in year.changes.suffix(100) {
            #expect(try store.sample(of: display, at: at)?.sample.brightness?.fraction == fraction)
        }
    }

    @Test func `samples older than a year are deleted, except the one still in force`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.3)
        fixture.pass(.seconds(3_600))
        fixture.show(0.4)
        try fixture.commit()
        fixture.pass(.seconds(400 * 86_400))
        fixture.show(0.5)
        try fixture.commit()
        // A commit thins only the samples of earlier commits.
        #expect(try fixture.dates().count == 2)
        #expect(try fixture.read(from: .seconds(-86_400), step: 86_400).fractions == [0.4, 0.5])
    }

    @Test func `the history of a daemon that ran intermittently is thinned, too`() throws {
        let fixture = try HistoryFixture()
        for _ in 0..<10 {
            for index in 0..<120 {
                fixture.show(Double(index) / 120)
                fixture.pass(.seconds(10))
            }
            try fixture.stop()
            fixture.pass(.seconds(86_400))
            try fixture.crash()
        }
        fixture.show(0.5)
        fixture.pass(.seconds(60))
        try fixture.commit()
        // A day has 20 minutes: at most 22 samples in the last week, at most 3 before it; and there is the last sample.
        #expect(try fixture.dates().count < 7 * 22 + 3 * 3 + 1)
    }

    @Test func `a wrong clock does not damage the history`() throws {
        let fixture = try HistoryFixture()
        for index in 0..<600 {
            fixture.show(Double(index % 10) / 10)
            fixture.pass(.seconds(60))
        }
        try fixture.commit()
        let dates = try fixture.dates()
        fixture.jump(.seconds(4 * 365 * 86_400))
        for index in 0..<30 {
            fixture.show(Double(index % 10) / 10 + 0.01)
            fixture.pass(.seconds(60))
            try fixture.commit()
        }
        #expect(try fixture.dates().prefix(dates.count) == dates[...])
        fixture.jump(.seconds(-4 * 365 * 86_400))
        for index in 0..<90 {
            fixture.show(Double(index % 10) / 10 + 0.02)
            #expect(try fixture.current() == Double(index % 10) / 10 + 0.02)
            fixture.pass(.seconds(60))
            try fixture.commit()
        }
        // The samples and changes with a date in the future are deleted; those after the second jump have the current
        // date.
        #expect(try #require(fixture.dates().last) <= fixture.now.wall.milliseconds)
        let changes = try fixture.changes(ChangesQuery(nil, limit: 1_000))
        #expect(changes.count > 600 && changes.allSatisfy { $0.cause.at <= fixture.now.wall })
        let start = try #require(dates.first)
        #expect(try fixture.dates().first == start)
        #expect(try fixture.read(from: .seconds(-60 * 60), step: 60).fractions.dropFirst().allSatisfy { $0 != nil })
    }
}
