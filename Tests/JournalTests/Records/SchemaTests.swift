// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Journal

@Suite struct SchemaTests {
    @Test func `an empty file gets the tables once`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.create(in: database)
        try Schema.create(in: database)
        #expect(try version(of: database) == Schema.version)
    }

    @Test(arguments: [1, 7, 9, 99, -1, -2_147_483_648])
    func `a file of another version is rejected and not changed`(other: Int) throws {
        let database = try SQLiteConnection(path: ":memory:")
        try database.run("PRAGMA user_version = \(other)")
        #expect(throws: DatabaseError.otherVersion(other)) { try Schema.create(in: database) }
        #expect(try version(of: database) == other)
    }

    @Test func `a file with tables and without a version is another program's`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try database.run("CREATE TABLE photo (name TEXT)")
        #expect(throws: DatabaseError.otherVersion(0)) { try Schema.create(in: database) }
    }

    private func version(of database: SQLiteConnection) throws -> Int {
        var version: Int64?
        try database.prepare("PRAGMA user_version").run { version = $0.integer(0) }
        return Int(try #require(version))
    }
}
