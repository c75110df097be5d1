// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Journal

@Suite struct SchemaTests {
    @Test func `an empty file gets today's tables, and they are made once`() throws {
        let database = try Database(path: ":memory:")
        try Schema.migrate(database)
        try Schema.migrate(database)
        #expect(try version(of: database) == Schema.steps.count)
    }

    @Test(arguments: 0..<Schema.steps.count)
    func `a file of an older brightnessd gets what it lacks and keeps what it has`(version old: Int) throws {
        let database = try Database(path: ":memory:")
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

    @Test func `a file of a newer brightnessd is left as it is`() throws {
        let database = try Database(path: ":memory:")
        try database.run("PRAGMA user_version = 99")
        #expect(throws: DatabaseError.newer(version: 99)) { try Schema.migrate(database) }
        #expect(try version(of: database) == 99)
    }

    private func version(of database: Database) throws -> Int {
        var version: Int64?
        try database.prepare("PRAGMA user_version").run { version = $0.integer(0) }
        return Int(try #require(version))
    }
}
