// SPDX-License-Identifier: Apache-2.0
import CSQLite
import Glibc
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// A failed write never discards earlier state that can be read.
@Suite struct JournalDiskTests {
    /// The faults that keep a start from writing.
    enum Trouble: CaseIterable {
        case fullDisk, readOnlyFileSystem, reader, writer, brokenLocks, brokenWrites, brokenSync

        var reason: String {
            switch self {
            case .fullDisk: "the disk is full"
            case .readOnlyFileSystem: "the state directory is read-only"
            case .reader, .writer: "another program holds the file"
            case .brokenLocks, .brokenWrites, .brokenSync: "the disk reports read or write errors"
            }
        }

        func begin(on disk: ScriptedDisk) {
            func fault(_ broken: ScriptedDisk.Operation, _ code: Int32 = SQLITE_IOERR) {
                disk.fault = { operation, _ in operation == broken ? code : nil }
            }
            switch self {
            // Not even the log's own space can be written, as on a copy-on-write file system.
            case .fullDisk: fault(.write, SQLITE_FULL)
            case .readOnlyFileSystem: disk.isReadOnly = true
            case .reader: disk.otherProgram = .reads
            case .writer: disk.otherProgram = .writes
            case .brokenLocks: fault(.lock)
            case .brokenWrites: fault(.write)
            case .brokenSync: fault(.sync)
            }
        }

        static func end(on disk: ScriptedDisk) {
            (disk.capacity, disk.isReadOnly, disk.otherProgram) = (.max, false, .none)
            disk.fault = { _, _ in nil }
        }
    }

    private let disk = ScriptedDisk()
    private let file: JournalFile
    private let id = DisplayID("edp")!

    init() {
        let clock = BootClock(boot: "boot", origin: Moment.start.instant)
        file = JournalFile(directory: "/state", clock: clock, disk: disk)
    }

    private func lease(_ holder: String, reason: String? = nil) -> Lease {
        Lease(
            id: LeaseID("lease-of-\(holder)"),
            display: id,
            holder: holder,
            grantedAt: Moment.start.wall,
            brightness: .full,
            reason: reason,
            lifespan: .custom,
            end: .after(.seconds(600))
        )
    }

    /// More leases than fit on a disk that is nearly full.
    private var many: [Lease] { (0..<300).map { lease("b\($0)", reason: String(repeating: "x", count: 256)) } }

    private func record(_ leases: Lease..., baselineStep: Int = 400) -> DisplayRecord {
        DisplayRecord(of: id, leases, baselineStep: baselineStep)
    }

    private func start(after seconds: Int = 0) throws -> JournalDatabase {
        try JournalDatabase(in: file, at: .after(.seconds(seconds)))
    }

    /// The records of a new run that ends at once.
    private func found(after seconds: Int = 10) throws -> DisplayRecord? {
        disk.kill()
        let database = try start(after: seconds)
        let found = database.records?[id]?.record
        disk.kill()
        return found
    }

