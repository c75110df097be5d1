// SPDX-License-Identifier: Apache-2.0
import Glibc
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// The database in use, and its behaviour on errors.
@Suite struct JournalDatabaseTests {
    private let clock = BootClock(boot: "boot", origin: Moment.start.instant)
    private let folder: TemporaryFolder
    private let file: JournalFile
    private let id = DisplayID("edp")!

    init() throws {
        folder = try TemporaryFolder()
        file = JournalFile(directory: folder.path, clock: clock)
    }

    private func lease(
        _ holder: String?,
        of principal: Principal = Principal("kiosk-3"),
        reason: String? = nil,
        for ttl: Duration? = .seconds(60),
        _ kind: LeaseKind = .boost,
        isOverridden: Bool = false
    ) -> Lease {
        Lease(
            id: LeaseID(holder == "日本 🖥" ? "japan" : holder ?? "nobody"),
            kind: kind,
            display: id,
            holder: holder,
            principal: principal,
            grantedAt: Moment.start.wall,
            brightness: kind.defaultBrightness,
            reason: reason,
            lifespan: ttl == nil ? .lifetime : .custom,
            end: ttl.map { .start + $0 },
            isOverridden: isOverridden
        )
    }

    private func record(_ leases: Lease..., baselineStep: Int = 400) -> DisplayRecord {
        DisplayRecord(of: id, leases, baselineStep: baselineStep)
    }

    private func open() throws -> JournalDatabase { try JournalDatabase(in: file, at: .start) }

    /// The record that a new run finds, which begins in this file.
    private func earlier(in clock: BootClock? = nil, at now: Moment = .start) throws -> RecoveredRecord? {
        let clock = clock ?? self.clock
        let tables = try JournalTables(in: file, timeout: .zero)
        var displays = DisplayRecords(clock)
        let found = try tables.read()
        let (documents, _) = displays.recover(found.documents, ofBoot: found.boot, at: now)
        try tables.begin(in: clock.boot, documents.mapValues { .some($0) })
        return displays.all[id]
    }

    @Test func `every record is read back unchanged`() throws {
        let record = record(
            lease("kiosk-3", reason: "Zoë's \"QR\"; DROP TABLE record; --"),
            lease(nil, for: nil),
            lease("日本 🖥", for: .milliseconds(1_500)),
            lease("page", of: Principal("uid:1000")),
            lease("night", for: .seconds(86_400), .dim, isOverridden: true),
            lease("door", .wake),
            lease("television", .sleep)
        )
        let database = try open()
        database.write([id: record], at: .start)
        database.close(at: .start)
        let found = try #require(try earlier())
        #expect(found.record == record)
        #expect(found.isOfThisBoot)
    }

    @Test(arguments: [1.0 / 3, 0.1 + 0.2, 1e-300, 0, 1]) func `a baseline is read back exactly`(fraction: Double) throws
    {
        var record = record()
        record.baseline = try #require(Brightness(fraction: fraction))
        let database = try open()
        database.write([id: record], at: .start)
        database.close(at: .start)
        #expect(try earlier()?.record == record)
    }

    @Test(arguments: [(false, true), (true, true), (true, false)])
    func `power is read back`(baseline: Bool, mayBeDark: Bool) throws {
        var record = record()
        (record.powerBaseline, record.mayBeDark) = (baseline, mayBeDark)
        let database = try open()
        database.write([id: record], at: .start)
        #expect(database.isAtStake == mayBeDark)
        database.close(at: .start)
        #expect(try earlier()?.record == record)
    }

    @Test func `the devices of a pair are read back`() throws {
        var record = record()
        record.device = DeviceRecord(
            parts: [
                DisplayID("DEL-1")!: DeviceRecord(address: "ddc:DP-1@5", writes: DailyWrites(day: 20_000, count: 7)),
                DisplayID("lid")!: DeviceRecord(address: "backlight:platform"), DisplayID("relay")!: DeviceRecord(),
            ]
        )
        #expect(record.device.parts.count == 2)
        let database = try open()
        database.write([id: record], at: .start)
        database.close(at: .start)
        #expect(try earlier()?.record == record)
    }

