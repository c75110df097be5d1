// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Journal

@Suite struct SchemaTests {
    @Test func `an empty file is migrated to the current version, and a second migration has no effect`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.migrate(database)
        try Schema.migrate(database)
        #expect(try version(of: database) == Schema.steps.count)
    }

    @Test(arguments: 0..<Schema.steps.count)
    func `a file of an older brightnessd is migrated and keeps its content`(version old: Int) throws {
        let database = try SQLiteConnection(path: ":memory:")
        for step in Schema.steps[..<old] { try database.run(step) }
        try database.run(
            "PRAGMA user_version = \(old); CREATE TABLE kept (number INTEGER); INSERT INTO kept VALUES (7)"
        )
        try Schema.migrate(database)
        #expect(try version(of: database) == Schema.steps.count)
        var kept: Int64?
        try database.prepare("SELECT number FROM kept").run { kept = $0.integer(0) }
        #expect(kept == 7)
    }

    @Test func `leases of a file without principals belong to the anonymous principal`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        for step in Schema.steps[..<4] { try database.run(step) }
        try database.run(
            """
            PRAGMA user_version = 4;
            INSERT INTO display VALUES ('edp', 100, 0.5, 50, 50, 100, 0, '');
            INSERT INTO lease VALUES ('l', 1, 'edp', 'page', NULL, 1, 'lifetime', 0, NULL, NULL, NULL);
            """
        )
        try Schema.migrate(database)
        let clock = BootClock(boot: "", origin: Moment.start.instant)
        let leases = try RecoveredRecords(database, clock, at: .start).records.values.first?.leases
        #expect(leases?.map(\.holder) == ["page"])
        #expect(leases?.map(\.principal) == [.anonymous])
    }

    @Test func `leases of a file without kinds are boosts, and overridden if their display was`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        for step in Schema.steps[..<5] { try database.run(step) }
        try database.run(
            """
            PRAGMA user_version = 5;
            INSERT INTO display VALUES ('edp', 100, 0.5, 50, 50, 100, 1, ''), ('dp', 100, 0.5, 50, 50, 100, 0, '');
            INSERT INTO lease VALUES ('l', 1, 'edp', 'page', NULL, 1, 'lifetime', 0, NULL, NULL, NULL, 'maria');
            INSERT INTO lease VALUES ('m', 2, 'dp', 'page', NULL, 0.8, 'lifetime', 0, NULL, NULL, NULL, 'maria');
            INSERT INTO band VALUES (1, 'edp', NULL, 'page', NULL, 1, 0, NULL, 10, 'released');
            """
        )
        try Schema.migrate(database)
        let clock = BootClock(boot: "", origin: Moment.start.instant)
        let records = try RecoveredRecords(database, clock, at: .start).records
        let ids = ["edp", "dp"].compactMap { DisplayID($0) }
        let leases = ids.compactMap { records[$0]?.leases.first }
        #expect(leases.map(\.kind) == [.boost, .boost])
        #expect(leases.map(\.isOverridden) == [true, false])
        #expect(leases.map(\.brightness) == [.full, Brightness(clamping: 0.8)])
        #expect(records.values.allSatisfy { $0.powerBaseline && !$0.mayBeDark })
        let bands = try LeaseIntervalTable(database).ended(of: ids[0], from: 0, to: 20)
        #expect(bands.map(\.kind) == [.boost])
    }

    @Test func `a file of a newer brightnessd is rejected and not changed`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try database.run("PRAGMA user_version = 99")
        #expect(throws: DatabaseError.newer(version: 99)) { try Schema.migrate(database) }
        #expect(try version(of: database) == 99)
    }

    private func version(of database: SQLiteConnection) throws -> Int {
        var version: Int64?
        try database.prepare("PRAGMA user_version").run { version = $0.integer(0) }
        return Int(try #require(version))
    }
}
