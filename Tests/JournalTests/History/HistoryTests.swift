// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct HistoryTests {
    @Test(arguments: [[], [1], [0, 1, 2, 3]])
    func `a point is what was in force, whether it is written yet or not`(commits: Set<Int>) throws {
        let bench = try HistoryBench()
        for (index, fraction) in [0.2, 0.4, 0.6].enumerated() {
            bench.pass(.seconds(10))
            bench.show(fraction, baseline: fraction / 2, by: "\(index)")
            if commits.contains(index) { try bench.commit() }
        }
        bench.pass(.seconds(5))
        let history = try bench.read(from: .seconds(-30), to: .seconds(10), step: 5)
        #expect(history.fractions == [nil, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, nil, nil])
        #expect(history.points.map(\.baseline?.fraction) == [nil, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3, nil, nil])
        #expect(history.points.map(\.at.milliseconds) == Array(bench.seconds(from: -30, through: 10, by: 5)))
        #expect(history.causes.map(\.by) == ["0", "1", "2"])
        #expect(history.causes.map(\.at.milliseconds) == Array(bench.seconds(from: -25, through: -5, by: 10)))
        // Only what happened in it.
        #expect(try bench.read(from: .seconds(-14), to: .seconds(-2), step: 1).causes.map(\.by) == ["2"])
    }

    @Test func `of each step the last cause is told`() throws {
        let bench = try HistoryBench()
        for index in 0..<20 {
            bench.pass(.seconds(2))
            bench.show(0.1 + Double(index) / 100, by: "\(index)")
        }
        #expect(try bench.read(from: .seconds(-20), step: 10).causes.map(\.by) == ["9", "14", "19"])
    }

    @Test func `what tells nothing new is no sample`() throws {
        let bench = try HistoryBench()
        for _ in 0..<10 {
            bench.show(0.5, by: "maria")
            bench.pass(.seconds(5))
        }
        try bench.commit()
        #expect(try bench.dates().count == 1)
        #expect(bench.memory.isWritten)
    }

    @Test func `a display that does not answer is not known, its baseline is`() throws {
        let bench = try HistoryBench()
        bench.show(0.5)
        bench.pass(.seconds(5))
        bench.show(0.5, .connected, isAvailable: false)
        bench.pass(.seconds(5))
        bench.show(0.5, .connected)
        let history = try bench.read(from: .seconds(-10), step: 5)
        #expect(history.fractions == [0.5, nil, 0.5])
        #expect(history.points.map(\.baseline?.fraction) == [0.5, 0.5, 0.5])
    }

    @Test(arguments: [true, false])
    func `nothing is known of a display that was withdrawn, and nothing of it stays in memory`(isTold: Bool) throws {
        let bench = try HistoryBench()
        bench.grant(bench.lease("a", by: "kiosk"))
        bench.pass(.seconds(5))
        bench.forget()
        bench.take(isTold ? [.display(HistoryBench.display, .removed, at: Revision(1))] : [], isWhole: isTold)
        bench.pass(.seconds(5))
        #expect(!bench.memory.samples.isEmpty)
        try bench.commit()
        #expect(bench.memory.samples.isEmpty && bench.memory.intervals.isEmpty)
        let history = try bench.read(from: .seconds(-10), step: 5)
        #expect(history.fractions == [1, nil, nil])
        #expect(history.boosts.map(\.to) == [bench.now.wall + .seconds(-5)])
    }

    @Test func `withdrawn displays stay in memory only up to a limit while nothing can be written`() throws {
        let bench = try HistoryBench()
        for number in 0...(HistoryMemory.withdrawnLimit + 10) {
            let id = try #require(DisplayID("hall:\(number)"))
            bench.show(0.5, on: id)
            bench.take([.display(id, .removed, at: Revision(1))])
        }
        #expect(bench.memory.samples.count == HistoryMemory.withdrawnLimit)
    }

    @Test func `nothing is known while the daemon does not run`() throws {
        let bench = try HistoryBench()
        bench.show(0.5)
        bench.pass(.seconds(10))
        try bench.stop()
        bench.pass(.seconds(20))
        try bench.crash()
        bench.show(0.7, .connected)
        bench.pass(.seconds(5))
        #expect(try bench.read(from: .seconds(-35), step: 5).fractions == [0.5, 0.5, nil, nil, nil, nil, 0.7, 0.7])
    }

    @Test(arguments: [(false, [0.5, 0.5, 0.5, 0.7]), (true, [0.5, nil, nil, 0.7])])
    func `after a crash the display kept what it showed, unless the machine went down`(
        isMachine: Bool,
        fractions: [Double?]
    ) throws {
        let bench = try HistoryBench()
        bench.show(0.5)
        try bench.commit()
        bench.pass(.seconds(10))
        bench.show(0.6)
        bench.pass(.seconds(20))
        try bench.crash()
        if isMachine { bench.boot = bench.now.wall }
        bench.show(0.7, .recovered)
        #expect(try bench.read(from: .seconds(-30), step: 10).fractions == fractions)
    }

    @Test func `a crash costs nothing that was written`() throws {
        let bench = try HistoryBench()
        bench.show(0.5)
        try bench.commit()
        bench.pass(.seconds(10))
        bench.show(0.6)
        try bench.crash()
        bench.pass(.seconds(10))
        #expect(try bench.read(from: .seconds(-20), step: 10).fractions == [0.5, 0.5, 0.5])
    }

    @Test func `each display has a past of its own`() throws {
        let bench = try HistoryBench()
        bench.show(0.5)
        bench.show(0.9, on: DisplayID("b")!)
        try bench.commit()
        bench.show(0.8, on: DisplayID("b")!)
        #expect(try bench.current() == 0.5)
    }

    @Test func `a disk that is full costs the oldest samples`() throws {
        let bench = try HistoryBench()
        for index in 0..<SampleTrack.limit + 10 {
            bench.pass(.seconds(1))
            bench.show(Double(index % 7) / 10, by: "\(index)")
        }
        #expect(bench.memory.samples[.display(HistoryBench.display)]?.dated(at: bench.now).count == SampleTrack.limit)
        let history = try bench.read(from: .seconds(-1), step: 1)
        #expect(history.causes.last?.by == "\(SampleTrack.limit + 9)")
    }

    @Test func `a second has two samples at most, the last is one of them`() throws {
        let bench = try HistoryBench()
        for index in 0..<100 {
            bench.show(Double(index) / 100)
            bench.pass(.milliseconds(100))
        }
        let dated = try #require(bench.memory.samples[.display(HistoryBench.display)]?.dated(at: bench.now))
        #expect((10...20).contains(dated.count))
        #expect(dated.last?.sample.brightness?.fraction == 0.99)
    }
}

extension HistoryBench {
    func seconds(from: Int64, through: Int64, by: Int64) -> some Sequence<Int64> {
        stride(from: from, through: through, by: Int(by)).map { now.wall.milliseconds + $0 * 1_000 }
    }
}
