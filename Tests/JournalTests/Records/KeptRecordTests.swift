// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// The records of all kinds but those of displays: written by the journal on its queue, which the test runs.
@Suite struct KeptRecordTests {
    private static let name = ResourceName("Film, spät")!
    private static let film = Preset(
        name,
        [
            Preset.Rule(PresetDisplays("DP-1")!, PresetValue(brightness: Brightness(clamping: 0.3), isOn: true)!),
            Preset.Rule(PresetDisplays("group:hall")!, PresetValue(brightness: nil, isOn: false)!),
            Preset.Rule(.all, PresetValue(brightness: Brightness(clamping: 1), isOn: nil)!),
        ]
    )!
    private static let schedules = [
        Schedule(
            name: name,
            from: .clock(minute: 1_320),
            to: .clock(minute: 420),
            effect: .lease(.dim, Brightness(clamping: 0.2))
        ),
        Schedule(
            name: name,
            displays: .named([DisplayID("edp")!, DisplayID("dp-2")!]),
            days: [.sat, .sun],
            from: .sun(.sunset, offset: -30),
            to: .sun(.sunrise, offset: 60),
            effect: .baseline(Brightness(clamping: 0.4)),
            transition: .milliseconds(1_500)
        ),
        Schedule(
            name: name,
            days: [.mon],
            from: .clock(minute: 0),
            to: .clock(minute: 1),
            effect: .lease(.sleep, nil),
            isPaused: true
        ),
    ]

    private let disk = ScriptedDisk()
    private let hub = NotificationHub()
    private let queue = ManualQueue()

    /// A run of the daemon, which is killed when the next one starts.
    private func start() throws -> JournalWriter {
        queue.removeAll()
        disk.kill()
        return try JournalWriter(
            in: "/state",
            BootClock(boot: "boot", origin: Moment.start.instant),
            on: queue,
            disk: disk,
            poster: hub.poster,
            now: { .start }
        )
    }

    /// Keeps a record in one run, and replaces, deletes and misses it in the next ones.
    private func check<Record: KeptRecord & Equatable>(_ records: Record...) throws {
        let key = records[0].key
        #expect(try start().kept(Record.self).isEmpty)
        for record in records {
            try start().keep(record, under: key) {}
            queue.runAll()
            let found = try start().kept(Record.self)
            #expect(found == [record])
        }
        try start().keep(nil as Record?, under: key) {}
        queue.runAll()
        #expect(try start().kept(Record.self).isEmpty)
    }

    @Test func `a preset is read back, replaced and removed`() throws {
        let day = Preset(Self.name, [Preset.Rule(.all, PresetValue(brightness: nil, isOn: true)!)])!
        try check(Self.film, day)
    }

    @Test func `a schedule is read back, replaced and removed`() throws {
        let records = Self.schedules.map { schedule in
            ScheduleRecord(
                schedule: schedule,
                setAt: Moment.start.wall,
                setOn: [DisplayID("edp")!, DisplayID("dp-2")!]
            )
        }
        try check(records[0], ScheduleRecord(schedule: Self.schedules[0]), records[1], records[2])
    }

    @Test func `the place is read back, replaced and removed`() throws {
        try check(Location("52.52,13.4")!, Location("-33.87,151.21")!)
    }

    @Test func `a follower is read back, replaced and removed`() throws {
        let (id, leader) = (DisplayID("dp-2")!, DisplayID("edp")!)
        try check(
            FollowerRecord(display: id, leader: leader, isBehind: true),
            FollowerRecord(display: id, leader: leader, isBehind: false)
        )
    }

    /// A kind of record of its own: this type is all that it takes.
    private struct Note: KeptRecord, Equatable {
        static let kind = "note"
        let key: String
        let text: String

        func write(to json: inout JSONWriter) {
            json.member("name", key)
            json.member("text", text)
        }

        init?(reading json: JSONNode) {
            guard let key = json["name"]?.text, let text = json["text"]?.text else { return nil }
            self.init(key, text)
        }

        init(_ key: String, _ text: String) { (self.key, self.text) = (key, text) }
    }

    @Test func `a new kind of record needs only its type`() throws {
        try check(Note("Zoë's \"TV\"; DROP TABLE record; --", "a"), Note("Zoë's \"TV\"; DROP TABLE record; --", "夜 🌙"))
    }

