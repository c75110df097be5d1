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
