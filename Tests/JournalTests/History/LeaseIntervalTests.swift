// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

@Suite struct LeaseIntervalTests {
    /// A history's boosts in words: the holder, start and end in seconds after the start, and the event that ended it.
    private func words(_ history: History) -> [String] {
        func seconds(_ time: Timestamp?) -> String {
            guard let time else { return "now" }
            return "\((time.milliseconds - Moment.start.wall.milliseconds) / 1_000)"
        }
        return history.leases.map { interval in
            let end = interval.end.map { " \($0)" } ?? ""
            return "\(interval.holder ?? "anonymous") \(seconds(interval.from))-\(seconds(interval.to))\(end)"
        }
    }

    @Test(arguments: [false, true])
    func `a boost is an interval, written or not`(isWritten: Bool) throws {
        let fixture = try HistoryFixture()
        let first = fixture.lease("1", by: "a", reason: "qr")
        fixture.grant(first)
        if isWritten { try fixture.commit() }
        fixture.pass(.seconds(20))
        fixture.grant(fixture.lease("2"))
        fixture.pass(.seconds(20))
        fixture.end(first)
        if isWritten { try fixture.commit() }
        fixture.pass(.seconds(20))
        let history = try fixture.read()
        #expect(words(history) == ["a 0-40 released", "anonymous 20-now"])
        #expect(history.leases.map(\.reason) == ["qr", nil])
        // Only the boosts that were in force then.
        #expect(words(try fixture.read(from: .seconds(-55), to: .seconds(-45))) == ["a 0-40 released"])
        #expect(words(try fixture.read(from: .seconds(-15), to: .seconds(-10))) == ["anonymous 20-now"])
        #expect(words(try fixture.read(from: .seconds(-100), to: .seconds(-61))) == [])
    }

