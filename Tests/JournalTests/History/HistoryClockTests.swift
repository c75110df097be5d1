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
}
