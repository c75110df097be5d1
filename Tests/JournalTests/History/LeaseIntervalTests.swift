// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct LeaseIntervalTests {
    /// A history's boosts in words: who, from and to in seconds after the start, and how it ended.
    private func words(_ history: History) -> [String] {
        func seconds(_ time: Timestamp?) -> String {
            guard let time else { return "now" }
            return "\((time.milliseconds - Moment.start.wall.milliseconds) / 1_000)"
        }
        return history.boosts.map { interval in
            let end = interval.end.map { " \($0)" } ?? ""
            return "\(interval.holder ?? "anonymous") \(seconds(interval.from))-\(seconds(interval.to))\(end)"
        }
    }

    @Test(arguments: [false, true])
    func `a boost is an interval, whether it is written yet or not`(isWritten: Bool) throws {
        let bench = try HistoryBench()
        let first = bench.lease("1", by: "a", reason: "qr")
        bench.grant(first)
        if isWritten { try bench.commit() }
        bench.pass(.seconds(20))
        bench.grant(bench.lease("2"))
        bench.pass(.seconds(20))
        bench.end(first)
        if isWritten { try bench.commit() }
        bench.pass(.seconds(20))
        let history = try bench.read()
        #expect(words(history) == ["a 0-40 released", "anonymous 20-now"])
        #expect(history.boosts.map(\.reason) == ["qr", nil])
        // Only those that were in force then.
        #expect(words(try bench.read(from: .seconds(-55), to: .seconds(-45))) == ["a 0-40 released"])
        #expect(words(try bench.read(from: .seconds(-15), to: .seconds(-10))) == ["anonymous 20-now"])
        #expect(words(try bench.read(from: .seconds(-100), to: .seconds(-61))) == [])
    }

    @Test(arguments: [(LeaseChange.expired, "a 0-300 expired"), (.released, "a 0-301 released")])
    func `an end that came by itself has its own time`(change: LeaseChange, word: String) throws {
        let bench = try HistoryBench()
        let lease = bench.lease("1", by: "a")
        bench.grant(lease)
        bench.pass(.seconds(301))
        bench.end(lease, change)
        #expect(words(try bench.read()) == [word])
    }

    @Test func `a lease that was granted and released between two looks is an interval`() throws {
        let bench = try HistoryBench()
        let lease = bench.lease("1", by: "a")
        bench.pass(.seconds(1))
        bench.end(lease)
        #expect(words(try bench.read()) == ["a 0-1 released"])
    }

    @Test func `a storm of boosts of one holder is one interval`() throws {
        let bench = try HistoryBench()
        for index in 0..<3_000 {
            let lease = bench.lease("\(index)", by: "a")
            bench.grant(lease)
            bench.pass(.milliseconds(40))
            bench.end(lease)
            if index == 1_500 { try bench.commit() }
        }
        try bench.commit()
        // One a commit.
        #expect(words(try bench.read()) == ["a 0-60 released", "a 60-120 released"])
    }

    @Test func `a storm of holders costs so many intervals a commit`() throws {
        let bench = try HistoryBench()
        for minute in 0..<3 {
            for index in 0..<3_000 {
                let lease = bench.lease("\(minute)-\(index)", by: "\(minute)-\(index)")
                bench.grant(lease)
                bench.end(lease)
                bench.pass(.milliseconds(20))
            }
            for index in 0..<1_000 {
                bench.grant(bench.lease("\(minute)+\(index)", by: "\(minute)+\(index)", for: .seconds(86_400)))
            }
            try bench.commit()
            #expect(try bench.journalIntervals() <= (minute + 1) * 2 * LeaseIntervalTrack.limit)
        }
        #expect(try bench.read().boosts.count == History.boostLimit)
    }

    @Test func `a lease that goes on after a crash goes on as its interval`() throws {
        let bench = try HistoryBench()
        let lease = bench.lease("1", by: "a")
        bench.grant(lease)
        try bench.commit()
        try bench.crash()
        bench.pass(.seconds(30))
        bench.goOn()
        #expect(words(try bench.read()) == ["a 0-now"])
        bench.pass(.seconds(30))
        bench.end(lease)
        try bench.commit()
        #expect(words(try bench.read()) == ["a 0-60 released"])
        #expect(try bench.journalIntervals() == 1)
    }

    @Test func `an interval that a crash kept from being written is there if its lease goes on`() throws {
        let bench = try HistoryBench()
        bench.grant(bench.lease("1", by: "a"))
        try bench.crash()
        bench.pass(.seconds(30))
        bench.goOn()
        #expect(words(try bench.read()) == ["a 0-now"])
    }

    @Test(arguments: [(100, "a 0-100"), (400, "a 0-300")])
    func `an end that nobody saw is no later than the next start, and than its time`(seconds: Int, word: String) throws
    {
        let bench = try HistoryBench()
        let lease = bench.lease("1", by: "a")
        bench.grant(lease)
        try bench.commit()
        bench.lose(lease)
        bench.pass(.seconds(seconds))
        try bench.crash()
        bench.show(0.5, .recovered)
        bench.pass(.seconds(30))
        #expect(words(try bench.read()) == [word])
    }

    @Test func `what the mailbox forgot is looked up`() throws {
        let bench = try HistoryBench()
        let (lost, kept) = (bench.lease("1", by: "a"), bench.lease("2", by: "b"))
        bench.grant(lost)
        bench.pass(.seconds(10))
        bench.lose(lost)
        bench.keep(kept)
        bench.take([.brightness(bench.state(1, baseline: 0.5, .boost, by: "b"))], isWhole: false)
        #expect(words(try bench.read()) == ["a 0-10", "b 0-now"])
    }

    @Test func `the newest intervals stay`() throws {
        let bench = try HistoryBench()
        try bench.database.transaction { () throws(DatabaseError) in
            let store = try LeaseIntervalTable(bench.database)
            for number in 1...LeaseIntervalTable.limit + 10 {
                let from = Timestamp(milliseconds: bench.now.wall.milliseconds - 1_000_000 + Int64(number))
                var row = LeaseIntervalRow(
                    number: Int64(number),
                    lease: nil,
                    endsAt: nil,
                    interval: LeaseInterval(holder: "\(number)", brightness: .full, from: from)
                )
                row.end(at: from, .released)
                try store.put(row, of: HistoryBench.display)
            }
        }
        bench.show(0.5)
        try bench.commit()
        #expect(try bench.journalIntervals() == LeaseIntervalTable.limit)
        #expect(try bench.read().boosts.last?.holder == "\(LeaseIntervalTable.limit + 10)")
    }

    @Test func `intervals of more than a year ago are forgotten`() throws {
        let bench = try HistoryBench()
        let lease = bench.lease("1", by: "a")
        bench.grant(lease)
        bench.pass(.seconds(1))
        bench.end(lease)
        try bench.commit()
        bench.pass(.seconds(366 * 86_400))
        bench.show(0.6)
        try bench.commit()
        #expect(try bench.journalIntervals() == 0)
    }
}

extension HistoryBench {
    /// How many intervals are in the database.
    func journalIntervals() throws -> Int {
        var count: Int64?
        try database.prepare("SELECT count(*) FROM band").run { count = $0.integer(0) }
        return Int(count ?? 0)
    }
}