    @Test(arguments: [(true, false, nil), (false, true, Moment.start.wall)])
    func `the display of a client is read back until it is another one`(
        isDimmable: Bool,
        isSwitchable: Bool,
        goneSince: Timestamp?
    ) throws {
        var record = record()
        record.provided = ProvidedRecord(
            name: "Zoë's page",
            isDimmable: isDimmable,
            isSwitchable: isSwitchable,
            principal: Principal("kiosk-3"),
            goneSince: goneSince
        )
        for _ in 0..<2 {
            do {
                let database = try open()
                database.write([id: record], at: .start)
                database.close(at: .start)
            }
            #expect(try earlier()?.record == record)
            record.provided = nil
        }
    }

    @Test(arguments: [
        AutomaticRecord(isEnabled: true), AutomaticRecord(isEnabled: false),
        AutomaticRecord(
            isEnabled: true,
            heldUntil: .after(.seconds(86_400)),
            lessons: [.of(100, 0.6), .of(0, 0), .of(12_345.6, 1)]
        ), AutomaticRecord(lessons: [.of(3, 0.3)]), AutomaticRecord(),
    ])
    func `automatic brightness is read back, in this run and after two more`(automatic: AutomaticRecord) throws {
        var record = record()
        record.automatic = AutomaticRecord(isEnabled: true, lessons: [.of(1, 0.1), .of(2, 0.2)])
        let database = try open()
        database.write([id: record], at: .start)
        record.automatic = automatic
        database.write([id: record], at: .start)
        database.close(at: .start)
        for _ in 0..<3 { #expect(try earlier()?.record == record) }
    }

    @Test func `a name is read back until it is the device's own or the display is forgotten`() throws {
        var record = record()
        for name in ["Left", "Zoë's \"TV\"; DROP TABLE record; --", nil, "夜 🌙"] {
            record.settings.name = name.map { DisplayName($0)! }
            do {
                let database = try open()
                database.write([id: record], at: .start)
                database.close(at: .start)
            }
            #expect(try earlier()?.record == record)
        }
        do {
            let database = try open()
            database.forget(id)
            // The same display, later.
            database.write([id: self.record()], at: .start)
            database.close(at: .start)
        }
        #expect(try earlier()?.record.settings == DisplaySettings.none)
    }

    @Test(arguments: ["linear", "perceptual", "0:3,50:30,100:80", "0:0.07,33.3333333:7,100:99"])
    func `a curve and a position are read back`(text: String) throws {
        var record = record()
        record.settings.curve = PanelCurve(text)!
        record.settings.position = DisplaySettings.Position(DisplaySettings.Position.last)
        let database = try open()
        database.write([id: record], at: .start)
        database.close(at: .start)
        #expect(try earlier()?.record == record)
    }

    @Test func `an invalid name, curve and position count as missing`() throws {
        let database = try open()
        var named = record()
        named.settings.name = DisplayName("Left")
        database.write([id: named], at: .start)
        database.close(at: .start)
        try change(#"json_set(body, '$.name', ' Left', '$.curve', '0:1', '$.position', 0)"#, of: "settings")
        #expect(try earlier()?.record == record())
    }

    /// Each boot counts from another instant: stored times must be converted to this boot's.
    @Test func `a hold survives restarts of the machine, and does not get longer`() throws {
        var record = record()
        record.automatic = AutomaticRecord(isEnabled: true, heldUntil: .after(.seconds(600)))
        let database = try open()
        database.write([id: record], at: .start)
        database.close(at: .start)
        for (boot, seconds) in [("second", 100), ("second", 200), ("third", 300)] {
            let origin = Moment.after(.seconds(boot == "second" ? 50 : 250)).instant
            let found = try earlier(in: BootClock(boot: boot, origin: origin), at: .after(.seconds(seconds)))
            #expect(found?.record.automatic.heldUntil == .after(.seconds(600)))
        }
    }

    @Test func `only differences are written, and ended leases are deleted`() throws {
        let (a, b, c) = (lease("a"), lease("b"), lease("c"))
        let database = try open()
        database.write([id: record(a, b)], at: .start)
        database.write([id: record(b, c)], at: .start)
        database.write([id: record(c)], at: .start)
        database.write([id: record(c, a, baselineStep: 300)], at: .start)
        database.close(at: .start)
        #expect(try earlier()?.record == record(c, a, baselineStep: 300))
    }

    @Test func `after a restart of the machine the record is of another boot`() throws {
        let database = try open()
        database.write([id: record(lease("a"))], at: .start)
        database.close(at: .start)
        for _ in 0..<2 {
            let other = BootClock(boot: "other", origin: Moment.start.instant)
            #expect(try earlier(in: other)?.isOfThisBoot == false)
        }
    }

    @Test(arguments: ["record", "boot"])
    func `a table that is damaged at the start is set aside with its file`(table: String) throws {
        do {
            let database = try open()
            database.write([id: record(lease("a"))], at: .start)
            database.close(at: .start)
        }
        try folder.overwritePage(of: table, in: file.path)
        let damaged = try bytes(of: file.path)

        let database = try open()
        let (isEmpty, health) = (database.records?.isEmpty, database.health)
        #expect(isEmpty == true)
        guard case .recreated(let setAside, let why) = health else {
            Issue.record("\(health)")
            return
        }
        #expect(why == "the file is damaged")
        #expect(try bytes(of: #require(setAside)) == damaged)
    }

    @Test func `a file that turns out to be damaged is replaced by a complete one`() throws {
        let database = try open()
        database.write([id: record(lease("a"))], at: .start)
        // SQLite's error for a malformed page.
        let isDone: Bool? = database.writeHistory(at: .start) { _ throws(DatabaseError) in throw .damaged }
        #expect(isDone == nil)
        let health = database.health
        guard case .recreated = health else {
            Issue.record("\(health)")
            return
        }
        database.close(at: .start)
        #expect(try earlier()?.record == record(lease("a")))
    }

    @Test(arguments: [1, 7, 9, 99, -1, -2_147_483_641, -2_147_483_648, 2_147_483_647])
    func `a file of another version is set aside under a name that states it, with all its content`(version: Int) throws
    {
        do {
            let database = try open()
            database.write([id: record(lease("a"))], at: .start)
            database.close(at: .start)
        }
        do { try SQLiteConnection(path: file.path).run("PRAGMA user_version = \(version)") }
        let before = try bytes(of: file.path)
        guard case .recreated(let setAside?, let why) = try open().health else {
            Issue.record("it was used")
            return
        }
        #expect(
            why == "the file has version \(version) of the tables, and this brightnessd uses version \(Schema.version)"
        )
        #expect(setAside.hasPrefix("\(file.path).version-\(version)-"))
        #expect(try bytes(of: setAside) == before)
    }

    @Test func `a file that is set aside replaces none that was set aside before`() throws {
        for _ in 0..<3 {
            do { try SQLiteConnection(path: file.path).run("PRAGMA user_version = 7") }
            _ = try open()
            unlink(file.path)
        }
        let milliseconds = Moment.start.wall.milliseconds
        for number in milliseconds..<milliseconds + 3 {
            #expect(access("\(file.path).version-7-\(number)", F_OK) == 0)
        }
    }

    @Test func `a database of another program is set aside, and not extended`() throws {
        do { try SQLiteConnection(path: file.path).run("CREATE TABLE photo (name TEXT)") }
        guard case .recreated(let setAside?, _) = try open().health else {
            Issue.record("it was used")
            return
        }
        var tables: [String?] = []
        try SQLiteConnection(path: setAside).prepare("SELECT name FROM sqlite_schema").run { tables.append($0.text(0)) }
        #expect(tables == ["photo"])
    }

    // MARK: The file

    @Test func `a journal behind a symbolic link stays open, and its log is found`() throws {
        let other = try TemporaryFolder()
        try #require(symlink("\(other.path)/elsewhere.db", file.path) == 0)
        let database = try open()
        database.write([id: record(lease("a"))], at: .start)
        database.checkFile(at: .after(.seconds(5)))
        #expect(database.health == .durable)
        #expect(access("\(other.path)/elsewhere.db-wal", F_OK) == 0)
        database.measure()
        #expect(database.counts.size > 4_096)
        database.close(at: .after(.seconds(6)))
        #expect(try earlier()?.record == record(lease("a")))
    }

    @Test func `a damaged journal behind a symbolic link is set aside with its log where it is`() throws {
        let other = try TemporaryFolder()
        let target = try other.write(String(repeating: "this is not a database ", count: 1_000), to: "elsewhere.db")
        try #require(symlink(target, file.path) == 0)
        guard case .recreated(let setAside?, _) = try open().health else {
            Issue.record("it was used")
            return
        }
        #expect(setAside.hasPrefix("\(target).damaged-"))
        #expect(try earlier() == nil)
    }

    @Test func `only this user can read a new journal, its log, and the lock`() throws {
        let database = try open()
        database.write([id: record(lease("a"))], at: .start)
        for name in ["journal.db", "journal.db-wal", StateDirectory.lockName] {
            var status = stat()
            #expect(stat("\(folder.path)/\(name)", &status) == 0)
            #expect(status.st_mode & 0o777 == 0o600, "\(name)")
        }
        database.close(at: .start)
    }

    @Test(arguments: ["journal.db", "journal.db-journal", "journal.db-wal"])
    func `a pipe in place of a file of the journal is reported, and not opened`(name: String) throws {
        if name != "journal.db" { try open().close(at: .start) }
        let path = "\(folder.path)/\(name)"
        unlink(path)
        try #require(mkfifo(path, 0o600) == 0)
        let database = try open()
        #expect(database.health == .failing("\(name) is not a regular file"))
        database.write([id: record(lease("a"))], at: .after(.seconds(1)))
        #expect(database.hasUnwritten)
        unlink(path)
        database.write([:], at: .after(.seconds(2)))
        #expect(database.health == .durable)
        database.close(at: .after(.seconds(3)))
        #expect(try earlier()?.record.leases.map(\.holder) == ["a"])
    }

    @Test func `a trigger in the file does not run`() throws {
        try open().close(at: .start)
        let trigger = "CREATE TRIGGER empty AFTER INSERT ON record BEGIN DELETE FROM record; END"
        do { try SQLiteConnection(path: file.path).run(trigger) }
        let database = try open()
        database.write([id: record(lease("a"))], at: .start)
        database.close(at: .start)
        #expect(try earlier()?.record.leases.map(\.holder) == ["a"])
    }

    // MARK: Numbers

    @Test func `a start reads the newest 64 lessons of a display`() throws {
        do {
            let database = try open()
            var record = record()
            record.automatic = AutomaticRecord(isEnabled: true)
            database.write([id: record], at: .start)
            database.close(at: .start)
        }
        try change(
            """
            json_set(body, '$.auto.lessons', (
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
                SELECT json_group_array(json_object('illuminance', i, 'brightness', i / 5000.0)) FROM n
            ))
            """
        )
        let lessons = try #require(try earlier()).record.automatic.lessons
        #expect(lessons.map(\.illuminance.lux) == (4_937...5_000).map { Double($0) })
    }

    /// Changes the document of the display, as another program may.
    private func change(_ body: String, of kind: String = "display") throws {
        try SQLiteConnection(path: file.path).run("UPDATE record SET body = \(body) WHERE kind = '\(kind)'")
    }

    private func bytes(of path: String) throws -> [UInt8] {
        let descriptor = Glibc.open(path, O_RDONLY)
        defer { Glibc.close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(descriptor, &buffer, buffer.count)
        try #require(count > 0)
        return Array(buffer.prefix(count))
    }
}

extension BrightnessCurve.Point {
    fileprivate static func of(_ lux: Double, _ fraction: Double) -> Self {
        Self(Illuminance(lux: lux)!, Brightness(fraction: fraction)!)
    }
}