    @Test(arguments: [(LeaseChange.expired, "a 0-300 expired"), (.released, "a 0-301 released")])
    func `an expired boost ends at its own end`(change: LeaseChange, word: String) throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.grant(lease)
        fixture.pass(.seconds(301))
        fixture.end(lease, change)
        #expect(words(try fixture.read()) == [word])
    }

    @Test func `a lease that was granted and released between two reads is an interval`() throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.pass(.seconds(1))
        fixture.end(lease)
        #expect(words(try fixture.read()) == ["a 0-1 released"])
    }

    @Test func `many short boosts of one holder are one interval`() throws {
        let fixture = try HistoryFixture()
        for index in 0..<3_000 {
            let lease = fixture.lease("\(index)", by: "a")
            fixture.grant(lease)
            fixture.pass(.milliseconds(40))
            fixture.end(lease)
            if index == 1_500 { try fixture.commit() }
        }
        try fixture.commit()
        // One per commit.
        #expect(words(try fixture.read()) == ["a 0-60 released", "a 60-120 released"])
    }

    @Test func `the intervals of many holders are limited per commit`() throws {
        let fixture = try HistoryFixture()
        for minute in 0..<3 {
            for index in 0..<3_000 {
                let lease = fixture.lease("\(minute)-\(index)", by: "\(minute)-\(index)")
                fixture.grant(lease)
                fixture.end(lease)
                fixture.pass(.milliseconds(20))
            }
            for index in 0..<1_000 {
                fixture.grant(fixture.lease("\(minute)+\(index)", by: "\(minute)+\(index)", for: .seconds(86_400)))
            }
            try fixture.commit()
            #expect(try fixture.journalIntervals() <= (minute + 1) * 2 * LeaseIntervalTrack.limit)
        }
        #expect(try fixture.read().leases.count == History.leaseLimit)
    }

    /// Its display may return only after the history was read.
    @Test(arguments: [false, true])
    func `a lease that continues after a crash continues its interval`(isReadBefore: Bool) throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.grant(lease)
        fixture.pass(.seconds(10))
        try fixture.commit()
        try fixture.crash()
        fixture.pass(.seconds(20))
        if isReadBefore { #expect(words(try fixture.read()) == ["a 0-10"]) }
        fixture.goOn()
        #expect(words(try fixture.read()) == ["a 0-now"])
        fixture.pass(.seconds(30))
        fixture.end(lease)
        try fixture.commit()
        #expect(words(try fixture.read()) == ["a 0-60 released"])
        #expect(try fixture.journalIntervals() == 1)
    }

    @Test func `an interval that a crash left unwritten is recovered if its lease continues`() throws {
        let fixture = try HistoryFixture()
        fixture.grant(fixture.lease("1", by: "a"))
        try fixture.crash()
        fixture.pass(.seconds(30))
        fixture.goOn()
        #expect(words(try fixture.read()) == ["a 0-now"])
    }

    @Test(arguments: [(100, "a 0-100"), (400, "a 0-300")])
    func `an unobserved end is at most the next start and the lease's own end`(seconds: Int, word: String) throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.grant(lease)
        try fixture.commit()
        fixture.lose(lease)
        fixture.pass(.seconds(seconds))
        try fixture.crash()
        fixture.show(0.5, .recovered)
        fixture.pass(.seconds(30))
        #expect(words(try fixture.read()) == [word])
    }

    @Test(arguments: [false, true])
    func `an unobserved end is right even if the clock was wrong at the start`(isReadBefore: Bool) throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.grant(lease)
        try fixture.commit()
        fixture.lose(lease)
        fixture.pass(.seconds(100))
        fixture.jump(.seconds(-86_400))
        try fixture.crash()
        fixture.show(0.5, .recovered)
        if isReadBefore { #expect(words(try fixture.read()) == []) }
        fixture.jump(.seconds(86_400))
        fixture.pass(.seconds(30))
        #expect(words(try fixture.read()) == ["a 0-100"])
    }

    @Test(arguments: [false, true])
    func `an interval has the right dates after the clock was set, written before or not`(isWritten: Bool) throws {
        let fixture = try HistoryFixture()
        let long = fixture.lease("1", by: "a")
        fixture.grant(long)
        if isWritten { try fixture.commit() }
        fixture.pass(.seconds(5))
        let short = fixture.lease("2", by: "b")
        fixture.grant(short)
        fixture.pass(.seconds(15))
        fixture.end(short)
        fixture.jump(.seconds(54_000))
        fixture.pass(.seconds(30))
        fixture.record([])
        #expect(words(try fixture.read()) == ["a 54000-now", "b 54005-54020 released"])
        fixture.end(long)
        try fixture.commit()
        #expect(words(try fixture.read()) == ["a 54000-54050 released", "b 54005-54020 released"])
        #expect(try fixture.journalIntervals() == 2)
    }

    @Test func `an ended interval in the future is deleted, and one in force is dated again`() throws {
        let fixture = try HistoryFixture()
        fixture.jump(.seconds(4 * 365 * 86_400))
        let (lost, kept) = (fixture.lease("1", by: "a"), fixture.lease("2", by: "b", for: .seconds(86_400)))
        fixture.grant(lost)
        fixture.grant(kept)
        fixture.pass(.seconds(10))
        fixture.end(lost)
        try fixture.commit()
        fixture.jump(.seconds(-4 * 365 * 86_400))
        fixture.show(0.4)
        try fixture.commit()
        // The clock counts as right.
        fixture.pass(.seconds(3_600))
        fixture.show(0.6)
        try fixture.commit()
        #expect(words(try fixture.read(from: .seconds(-7_200))) == ["b 0-now"])
        #expect(try fixture.journalIntervals() == 1)
    }

    @Test func `changes that the mailbox dropped are read from the leases`() throws {
        let fixture = try HistoryFixture()
        let (lost, kept) = (fixture.lease("1", by: "a"), fixture.lease("2", by: "b"))
        fixture.grant(lost)
        fixture.pass(.seconds(10))
        fixture.lose(lost)
        fixture.keep(kept)
        fixture.record([.state(fixture.state(1, baseline: 0.5, .boost, by: "b"))], .withoutLeases)
        #expect(words(try fixture.read()) == ["a 0-10", "b 0-now"])
    }

    @Test func `the newest intervals are kept`() throws {
        let fixture = try HistoryFixture()
        try fixture.database.transaction { () throws(DatabaseError) in
            let store = try LeaseIntervalTable(fixture.database)
            for number in 1...LeaseIntervalTable.limit + 10 {
                fixture.pass(.milliseconds(1))
                var row = LeaseIntervalRow(fixture.lease("\(number)", by: "\(number)"), at: fixture.now)
                (row.end, row.interval.end) = (fixture.now, .released)
                try store.put(row, of: HistoryFixture.display, at: fixture.now)
            }
        }
        fixture.show(0.5)
        try fixture.commit()
        #expect(try fixture.journalIntervals() == LeaseIntervalTable.limit)
        #expect(try fixture.read().leases.last?.holder == "\(LeaseIntervalTable.limit + 10)")
    }

    @Test func `intervals older than a year are deleted`() throws {
        let fixture = try HistoryFixture()
        let lease = fixture.lease("1", by: "a")
        fixture.grant(lease)
        fixture.pass(.seconds(1))
        fixture.end(lease)
        try fixture.commit()
        fixture.pass(.seconds(366 * 86_400))
        fixture.show(0.6)
        try fixture.commit()
        #expect(try fixture.journalIntervals() == 0)
    }
}

extension HistoryFixture {
    /// Returns the number of intervals in the database.
    func journalIntervals() throws -> Int {
        var count: Int64?
        try database.prepare("SELECT count(*) FROM band").run { count = $0.integer(0) }
        return Int(count ?? 0)
    }
}
