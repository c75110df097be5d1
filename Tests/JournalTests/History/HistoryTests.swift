// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct HistoryTests {
    @Test(arguments: [[], [1], [0, 1, 2, 3]])
    func `a point has the state at its time, written or not`(commits: Set<Int>) throws {
        let fixture = try HistoryFixture()
        for (index, fraction) in [0.2, 0.4, 0.6].enumerated() {
            fixture.pass(.seconds(10))
            fixture.show(fraction, baseline: fraction / 2, by: "\(index)")
            if commits.contains(index) { try fixture.commit() }
        }
        fixture.pass(.seconds(5))
        let history = try fixture.read(from: .seconds(-30), to: .seconds(10), step: 5)
        #expect(history.fractions == [nil, 0.2, 0.2, 0.4, 0.4, 0.6, 0.6, nil, nil])
        #expect(history.points.map(\.baseline?.fraction) == [nil, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3, nil, nil])
        #expect(history.points.map(\.at.milliseconds) == Array(fixture.seconds(from: -30, through: 10, by: 5)))
    }

    @Test func `a point has the power at its time, which is unknown while the display does not answer`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        fixture.pass(.seconds(5))
        fixture.show(0.5, isOn: false)
        try fixture.commit()
        fixture.pass(.seconds(5))
        fixture.show(0.5, isAvailable: false, isOn: false)
        fixture.pass(.seconds(5))
        let history = try fixture.read(from: .seconds(-15), step: 5)
        #expect(history.points.map(\.isOn) == [true, false, nil, nil])
        #expect(history.fractions == [0.5, 0.5, nil, nil])
    }

    @Test func `of the displays that are gone those that left last are kept`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        let ids = (0..<HistoryTables.subjectLimit + 44).map { DisplayID("page-\($0)")! }
        for id in ids {
            fixture.pass(.seconds(1))
            fixture.show(0.5, on: id)
            fixture.pass(.seconds(1))
            fixture.record([.display(id, .removed, at: Revision(1))])
        }
        for _ in 0..<2 {
            try fixture.commit()
            fixture.pass(.seconds(60))
            fixture.show(0.6)
        }
        let subjects = try fixture.journal.history.samples.subjects().compactMap(\.displayID)
        #expect(subjects.count <= HistoryTables.subjectLimit)
        #expect(subjects.contains(HistoryFixture.display) && subjects.contains(ids[ids.count - 1]))
        #expect(!subjects.contains(ids[0]))
    }

    @Test func `an unchanged state is not a sample`() throws {
        let fixture = try HistoryFixture()
        for _ in 0..<10 {
            fixture.show(0.5, by: "maria")
            fixture.pass(.seconds(5))
        }
        try fixture.commit()
        #expect(try fixture.dates().count == 1)
        #expect(fixture.memory.isWritten)
    }

    @Test func `the brightness of a display that does not answer is unknown, its baseline is known`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        fixture.pass(.seconds(5))
        fixture.show(0.5, .connected, isAvailable: false)
        fixture.pass(.seconds(5))
        fixture.show(0.5, .connected)
        let history = try fixture.read(from: .seconds(-10), step: 5)
        #expect(history.fractions == [0.5, nil, 0.5])
        #expect(history.points.map(\.baseline?.fraction) == [0.5, 0.5, 0.5])
    }

    @Test(arguments: [true, false])
    func `the lowest and the highest brightness may be between two points`(isWritten: Bool) throws {
        let fixture = try HistoryFixture()
        for fraction in [0.1, 0.5, 1, 0.2, 0.4] {
            fixture.show(fraction)
            fixture.pass(.seconds(2))
        }
        if isWritten { try fixture.commit() }
        // 0.5 is in force at the first point, and 0.1 only before it.
        let history = try fixture.read(from: .seconds(-7), step: 7)
        #expect(history.fractions == [0.5, 0.4])
        #expect(history.extent == Brightness(clamping: 0.2)...Brightness.full)
    }

    @Test func `nothing is lowest or highest while nothing is known`() throws {
        let fixture = try HistoryFixture()
        fixture.pass(.seconds(5))
        #expect(try fixture.read(from: .seconds(-5), step: 5).extent == nil)
    }

    @Test func `a machine that goes offline is not a second change by the person before`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5, by: "maria")
        let shown = fixture.state(0.5, baseline: 0.5, .api, by: "maria")
        fixture.pass(.seconds(5))
        var lost = shown
        lost.unavailable = Unavailability(since: fixture.now.wall)
        fixture.record([.state(lost)])
        fixture.pass(.seconds(5))
        let history = try fixture.read(from: .seconds(-10), step: 5)
        #expect(history.fractions.prefix(2) == [0.5, nil])
        let changes = try fixture.changes()
        #expect(changes.map(\.cause.kind) == [.lost, .api])
        #expect(changes.map(\.cause.by) == [nil, "maria"])
        #expect(changes.map(\.shown.isAvailable) == [false, true])
    }

    @Test(arguments: [true, false])
    func `the state of a withdrawn display is unknown, and nothing of it stays in memory`(isReported: Bool) throws {
        let fixture = try HistoryFixture()
        fixture.grant(fixture.lease("a", by: "kiosk"))
        fixture.pass(.seconds(5))
        fixture.forget()
        fixture.record(
            isReported ? [.display(HistoryFixture.display, .removed, at: Revision(1))] : [],
            isReported ? .whole : .restarted
        )
        fixture.pass(.seconds(5))
        #expect(!fixture.memory.samples.isEmpty)
        try fixture.commit()
        #expect(fixture.memory.samples.isEmpty && fixture.memory.intervals.isEmpty)
        let history = try fixture.read(from: .seconds(-10), step: 5)
        #expect(history.fractions == [1, nil, nil])
        #expect(history.leases.map(\.to) == [fixture.now.wall + .seconds(-5)])
    }

    @Test func `withdrawn displays stay in memory up to a limit while nothing can be written`() throws {
        let fixture = try HistoryFixture()
        for number in 0...(HistoryMemory.withdrawnLimit + 10) {
            let id = try #require(DisplayID("hall:\(number)"))
            fixture.show(0.5, on: id)
            fixture.record([.display(id, .removed, at: Revision(1))])
        }
        #expect(fixture.memory.samples.count == HistoryMemory.withdrawnLimit)
    }

    @Test func `the state is unknown while the daemon does not run`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        fixture.pass(.seconds(10))
        try fixture.stop()
        fixture.pass(.seconds(20))
        try fixture.crash()
        fixture.show(0.7, .connected)
        fixture.pass(.seconds(5))
        #expect(try fixture.read(from: .seconds(-35), step: 5).fractions == [0.5, 0.5, nil, nil, nil, nil, 0.7, 0.7])
    }

    @Test(arguments: [(false, [0.5, 0.5, 0.5, 0.7]), (true, [0.5, nil, nil, 0.7])])
    func `after a crash the display kept its state, unless the machine was restarted`(
        isMachine: Bool,
        fractions: [Double?]
    ) throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        try fixture.commit()
        fixture.pass(.seconds(10))
        fixture.show(0.6)
        fixture.pass(.seconds(20))
        if isMachine { fixture.origin = fixture.now.instant }
        try fixture.crash()
        fixture.show(0.7, .recovered)
        #expect(try fixture.read(from: .seconds(-30), step: 10).fractions == fractions)
    }

    @Test(arguments: [("a", [0.5, 0.5, 0.5, 0.7]), ("b", [0.5, nil, nil, 0.7])])
    func `a restart of the machine is noticed by its boot, whatever its clock shows`(
        boot: String,
        fractions: [Double?]
    ) throws {
        let fixture = try HistoryFixture()
        try fixture.crash(in: "a")
        fixture.show(0.5)
        try fixture.commit()
        fixture.pass(.seconds(30))
        try fixture.crash(in: boot)
        fixture.show(0.7, .recovered)
        #expect(try fixture.read(from: .seconds(-30), step: 10).fractions == fractions)
    }

    @Test func `a crash loses no written sample`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        try fixture.commit()
        fixture.pass(.seconds(10))
        fixture.show(0.6)
        try fixture.crash()
        fixture.pass(.seconds(10))
        #expect(try fixture.read(from: .seconds(-20), step: 10).fractions == [0.5, 0.5, 0.5])
    }

    @Test func `each display has its own history`() throws {
        let fixture = try HistoryFixture()
        fixture.show(0.5)
        fixture.show(0.9, on: DisplayID("b")!)
        try fixture.commit()
        fixture.show(0.8, on: DisplayID("b")!)
        #expect(try fixture.current() == 0.5)
    }

    @Test func `a full disk costs the oldest samples`() throws {
        let fixture = try HistoryFixture()
        for index in 0..<SampleTrack.limit + 10 {
            fixture.pass(.seconds(1))
            fixture.show(Double(index % 7) / 10, by: "\(index)")
        }
        #expect(
            fixture.memory.samples[.display(HistoryFixture.display)]?.dated(at: fixture.now).count == SampleTrack.limit
        )
        #expect(try fixture.current() == Double((SampleTrack.limit + 9) % 7) / 10)
    }

    @Test func `a second has at most two samples, including its last one`() throws {
        let fixture = try HistoryFixture()
        for index in 0..<100 {
            fixture.show(Double(index) / 100)
            fixture.pass(.milliseconds(100))
        }
        let dated = try #require(fixture.memory.samples[.display(HistoryFixture.display)]?.dated(at: fixture.now))
        #expect((10...20).contains(dated.count))
        #expect(dated.last?.sample.brightness?.fraction == 0.99)
    }
}

extension HistoryFixture {
    func seconds(from: Int64, through: Int64, by: Int64) -> some Sequence<Int64> {
        stride(from: from, through: through, by: Int(by)).map { now.wall.milliseconds + $0 * 1_000 }
    }
}