    @Test func `records are kept when nothing else is: a removed file is written again with all of them`() throws {
        let journal = try start()
        journal.keep(Self.film, under: Self.film.key) {}
        queue.runAll()
        for path in ["/state/journal.db", "/state/journal.db-wal"] { disk.delete(path) }
        journal.keep(Note("a", "b"), under: "a") {}
        queue.runAll()
        let later = try start()
        #expect(later.kept(Preset.self) == [Self.film])
        #expect(later.kept(Note.self) == [Note("a", "b")])
    }

    @Test func `a record that cannot be written is written once the disk has space, in the order of its changes`()
        throws
    {
        let journal = try start()
        disk.fill()
        for text in ["first", "last"] {
            journal.keep(Note("a", text), under: "a") {}
            journal.keep(Note("b", String(repeating: "x", count: 256)), under: "b") {}
            for number in 0..<500 { journal.keep(Note("\(number)", text), under: "\(number)") {} }
            queue.runAll()
        }
        journal.keep(nil as Note?, under: "b") {}
        disk.capacity = .max
        queue.runAll()
        let found = try start().kept(Note.self)
        #expect(found.count == 501)
        #expect(found.allSatisfy { $0.text == "last" })
    }

    /// The bodies of a row under the key `Film, spät`. Another program or a fault of the disk may write anything.
    private static let damaged = [
        "", "{", "{}", "[]", "null", "\"text\"", "{\"name\":\"Film, spät\"}",
        "{\"name\":\"another\",\"text\":\"a\",\"displays\":{\"all\":{\"on\":true}}}",
        "{\"name\":\"Film, spät\",\"displays\":{\"all\":{}}}", String(repeating: "[", count: 100_000),
        "{\"name\":\"\(String(repeating: "x", count: 300_000))\"}",
    ]

    @Test(arguments: damaged)
    func `a damaged record is lost alone, with one line in the log`(body: String) throws {
        let journal = try start()
        let other = Preset(ResourceName("day")!, Self.film.rules)!
        journal.keep(other, under: other.key) {}
        journal.keep(Location("52.52,13.4"), under: Location.machine) {}
        let boosted = DisplayRecord(of: DisplayID("edp")!, [], baselineStep: 400)
        journal.keep(boosted, safeFrom: .crash) {}
        queue.runAll()
        journal.end {}
        queue.runAll()
        do {
            try SQLiteConnection(path: "/state/journal.db", on: disk).prepare("INSERT INTO record VALUES (?1, ?2, ?3)")
                .run(.text(Preset.kind), .text(Self.name.text), .text(body))
        }
        let log = hub.source.listen(to: NotificationFilter([.notice])) {}
        let later = try start()
        #expect(later.kept(Preset.self) == [other])
        #expect(later.kept(Location.self) == [Location("52.52,13.4")])
        #expect(later.recovered?.values.map(\.record) == [boosted])
        #expect(log.drain() == [.notice(.journal("ignored what cannot be read: preset Film, spät"))])
    }

    @Test(arguments: [
        #""days":["mon"],"from":"22:00","to":"07:00","dim":0.2"#,
        #""displays":[],"days":["mon"],"from":"22:00","to":"07:00","dim":0.2"#,
        #""displays":["../x"],"days":["mon"],"from":"22:00","to":"07:00","dim":0.2"#,
        #""displays":["all"],"days":["mon"],"from":"25:00","to":"07:00","dim":0.2"#,
        #""displays":["all"],"days":["mon"],"from":"22:00","to":"22:00","dim":0.2"#,
        #""displays":["all"],"days":["mon"],"from":"22:00","to":"07:00","dim":2"#,
        #""displays":["all"],"days":["mon"],"from":"22:00","to":"07:00","sleep":0.2"#,
        #""displays":["all"],"days":["mon"],"from":"22:00","to":"07:00","glow":0.2"#,
    ])
    func `a schedule that cannot be carried out is invalid`(members: String) throws {
        let body = #"{"name":"a","paused":false,\#(members)}"#
        #expect(ScheduleRecord(kept: Array(body.utf8), under: "a") == nil)
    }

    @Test(arguments: ["1e99", "-1", "3601", "\"1\""])
    func `of a schedule only what is invalid is missing`(transition: String) throws {
        let body = """
            {"name":"a","displays":["all"],"days":["mon","noday"],"from":"22:00","to":"07:00","dim":0.2,"paused":false,\
            "transition":\(transition),"setAt":"yesterday","setOn":["left","../x","right"]}
            """
        let record = try #require(ScheduleRecord(kept: Array(body.utf8), under: "a"))
        #expect(record.schedule.transition == nil && record.schedule.days == [.mon] && record.setAt == nil)
        #expect(record.setOn == [DisplayID("left")!, DisplayID("right")!])
    }
}
