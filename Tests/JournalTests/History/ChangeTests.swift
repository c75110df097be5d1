// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct ChangeTests {
    private let fixture: HistoryFixture

    init() throws { fixture = try HistoryFixture() }

    @Test(arguments: [[], [1], [0, 1, 2]])
    func `each change has the values before and after it, written or not`(commits: Set<Int>) throws {
        for (index, fraction) in [0.2, 0.4, 0.6].enumerated() {
            fixture.show(fraction, by: "\(index)")
            if commits.contains(index) { try fixture.commit() }
            fixture.pass(.seconds(10))
        }
        let changes = try fixture.changes()
        #expect(changes.map(\.cause.by) == ["2", "1", "0"])
        #expect(changes.map(\.shown.brightness.fraction) == [0.6, 0.4, 0.2])
        #expect(changes.map(\.before?.brightness.fraction) == [0.4, 0.2, nil])
        #expect(changes.map(\.cause.at) == [-10, -20, -30].map { fixture.now.wall + .seconds($0) })
    }

    @Test func `each switch is a change, however short`() throws {
        fixture.show(0.5)
        for isOn in [false, true, false] {
            fixture.pass(.milliseconds(10))
            fixture.show(0.5, isOn: isOn)
        }
        try fixture.commit()
        #expect(try fixture.changes().map(\.shown.isOn) == [false, true, false, true])
    }

    @Test func `a slider is one change a second, from the first value to the last`() throws {
        fixture.show(0.1, by: "maria")
        fixture.pass(.seconds(5))
        for step in 0..<30 {
            fixture.show(0.2 + Double(step) / 100, by: "maria")
            fixture.pass(.milliseconds(50))
        }
        let changes = try fixture.changes()
        #expect(changes.map { ($0.shown.brightness.fraction * 100).rounded() } == [49, 39, 10])
        #expect(changes.map { $0.before.map { ($0.brightness.fraction * 100).rounded() } } == [39, 10, nil])
    }

    @Test func `changes by different clients stay apart`() throws {
        for (index, name) in ["maria", "otto", "maria"].enumerated() {
            fixture.show(Double(index) / 10, by: name)
        }
        #expect(try fixture.changes().map(\.cause.by) == ["maria", "otto", "maria"])
    }

    @Test func `changes by automatic brightness are one a minute`() throws {
        for step in 0..<60 {
            fixture.show(Double(step) / 100, .auto)
            fixture.pass(.seconds(2))
        }
        #expect(try fixture.changes().map { ($0.shown.brightness.fraction * 100).rounded() } == [59, 29])
    }

    @Test func `a lease is a change where it begins and where it ends`() throws {
        fixture.show(0.5)
        fixture.pass(.seconds(2))
        let lease = fixture.lease("a", by: "kiosk", reason: "qr")
        fixture.grant(lease)
        fixture.pass(.milliseconds(100))
        fixture.end(lease)
        let changes = try fixture.changes()
        #expect(changes.prefix(2).map(\.lease) == [.init(.boost, hasEnded: true), .init(.boost, hasEnded: false)])
        #expect(changes.map(\.shown.brightness.fraction) == [0.5, 1, 0.5])
    }

    @Test func `an unchanged state is not a change`() throws {
        for by in ["maria", "otto"] {
            fixture.show(0.5, by: by)
            fixture.pass(.seconds(5))
        }
        #expect(try fixture.changes().map(\.cause.by) == ["maria"])
    }

    @Test func `a state from before the start is not a change`() throws {
        let old = fixture.state(0.5, baseline: 0.5, .api, by: "maria")
        fixture.pass(.seconds(120))
        try fixture.crash()
        fixture.record([.state(old)])
        #expect(try fixture.changes().isEmpty)
        fixture.show(0.6, by: "otto")
        #expect(try fixture.changes().map(\.before?.brightness.fraction) == [0.5])
    }

    @Test func `a query limits the display, the time and the number`() throws {
        let other = try #require(DisplayID("b"))
        for step in 1...6 {
            fixture.show(Double(step) / 10, by: "\(step)", on: step.isMultiple(of: 2) ? other : HistoryFixture.display)
            if step == 4 { try fixture.commit() }
            fixture.pass(.seconds(10))
        }
        func authors(_ query: ChangesQuery) throws -> [String?] { try fixture.changes(query).map(\.cause.by) }
        #expect(try authors(ChangesQuery(nil, limit: 3)) == ["6", "5", "4"])
        #expect(try authors(ChangesQuery(nil, limit: 1)) == ["6"])
        #expect(try authors(ChangesQuery(other)) == ["6", "4", "2"])
        let (from, to) = (fixture.now.wall + .seconds(-50), fixture.now.wall + .seconds(-20))
        #expect(try authors(ChangesQuery(nil, from: from, to: to)) == ["5", "4", "3", "2"])
    }

    @Test func `changes outlive a restart, and the oldest are dropped`() throws {
        for step in 0..<(ChangeTrack.limit + 50) {
            fixture.show(Double(step % 7) / 10, by: "\(step)")
            fixture.pass(.seconds(2))
            if step.isMultiple(of: 1_000) { try fixture.commit() }
        }
        try fixture.stop()
        try fixture.crash()
        var count = 0
        try fixture.database.prepare("SELECT count(*) FROM change").run { count = Int($0.integer(0) ?? 0) }
        #expect(count == ChangeTrack.limit)
        #expect(try fixture.changes(ChangesQuery(nil, limit: 1)).map(\.cause.by) == ["\(ChangeTrack.limit + 49)"])
    }

    @Test func `a display with many changes takes the places of no other display`() throws {
        let other = try #require(DisplayID("other"))
        for step in 0..<50 {
            fixture.show(Double(step % 7) / 10, on: other)
            fixture.pass(.seconds(2))
        }
        for step in 0..<ChangeTrack.limit {
            fixture.show(Double(step % 7) / 10)
            fixture.pass(.seconds(2))
            if step.isMultiple(of: 1_000) { try fixture.commit() }
        }
        try fixture.commit()
        #expect(try fixture.changes(ChangesQuery(other, limit: 100)).count == 50)
        var count = 0
        try fixture.database.prepare("SELECT count(*) FROM change").run { count = Int($0.integer(0) ?? 0) }
        #expect(count == ChangeTrack.limit)
    }

    @Test func `changes in memory are bounded while nothing can be written`() throws {
        for step in 0..<(ChangeTrack.limit + 50) {
            fixture.show(Double(step % 7) / 10, by: "\(step)")
            fixture.pass(.seconds(2))
        }
        let dated = fixture.memory.changes.dated(at: fixture.now)
        #expect(dated.count <= ChangeTrack.limit)
        #expect(dated.last?.cause.by == "\(ChangeTrack.limit + 49)")
        fixture.show(0.95, by: "last")
        #expect(try fixture.changes(ChangesQuery(nil, limit: 1)).map(\.cause.by) == ["last"])
    }

    @Test func `the lowest and the highest brightness stay those of the changes when samples are thinned`() throws {
        for fraction in [0.4, 1, 0.1, 0.5] {
            fixture.show(fraction, by: "\(fraction)")
            fixture.pass(.seconds(2))
        }
        try fixture.commit()
        fixture.pass(.seconds(7_200))
        fixture.show(0.6)
        try fixture.commit()
        #expect(try fixture.dates().count < 5)
        let history = try fixture.read(from: .seconds(-7_300), step: 100)
        #expect(history.extent == Brightness(clamping: 0.1)...Brightness.full)
    }

    /// The change that an earlier run has dated in the future is in front of the others.
    @Test(arguments: [false, true])
    func `changes older than a year are deleted`(wasClockAhead: Bool) throws {
        if wasClockAhead {
            fixture.jump(.seconds(4 * 365 * 86_400))
            fixture.show(0.3, by: "ahead")
            try fixture.commit()
            fixture.jump(.seconds(-4 * 365 * 86_400))
            try fixture.crash()
        }
        fixture.show(0.4, by: "old")
        try fixture.commit()
        for _ in 0..<20 {
            // The history ages at most 100 times as fast as the daemon runs.
            fixture.pass(.seconds(20 * 86_400))
            fixture.show(0.5, by: "new")
            fixture.show(0.6, by: "newer")
            try fixture.commit()
        }
        #expect(try fixture.changes(ChangesQuery(nil, limit: 1_000)).allSatisfy { $0.cause.by != "old" })
    }
}
