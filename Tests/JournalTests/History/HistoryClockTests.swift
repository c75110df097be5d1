// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct HistoryClockTests {
    @Test func `a machine that learns the time after its start has the right dates`() throws {
        let bench = try HistoryBench(at: Moment(instant: Moment.start.instant, wall: Timestamp(milliseconds: 0)))
        bench.show(0.3)
        bench.pass(.seconds(10))
        bench.show(0.4)
        bench.jump(.seconds(1_795_240_800))
        bench.pass(.seconds(10))
        try bench.commit()
        #expect(try bench.dates() == [1_795_240_800_000, 1_795_240_810_000])
    }

    @Test func `what was written under another date is written again under the right one`() throws {
        let bench = try HistoryBench()
        bench.show(0.3)
        bench.pass(.seconds(60))
        try bench.commit()
        bench.jump(.seconds(86_400))
        bench.pass(.seconds(60))
        bench.take([])
        try bench.commit()
        #expect(try bench.current() == 0.3)
        #expect(try bench.read(from: .seconds(-120), step: 60).fractions == [0.3, 0.3, 0.3])
    }

    @Test(arguments: [1, 10, 59])
    func `a clock that is put back a little does not change the order`(seconds: Int) throws {
        let bench = try HistoryBench()
        bench.show(0.3)
        try bench.commit()
        bench.jump(.seconds(-seconds))
        bench.show(0.4)
        try bench.commit()
        bench.show(0.5)
        bench.pass(.seconds(seconds + 1))
        #expect(try bench.current() == 0.5)
        try bench.commit()
        #expect(try bench.current() == 0.5)
        #expect(try bench.dates().count == 3)
    }

    @Test func `a clock that went back writes nothing for an hour, and is believed then`() throws {
        let bench = try HistoryBench()
        bench.show(0.3)
        try bench.commit()
        let dates = try bench.dates()
        bench.jump(.seconds(-30 * 86_400))
        for minute in 0..<60 {
            bench.show(Double(minute) / 100, by: "\(minute)")
            #expect(try bench.current() == Double(minute) / 100)
            try bench.commit()
            #expect(try bench.dates() == dates)
            bench.pass(.seconds(60))
        }
        try bench.commit()
        #expect(try #require(bench.dates().last) < dates[0])
        let history = try bench.read(from: .seconds(-59 * 60), step: 60)
        #expect(history.fractions == (1...59).map { Double($0) / 100 } + [0.59])
    }

    /// 300 days with a change an hour, written by an earlier run.
    private func year() throws -> (bench: HistoryBench, dates: [Int64]) {
        let bench = try HistoryBench()
        for hour in 0..<300 * 24 {
            bench.show(Double(hour % 100) / 100)
            bench.pass(.seconds(3_600))
            try bench.commit()
        }
        try bench.stop()
        bench.pass(.seconds(3_600))
        return (bench, try bench.dates())
    }

    @Test(arguments: [800, 100_000])
    func `a clock that is ahead at the start erases next to nothing, however often the daemon starts`(days: Int) throws
    {
        let (bench, dates) = try year()
        bench.jump(.seconds(days * 86_400))
        for start in 0..<5 {
            try bench.crash()
            bench.show(Double(start) / 10)
            bench.pass(.seconds(2))
            try bench.commit()
            bench.pass(.seconds(60))
            try bench.stop()
        }
        // Five minutes: 500 minutes of changes that are an hour apart come of age, and each stays.
        #expect(try bench.dates().prefix(dates.count) == dates[...])
        bench.pass(.seconds(3_600))
        bench.show(0.99)
        try bench.commit()
        #expect(try bench.dates().prefix(dates.count) == dates[...])
    }

    @Test func `a clock that is behind at the start erases nothing, and writes after an hour`() throws {
        let (bench, dates) = try year()
        bench.jump(.seconds(-400 * 86_400))
        try bench.crash()
        for minute in 0..<600 {
            bench.show(Double(minute % 50) / 100, by: "\(minute)")
            bench.pass(.seconds(60))
            try bench.commit()
            #expect(try bench.current() == Double(minute % 50) / 100)
        }
        #expect(try bench.dates().suffix(dates.count) == dates[...])
        #expect(try bench.dates().count > dates.count + 100)
        // The clock is put right: the past is as it was, and the present goes on behind it.
        bench.jump(.seconds(400 * 86_400))
        bench.show(0.77)
        bench.pass(.seconds(60))
        try bench.commit()
        #expect(try bench.current() == 0.77)
        let written = Set(try bench.dates())
        #expect(dates.allSatisfy { written.contains($0) })
    }

    @Test func `a history that lags behind a clock that was right all the time catches up`() throws {
        let (bench, dates) = try year()
        bench.pass(.seconds(100 * 86_400))
        try bench.crash()
        bench.show(0.5)
        for _ in 0..<25 {
            bench.pass(.seconds(3_600))
            bench.show(0.5, by: "\(bench.now.wall.milliseconds)")
            try bench.commit()
        }
        // What is older than a year by now is gone.
        let oldest = bench.now.wall.milliseconds - RetentionTier.oldest
        #expect(try bench.dates().dropFirst().allSatisfy { $0 > oldest })
        #expect(try bench.dates().count < dates.count)
    }
}
