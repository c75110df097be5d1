// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc
import TestSupport
import Testing

@testable import Journal

@Suite struct LocationTableTests {
    private let file: JournalFile
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        file = JournalFile(directory: folder.path, clock: BootClock(boot: "boot", origin: Moment.start.instant))
    }

    /// Opens the file in a run of its own, and returns the place that it finds.
    private func run(at now: Moment = .start, _ body: (JournalDatabase) -> Void = { _ in }) throws -> Location? {
        let database = try JournalDatabase(in: file, at: now)
        let found = database.location.present.first
        body(database)
        database.close(at: now)
        return found
    }

    @Test func `the place is read back, replaced and removed`() throws {
        #expect(try run { $0.write(location: Location("52.52,13.4"), at: .start) } == nil)
        #expect(try run { $0.write(location: Location("-33.87,151.21"), at: .start) } == Location("52.52,13.4"))
        #expect(try run { $0.write(location: nil, at: .start) } == Location("-33.87,151.21"))
        #expect(try run() == nil)
    }

    @Test func `the place is written to a file that replaces a removed one`() throws {
        let path = file.path
        _ = try run { database in
            database.write(location: Location("52.52,13.4"), at: .start)
            for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
            database.checkPlace(at: .after(.seconds(5)))
        }
        #expect(try run(at: .after(.seconds(8))) == Location("52.52,13.4"))
    }

    @Test func `an invalid place is skipped`() throws {
        let database = try SQLiteConnection(path: ":memory:")
        try Schema.create(in: database)
        try database.run("INSERT INTO location VALUES ('machine', 91, 0), ('elsewhere', 1, 2)")
        #expect(try LocationTable(database).read().isEmpty)
    }
}
