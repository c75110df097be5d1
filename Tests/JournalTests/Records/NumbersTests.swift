// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// A file may contain any number and any text, as after a fault of the disk that SQLite's own check does not find.
@Suite struct NumbersTests {
    private let disk = ScriptedDisk()
    private let file: JournalFile
    private let display = HistoryFixture.display
    private let fixture: HistoryFixture

    init() throws {
        let clock = BootClock(boot: "boot", origin: Moment.start.instant)
        file = JournalFile(directory: "/state", clock: clock, disk: disk)
        fixture = try HistoryFixture()
    }

    @Test(arguments: [.min, .min + 1, -1, 1 << 52, 1 << 53, .max - 1, .max] as [Int64])
    func `no number in the file ends the daemon`(number: Int64) throws {
        try damageEach("INTEGER", with: "\(number)", atLeast: 11)
    }

    /// The first and the last are infinite.
    @Test(arguments: ["-9e999", "-1e300", "-1", "-0.0", "5e-324", "1.5", "1e300", "9e999"])
    func `no real number in the file ends the daemon`(number: String) throws {
        try damageEach("REAL", with: number, atLeast: 4)
    }

    /// Not UTF-8 in the first letter, with a NUL, or empty.
    @Test(arguments: ["F3696D", "610062", ""])
    func `no text in the file ends or stops the daemon`(bytes: String) throws {
        try damageEach("TEXT", with: "CAST(x'\(bytes)' AS TEXT)", atLeast: 10)
    }

    @Test(arguments: [
        "-9223372036854775808", "-1", "4503599627370496", "9007199254740993", "9223372036854775807", "-1e300", "1.5",
        "5e-324", "1e300", "1e999",
    ])
    func `no number in a document ends the daemon`(number: String) throws {
        try fill()
        let good = disk.contents
        var documents: [(update: String, key: String, body: String)] = []
        for (table, column) in [("record", "kind"), ("change", "number"), ("band", "number")] {
            let update = "UPDATE \(table) SET body = ?1 WHERE \(column) = ?2"
            try connection().prepare("SELECT \(column), body FROM \(table)").run { row in
                if let key = row.text(0), let body = row.text(1) { documents.append((update, key, body)) }
            }
        }
        var count = 0
        for (update, key, body) in documents {
            for place in body.ranges(of: /[:\[]-?[0-9][0-9.]*/) {
                disk.contents = good
                let bad = body.replacingCharacters(in: body.index(after: place.lowerBound)..<place.upperBound, number)
                try connection().prepare(update).run(.text(bad), .text(key))
                for seconds in [100, 200] { try run(at: .after(.seconds(seconds)), bad) }
                count += 1
            }
        }
        #expect(count >= 18)
    }

    /// Writes a value to each column of a type, and has the daemon run twice with it.
    private func damageEach(_ type: String, with value: String, atLeast count: Int) throws {
        try fill()
        let good = disk.contents
        let columns = try columns(of: type)
        #expect(columns.count >= count)
        for (table, column) in columns {
            disk.contents = good
            do { try connection().run("UPDATE OR REPLACE \(table) SET \(column) = \(value)") }
            for seconds in [100, 200] {
                try run(at: .after(.seconds(seconds)), "\(table).\(column)")
            }
        }
    }

    /// Writes a row to each table that has numbers.
    private func fill() throws {
        var memory = HistoryMemory(begin: .start)
        let leases = [fixture.lease("ended"), fixture.lease("in force")]
        for (index, lease) in leases.enumerated() {
            fixture.now = .after(.seconds(index))
            let state = fixture.state(0.1 * Double(index), baseline: 0.5, .api, by: nil)
            memory.record(
                [.state(state), .lease(LeaseEvent(lease, .granted), at: state.revision)],
                .whole,
                leases: { _ in leases },
                at: fixture.now
            )
        }
        memory.record(
            [.lease(LeaseEvent(leases[0], .released), at: Revision(9))],
            .whole,
            leases: { _ in [] },
            at: .start
        )
        let schedule = Schedule(
            name: ResourceName("night")!,
            from: .clock(minute: 0),
            to: .clock(minute: 60),
            effect: .lease(.sleep, nil)
        )
        var record = DisplayRecord(of: display, [leases[1]], baselineStep: 400)
        record.automatic = AutomaticRecord(
            isEnabled: true,
            heldUntil: .after(.seconds(600)),
            lessons: [BrightnessCurve.Point(Illuminance(lux: 1)!, .full)]
        )
        let database = try JournalDatabase(in: file, at: .start)
        record.device.writes = DailyWrites(day: 20_000, count: 3)
        let kept = ScheduleRecord(schedule: schedule, setAt: Moment.start.wall)
        database.write([display: record], [RecordKey(ScheduleRecord.kind, kept.key): kept.json], at: .start)
        let isWritten: Void? = database.writeHistory(at: .start) { tables throws(DatabaseError) in
            try tables.history.write(&memory, at: .after(.seconds(60)))
        }
        #expect(isWritten != nil)
        database.close(at: .start)
    }

    /// A run of the daemon that reads everything, and writes the history twice.
    private func run(at now: Moment, _ place: String) throws {
        let database = try JournalDatabase(in: file, at: now)
        let records = database.records?.values.map(\.record) ?? []
        let schedules = database.documents.compactMap { ScheduleRecord(kept: $0.value, under: $0.key.name) }
        var dates = records.flatMap(\.leases).map(\.grantedAt) + schedules.compactMap(\.setAt)
        dates += [database.newestTime].compactMap(\.self)
        var memory = HistoryMemory(begin: now)
        let query = try HistoryQuery(display, from: now.wall + .seconds(-3_600), to: now.wall, step: 60)
        for seconds in [0, 60] {
            let later = now + .seconds(seconds)
            fixture.now = later
            let state = fixture.state(0.5, baseline: Double(seconds) / 100, .api, by: nil)
            let lease = LeaseEvent(fixture.lease("\(seconds)"), .released)
            memory.record(
                [.state(state), .lease(lease, at: state.revision)],
                .whole,
                leases: { _ in [] },
                at: later
            )
            let history = database.readHistory(at: later) { tables throws(DatabaseError) in
                try tables.history.write(&memory, at: later)
                let changes = try tables.history.read(ChangesQuery(nil), with: &memory, at: later)
                dates += changes.map(\.cause.at)
                return try tables.history.read(query, with: &memory, at: later)
            }
            #expect(history != nil, "\(place)")
            dates += history?.leases.flatMap { [$0.from, $0.to].compactMap(\.self) } ?? []
        }
        // The years 1 to 9999, which RFC 3339 can write.
        let writable = -62_135_596_800_000...253_402_300_799_999 as ClosedRange<Int64>
        #expect(dates.allSatisfy { writable.contains($0.milliseconds) }, "\(place)")
        database.close(at: now)
    }

    private func connection() throws -> SQLiteConnection { try SQLiteConnection(path: file.path, on: disk) }

    /// The columns of the file that have this type.
    private func columns(of type: String) throws -> [(table: String, column: String)] {
        var columns: [(String, String)] = []
        try connection().prepare(
            """
            SELECT tables.name, columns.name FROM sqlite_schema AS tables, pragma_table_info(tables.name) AS columns
            WHERE tables.type = 'table' AND columns.type = '\(type)'
            """
        ).run { row in
            if let table = row.text(0), let column = row.text(1) { columns.append((table, column)) }
        }
        return columns
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, _ text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
