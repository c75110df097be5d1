// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import TestSupport
import Testing

@testable import Journal

@Suite struct ScheduleTableTests {
    private let file: JournalFile
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        file = JournalFile(directory: folder.path, clock: BootClock(boot: "boot", origin: Moment.start.instant))
    }

    private static let schedules = [
        Schedule(
            ResourceName("night")!,
            from: .clock(minute: 1_320),
            to: .clock(minute: 420),
            .lease(.dim, Brightness(clamping: 0.2))
        ),
        Schedule(
            ResourceName("evening")!,
            displays: .named([DisplayID("edp")!, DisplayID("dp-2")!]),
            days: [.sat, .sun],
            from: .sun(.sunset, offset: -30),
            to: .sun(.sunrise, offset: 60),
            .baseline(Brightness(clamping: 0.4)),
            transition: .milliseconds(1_500)
        ),
        Schedule(
            ResourceName("closed")!,
            days: [.mon],
            from: .clock(minute: 0),
            to: .clock(minute: 1),
            .lease(.sleep, nil),
            isPaused: true
        ),
    ]

    /// Opens the file in a run of its own, and returns the schedules that it finds.
    private func run(
        at now: Moment = .start,
        _ body: (JournalDatabase) -> Void = { _ in }
    ) throws -> [ScheduleRecord] {
        let database = try JournalDatabase(in: file, at: now)
        let found = database.schedules.present.sorted { $0.schedule.name < $1.schedule.name }
        body(database)
        database.close(at: now)
        return found
    }

    @Test func `every schedule is read back unchanged, and a removed one is gone`() throws {
        let displays: Set = [DisplayID("edp")!, DisplayID("dp-2")!]
        let expected = Self.schedules.map { ScheduleRecord($0, setAt: Moment.start.wall, setOn: displays) }
            .sorted { $0.schedule.name < $1.schedule.name }
        let first = try run { database in
            for record in expected { database.write(record.schedule.name, schedule: record, at: .start) }
        }
        #expect(first.isEmpty)
        #expect(try run { $0.write(Self.schedules[0].name, schedule: nil, at: .start) } == expected)
        #expect(try run().map(\.schedule.name.text) == ["closed", "evening"])
    }

    @Test func `schedules are written to a file that replaces a removed one`() throws {
        let path = file.path
        _ = try run { database in
            database.write(Self.schedules[0].name, schedule: ScheduleRecord(Self.schedules[0]), at: .start)
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            database.checkPlace(at: .after(.seconds(5)))
        }
        #expect(try run(at: .after(.seconds(8))).map(\.schedule) == [Self.schedules[0]])
    }

    @Test func `invalid rows are skipped`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.create(in: database)
        try database.run(
            """
            INSERT INTO schedule VALUES
                ('a/b', 'all', 'mon', '22:00', '07:00', 'dim', 0.2, NULL, NULL, '', 0),
                ('c', '', 'mon', '22:00', '07:00', 'dim', 0.2, NULL, NULL, '', 0),
                ('d', 'all', 'mon', '25:00', '07:00', 'dim', 0.2, NULL, NULL, '', 0),
                ('e', 'all', 'mon', '22:00', '22:00', 'dim', 0.2, NULL, NULL, '', 0),
                ('f', 'all', 'mon', '22:00', '07:00', 'dim', NULL, NULL, NULL, '', 0),
                ('g', 'all', 'mon', '22:00', '07:00', 'glow', 0.2, NULL, NULL, '', 0),
                ('h', 'all', 'mon', '22:00', '07:00', 'dim', 2, NULL, NULL, '', 0),
                ('kept', 'all', 'mon', '22:00', '07:00', 'dim', 0.2, 1e99, NULL, 'left ../x right', 0)
            """
        )
        let read = try ScheduleTable(database).read()
        #expect(read.map(\.schedule.name.text) == ["kept"])
        #expect(read.first?.schedule.transition == nil)
        #expect(read.first?.setOn == [DisplayID("left")!, DisplayID("right")!])
    }
}