    /// A run that is killed while a display is boosted.
    private func boostAndKill() throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        let health = database.health
        #expect(health == .durable)
        disk.kill()
    }

    private struct Seen: Equatable {
        let record: DisplayRecord?
        let health: JournalHealth
        let hasUnwritten: Bool
    }

    private func seen(_ database: JournalDatabase) -> Seen {
        Seen(record: database.records?[id]?.record, health: database.health, hasUnwritten: database.hasUnwritten)
    }

    @Test func `a file is read for what its path is, also with characters that mean something in a URI`() throws {
        let folder = try TemporaryFolder()
        let path = "\(folder.path)/a b?#%25\u{FC}&=.db"
        do { try SQLiteConnection(path: path).run("CREATE TABLE number (value); INSERT INTO number VALUES (42)") }
        var read: Int64?
        try SQLiteConnection(reading: path, on: SystemDisk()).prepare("SELECT value FROM number").run {
            read = $0.integer(0)
        }
        #expect(read == 42)
    }

    @Test(arguments: Trouble.allCases)
    func `a start that cannot write continues with the readable records and retries`(trouble: Trouble) throws {
        try boostAndKill()
        let before = disk.contents
        trouble.begin(on: disk)
        let database = try start(after: 100)
        // A failing sync matters only for writes that need one.
        if trouble != .brokenSync || seen(database).hasUnwritten {
            let expected = Seen(record: record(lease("a")), health: .failing(trouble.reason), hasUnwritten: true)
            #expect(seen(database) == expected)
        }
        if trouble == .readOnlyFileSystem { #expect(disk.contents == before) }

        Trouble.end(on: disk)
        database.write([:], at: .after(.seconds(101)))
        #expect(seen(database).health == .durable)
        #expect(seen(database).hasUnwritten == false)
        // The remaining time of the lease is unchanged.
        #expect(try found(after: 200) == record(lease("a")))
    }

    @Test(arguments: Trouble.allCases)
    func `changes during a write failure replace the old lease and baseline`(trouble: Trouble) throws {
        try boostAndKill()
        trouble.begin(on: disk)
        let database = try start()
        database.write([id: record(baselineStep: 700)], at: .after(.seconds(1)))
        Trouble.end(on: disk)
        database.write([:], at: .after(.seconds(2)))
        #expect(seen(database).health == .durable)
        #expect(try found() == record(baselineStep: 700))
    }

    @Test func `an orderly end writes the pending records`() throws {
        try boostAndKill()
        Trouble.fullDisk.begin(on: disk)
        let database = try start()
        database.write([id: record(baselineStep: 700)], at: .start)
        Trouble.end(on: disk)
        database.close(at: .start)
        #expect(try found() == record(baselineStep: 700))
    }

    @Test func `the history can be read from a file that cannot be written`() throws {
        var memory = HistoryMemory(begin: .start)
        let database = try start()
        let fixture = try HistoryFixture()
        memory.record(
            [.state(fixture.state(0.3, baseline: 0.3, .api, by: nil, true, id))],
            .whole,
            leases: { _ in [] },
            at: .start
        )
        _ = database.writeHistory(at: .start) { tables throws(DatabaseError) in
            try tables.history.write(&memory, at: .start)
        }
        disk.kill()
        disk.isReadOnly = true
        let now = Moment.after(.seconds(10))
        let later = try JournalDatabase(in: file, at: now)
        var empty = HistoryMemory(begin: now)
        let query = try HistoryQuery(id, from: now.wall + .seconds(-5), to: now.wall, step: 5)
        let history = later.readHistory(at: now) { tables throws(DatabaseError) in
            try tables.history.read(query, with: &empty, at: now)
        }
        #expect(history?.fractions == [0.3, 0.3])
    }

    @Test func `an unreadable file at the start keeps every record that no display has replaced`() throws {
        try boostAndKill()
        disk.fault = { operation, _ in operation == .open ? SQLITE_CANTOPEN : nil }
        let database = try start()
        #expect(
            seen(database)
                == Seen(record: nil, health: .failing("the state directory cannot be used"), hasUnwritten: true)
        )
        let isKnown = database.records != nil
        #expect(!isKnown)
        let other = DisplayID("hdmi")!
        Trouble.end(on: disk)
        var new = record(baselineStep: 700)
        new = DisplayRecord(id: other, maximum: 10, baseline: new.baseline, baselineStep: 7)
        database.write([other: new], at: .after(.seconds(1)))
        #expect(seen(database).health == .durable)
        #expect(try found() == record(lease("a")))
    }

    @Test func `a first start on a full disk finds no earlier records`() throws {
        disk.capacity = 0
        let database = try start()
        let earlier = database.records?.count
        #expect(earlier == 0)
        database.write([id: record(lease("a"))], at: .start)
        disk.capacity = .max
        database.write([:], at: .after(.seconds(1)))
        #expect(try found() == record(lease("a")))
    }

    // MARK: Power cuts

    @Test(arguments: [Danger.crash, .powerCut])
    func `records that must survive a power cut wait for the disk`(danger: Danger) throws {
        let database = try start()
        database.write([id: record(baselineStep: 300)], at: .start)
        let syncs = disk.syncs
        database.write([id: record(lease("a"))], safeFrom: danger, at: .start)
        #expect((disk.syncs > syncs) == (danger == .powerCut))
        database.write([id: record(lease("a"), lease("b"))], at: .start)
        disk.kill()
        disk.cutPower()
        #expect(try found() == (danger == .powerCut ? record(lease("a")) : nil))
    }

    // MARK: Disk space

    @Test(arguments: [192, 512, 1_024, 65_536])
    func `the log does not fill a small partition`(kibibytes: Int) throws {
        disk.capacity = kibibytes << 10
        let database = try start()
        for number in 0..<400 {
            database.write([id: record(lease("\(number)"))], at: .start)
            database.write([id: record()], at: .start)
            let health = database.health
            try #require(health == .durable, "after \(number) boosts")
        }
        let size = disk.used
        #expect(size <= 5 << 20)
        database.write([id: record(lease("last"))], at: .start)
        #expect(try found() == record(lease("last")))
    }

    @Test(arguments: [144, 152, 160])
    func `the log leaves room for a file that grows on a tiny partition`(kibibytes: Int) throws {
        disk.capacity = kibibytes << 10
        let database = try start()
        let second = DisplayID("second")!
        database.write([second: DisplayRecord(of: second, Array(many.prefix(20)), baselineStep: 400)], at: .start)
        for number in 0..<100 {
            database.write([id: record(lease("\(number)"))], at: .start)
            let health = database.health
            try #require(health == .durable, "after \(number) writes")
        }
    }

    @Test func `on a disk that another program fills the log keeps its space, and boosts stay durable`() throws {
        let database = try start()
        for number in 0..<30 { database.write([id: record(lease("\(number)"))], at: .start) }
        disk.fill()
        for number in 0..<100 { database.write([id: record(lease("\(number)"))], at: .start) }
        let health = database.health
        #expect(health == .durable)
        #expect(try found() == record(lease("99")))
    }

    @Test func `a full disk is reported, and nothing is lost when space is available again`() throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        disk.fill()
        for leases in [[lease("a")] + many, many] {
            var new = record(lease("a"))
            new.leases = leases
            database.write([id: new], at: .start)
            #expect(seen(database).health == .failing("the disk is full"))
            #expect(seen(database).hasUnwritten)
        }
        disk.capacity = .max
        database.write([:], at: .start)
        #expect(seen(database).health == .durable)
        #expect(try found()?.leases == many)
    }

    @Test func `a schedule that is written does not hide records that are not`() throws {
        let database = try start()
        disk.capacity = disk.used + 16_384
        database.write([id: DisplayRecord(of: id, many, baselineStep: 400)], at: .start)
        #expect(seen(database).health == .failing("the disk is full"))
        database.write([:], [RecordKey("schedule", "dark"): Array("{}".utf8)], at: .start)
        #expect(seen(database).health == .failing("the disk is full"))
        disk.capacity = .max
        database.write([:], at: .start)
        #expect(seen(database).health == .durable)
        #expect(try found()?.leases == many)
    }

    @Test(arguments: [(0, 8), (1 << 20, 63), (4 << 20, 254), (1 << 30, 1_024)])
    func `the log uses a quarter of the free space, at most 4 MiB`(room: Int, pages: Int) {
        #expect(SQLiteConnection.logPages(in: room) == pages)
    }

    @Test(
        arguments: [
            (0, 4_096, 0), (10, 4_096, 40_960), (1 << 41, 1, 1 << 40), (1 << 51, 4_096, 1 << 40),
            (.max, 4_096, 1 << 40), (.max, .max, 1 << 40),
        ] as [(UInt64, UInt64, Int)]
    )
    func `a disk has at most a terabyte of free space for the log`(blocks: UInt64, size: UInt64, bytes: Int) {
        #expect(SystemDisk.bytes(inBlocks: blocks, ofSize: size) == bytes)
    }

    // MARK: Setting aside

    /// A log next to a file that it does not belong to would overwrite that file's pages.
    @Test(arguments: 0..<4)
    func `a log never stays without its file, wherever its renaming is cut off`(renames: Int) throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        disk.kill()
        let log = try #require(disk.contents["/state/journal.db-wal"])
        disk.renames = renames
        #expect(throws: DatabaseError.unmovable(errno: EIO)) { try file.setAside(because: .damaged, at: .start) }
        #expect(disk.contents["/state/journal.db-wal"] == nil || disk.contents["/state/journal.db"] != nil)
        #expect(disk.contents.values.contains(log))

        disk.renames = .max
        let later = try start(after: 10)
        #expect(seen(later).health == .durable)
        later.write([id: record(lease("b"))], at: .after(.seconds(10)))
        #expect(try found(after: 20)?.leases.map(\.holder) == ["b"])
    }

    @Test func `a disk that damages each new file has one more set aside an hour`() throws {
        try boostAndKill()
        disk.fault = { operation, _ in operation == .write ? SQLITE_CORRUPT : nil }
        let database = try start()
        func setAside() -> Int { disk.contents.keys.count { $0.contains(/\.damaged-[0-9]+$/) } }
        for seconds in 1..<60 { database.write([:], at: .after(.seconds(seconds))) }
        #expect(setAside() == 1)
        #expect(seen(database).health == .failing("the file is damaged"))
        database.write([:], at: .after(.seconds(3_600)))
        #expect(setAside() == 2)

        Trouble.end(on: disk)
        database.write([:], at: .after(.seconds(3_601)))
        #expect(seen(database).health == .durable)
        #expect(seen(database).hasUnwritten == false)
    }

    // MARK: Errors without a damaged file

    @Test func `a failing statement sets no file aside`() throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        let stuck = DatabaseError.sqlite(code: SQLITE_ERROR, message: "cannot start a transaction within a transaction")
        let done: Bool? = database.writeHistory(at: .start) { _ throws(DatabaseError) in throw stuck }
        #expect(done == nil)
        database.write([id: record(lease("a"), lease("b"))], at: .after(.seconds(1)))
        #expect(seen(database).health == .durable)
        #expect(disk.contents.keys.sorted() == ["/state/journal.db", "/state/journal.db-wal"])
        #expect(try found() == record(lease("a"), lease("b")))
    }

    @Test(arguments: [
        ["/state/journal.db", "/state/journal.db-wal"], ["/state/journal.db"], ["/state/journal.db-wal"],
    ])
    func `deleted files are written again with all their content`(paths: [String]) throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        for path in paths { disk.delete(path) }
        let isAtStake = database.isAtStake
        #expect(isAtStake)
        database.checkFile(at: .start)
        #expect(seen(database).health == .recreated(setAside: nil, why: "the file was removed"))
        #expect(try found() == record(lease("a")))
    }

    @Test func `a deleted directory that cannot be created again is reported`() throws {
        let database = try start()
        database.write([id: record(lease("a"))], at: .start)
        disk.isMounted = false
        database.checkFile(at: .start)
        let reason = "the state directory cannot be used: No such file or directory"
        #expect(seen(database).health == .failing(reason))
        disk.isMounted = true
        database.write([:], at: .after(.seconds(1)))
        #expect(seen(database).health == .durable)
    }
}
