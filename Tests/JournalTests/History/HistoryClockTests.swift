// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct HistoryClockTests {
    @Test func `the history ages at most a hundred seconds in a second of the daemon`() {
        var clock = HistoryClock()
        let (start, year) = (Moment.start, Duration.seconds(365 * 86_400))
        #expect(clock.thinningTime(at: start, after: 5_000) == 5_000)
        let ahead = Moment(instant: start.instant + .seconds(60), wall: start.wall + year)
        #expect(clock.thinningTime(at: ahead, after: 5_000) == 6_005_000)
        #expect(clock.thinningTime(at: ahead, after: ahead.wall.milliseconds - 1) == ahead.wall.milliseconds - 1)
    }

    @Test func `a machine that learns the time after its start has the right dates`() throws {
        let fixture = try HistoryFixture(at: Moment(instant: Moment.start.instant, wall: Timestamp(milliseconds: 0)))
        fixture.show(0.3)
        fixture.pass(.seconds(10))
        fixture.show(0.4)
        fixture.jump(.seconds(1_795_240_800))
        fixture.pass(.seconds(10))
        try fixture.commit()
        #expect(try fixture.dates() == [1_795_240_800_000, 1_795_240_810_000])
    }

    /// The clock is set by hours before and after a first state's change.
    @Test(arguments: [(5, 10, 0), (-15, 0, 1)])
    func `a first state is a change unless it is older than the start by the right clock`(
        before: Int,
        after: Int,
        count: Int
    ) throws {
        let fixture = try HistoryFixture()
        fixture.jump(.seconds(before * 3_600))
        let state = fixture.state(0.5, baseline: 0.5, .api, by: "maria")
        fixture.jump(.seconds(after * 3_600))
        fixture.record([.state(state)])
        #expect(try fixture.changes().count == count)
    }

    @Test func `samples with a wrong date are written again with the right one`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.3)
        fixture.pass(.seconds(60))
        try fixture.commit()
        fixture.jump(.seconds(86_400))
        fixture.pass(.seconds(60))
        fixture.record([])
        try fixture.commit()
        #expect(try fixture.current() == 0.3)
        #expect(try fixture.read(from: .seconds(-120), step: 60).fractions == [0.3, 0.3, 0.3])
    }

    @Test(arguments: [1, 10, 59])
    func `a clock that is set back slightly does not change the order`(seconds: Int) throws {
        let fixture = try HistoryFixture()
        fixture.show(0.3)
        try fixture.commit()
        fixture.jump(.seconds(-seconds))
        fixture.show(0.4)
        try fixture.commit()
        fixture.show(0.5)
        fixture.pass(.seconds(seconds + 1))
        #expect(try fixture.current() == 0.5)
        try fixture.commit()
        #expect(try fixture.current() == 0.5)
        #expect(try fixture.dates().count == 3)
    }

    @Test func `a clock that went back writes nothing for an hour, and is trusted then`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.3)
        try fixture.commit()
        let dates = try fixture.dates()
        fixture.jump(.seconds(-30 * 86_400))
        for minute in 0..<60 {
            fixture.show(Double(minute) / 100, by: "\(minute)")
            #expect(try fixture.current() == Double(minute) / 100)
            try fixture.commit()
            #expect(try fixture.dates() == dates)
            fixture.pass(.seconds(60))
        }
        try fixture.commit()
        #expect(try #require(fixture.dates().last) < dates[0])
        let history = try fixture.read(from: .seconds(-59 * 60), step: 60)
        #expect(history.fractions == (1...59).map { Double($0) / 100 } + [0.59])
    }

    @Test func `a restart of the machine is noticed once its clock is set, also after a read`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        try fixture.commit()
        fixture.pass(.seconds(10))
        fixture.jump(.seconds(-86_400))
        fixture.origin = fixture.now.instant
        try fixture.crash()
        fixture.show(0.7, .recovered)
        #expect(try fixture.current() == 0.7)
        fixture.jump(.seconds(86_400))
        fixture.pass(.seconds(10))
        #expect(try fixture.read(from: .seconds(-20), step: 5).fractions == [0.5, nil, 0.7, 0.7, 0.7])
    }

    /// 300 days with a change an hour, written by an earlier run.
    private func year() throws -> (fixture: HistoryFixture, dates: [Int64]) {
        let fixture = try HistoryFixture()
        for hour in 0..<300 * 24 {
            fixture.show(Double(hour % 100) / 100)
            fixture.pass(.seconds(3_600))
            try fixture.commit()
        }
        try fixture.stop()
        fixture.pass(.seconds(3_600))
        return (fixture, try fixture.dates())
    }

    @Test(arguments: [800, 100_000])
    func `a clock that is ahead at the start deletes almost nothing, however often the daemon starts`(days: Int) throws
    {
        let (fixture, dates) = try year()
        fixture.jump(.seconds(days * 86_400))
        for start in 0..<5 {
            try fixture.crash()
            fixture.show(Double(start) / 10)
            fixture.pass(.seconds(2))
            try fixture.commit()
            fixture.pass(.seconds(60))
            try fixture.stop()
        }
        // Five minutes: 500 minutes of changes that are an hour apart are thinned, and each stays.
        #expect(try fixture.dates().prefix(dates.count) == dates[...])
        fixture.pass(.seconds(3_600))
        fixture.show(0.99)
        try fixture.commit()
        #expect(try fixture.dates().prefix(dates.count) == dates[...])
    }

    @Test func `a clock that is behind at the start deletes nothing, and writes after an hour`() throws {
        let (fixture, dates) = try year()
        fixture.jump(.seconds(-400 * 86_400))
        try fixture.crash()
        for minute in 0..<600 {
            fixture.show(Double(minute % 50) / 100, by: "\(minute)")
            fixture.pass(.seconds(60))
            try fixture.commit()
            #expect(try fixture.current() == Double(minute % 50) / 100)
        }
        #expect(try fixture.dates().suffix(dates.count) == dates[...])
        #expect(try fixture.dates().count > dates.count + 100)
        // The clock is corrected: earlier samples are unchanged, and later ones follow them.
        fixture.jump(.seconds(400 * 86_400))
        fixture.show(0.77)
        fixture.pass(.seconds(60))
        try fixture.commit()
        #expect(try fixture.current() == 0.77)
        let written = Set(try fixture.dates())
        #expect(dates.allSatisfy { written.contains($0) })
    }

    @Test func `a history that lags behind a correct clock catches up`() throws {
        let (fixture, dates) = try year()
        fixture.pass(.seconds(100 * 86_400))
        try fixture.crash()
        fixture.show(0.5)
        for _ in 0..<25 {
            fixture.pass(.seconds(3_600))
            fixture.show(0.5, by: "\(fixture.now.wall.milliseconds)")
            try fixture.commit()
        }
        // Samples that are now older than a year are deleted.
        let oldest = fixture.now.wall.milliseconds - RetentionTier.oldest
        #expect(try fixture.dates().dropFirst().allSatisfy { $0 > oldest })
        #expect(try fixture.dates().count < dates.count)
    }
}
