// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// Everything that people have set, as one document: over the journal, in runs of the daemon one after the other.
@Suite struct ConfigurationServiceTests {
    /// A run, which is killed when the next one starts.
    private final class Run {
        let hub = NotificationHub()
        let displays: DisplayService
        let service: ConfigurationService
        private let journal: JournalWriter

        init(_ ids: String..., on disk: ScriptedDisk) throws {
            disk.kill()
            let clock = BootClock(boot: "boot", origin: Moment.start.instant)
            let queue = ImmediateQueue()
            journal = try JournalWriter(in: "/s", clock, on: queue, disk: disk, poster: hub.poster) { .start }
            displays = try DisplayService(
                try ids.map { try Self.panel($0) },
                .init(
                    journal: journal,
                    earlier: journal.recovered,
                    settings: Dictionary(
                        uniqueKeysWithValues: journal.kept(SettingsRecord.self).map { ($0.display, $0.settings) }
                    )
                ),
                poster: hub.poster,
                source: hub.source,
                at: .start
            )
            let holders = HolderService(
                displays,
                [
                    Schedules(
                        SchedulePlanner(UTC()),
                        journal.kept(ScheduleRecord.self),
                        at: journal.kept(Location.self).first
                    )
                ],
                journal: journal,
                on: queue,
                source: hub.source,
                poster: hub.poster,
                clock: .init(now: { .start }, isSet: { _ in true })
            )
            let presets = PresetService(journal.kept(Preset.self), journal: journal) { [hub] in
                hub.poster.put([.presets($0)])
            }
            service = ConfigurationService(presets, holders, displays, groups: .none, journal: journal)
        }

        private static func panel(_ id: String) throws -> DisplayService.PanelRegistration {
            let range = try #require(BrightnessRange(maximum: 100))
            let panel = ScriptedPanel(try #require(DisplayID(id)), range: range, step: 50)
            return DisplayService.PanelRegistration(panel, on: ImmediateQueue())
        }

        func end() { journal.end {} }

        func add(_ id: String) throws { try displays.add(Self.panel(id), at: .start) }

        /// - Parameter reading: Called while the panel is read for the first time.
        func add(_ id: String, reading: @escaping @Sendable () -> Void) throws {
            let panel = PanelReadSlowly(panel: try Self.panel(id).panel, reading: reading)
            try displays.add(DisplayService.PanelRegistration(panel, on: ImmediateQueue()), at: .start)
        }

        func document(of json: String) throws -> ConfigurationDocument {
            try ConfigurationDocument(from: RequestBody(parsing: Array(json.utf8)), by: service.rules)
        }

        func put(_ json: String) throws {
            let document = try document(of: json)
            let isDone = Mutex(false)
            service.replace(with: document, by: "boss", at: .start) { isWanted in isDone.withLock { $0 = isWanted } }
            #expect(isDone.withLock { $0 })
        }

        var document: String { String(decoding: service.current.json, as: UTF8.self) }

        func state(_ id: String) -> DisplayState? { DisplayID(id).flatMap { displays.state(of: $0) } }
    }

    private struct PanelReadSlowly: Panel {
        let panel: any Panel
        let reading: @Sendable () -> Void

        var id: DisplayID { panel.id }
        var name: String { panel.name }
        var kind: DisplayKind { panel.kind }
        var range: BrightnessRange { panel.range }
        var isCheapToRead: Bool { false }
        var isVolatile: Bool { false }
        var changes: AsyncStream<Cause.Kind> { panel.changes }

        func write(_ step: Int) throws(DeviceError) { try panel.write(step) }

        func read() throws(DeviceError) -> Int {
            reading()
            return try panel.read()
        }
    }

    private static let full = #"""
        {"version":1,"presets":[{"name":"day","displays":{"left":{"brightness":0.7},"all":{"on":true}}},\#
        {"name":"film","displays":{"all":{"brightness":0.3}}}],\#
        "schedules":[{"name":"evening","displays":["left"],"days":["sat","sun"],"from":"sunset-00:30","to":"23:00",\#
        "brightness":0.4,"transition":1.5,"paused":true},{"name":"night","displays":["all"],"days":["mon","tue","wed",\#
        "thu","fri","sat","sun"],"from":"22:00","to":"06:00","dim":0.2,"transition":null,"paused":false}],\#
        "displays":[{"display":"left","name":"Left","curve":[[0,0.03],[1,0.8]],"position":1},\#
        {"display":"right","name":"Zoë's \"TV\"","curve":null,"position":null}],\#
        "location":{"latitude":52.52,"longitude":13.4}}
        """#
    private static let empty = #"{"version":1,"presets":[],"schedules":[],"displays":[],"location":null}"#

    private let disk = ScriptedDisk()

    @Test func `a document is read back as it was put, by this run and by the next one`() throws {
        var run = try Run("left", on: disk)
        #expect(run.document == Self.empty)
        try run.put(Self.full)
        #expect(run.document == Self.full)
        run = try Run("left", on: disk)
        #expect(run.document == Self.full)
        try run.put(Self.empty)
        #expect(run.document == Self.empty)
        #expect(try Run(on: disk).document == Self.empty)
    }

    @Test func `a document replaces what another one has set`() throws {
        let run = try Run("left", on: disk)
        try run.put(Self.full)
        let other = #"""
            {"version":1,"presets":[{"name":"day","displays":{"all":{"brightness":0.5}}}],"schedules":[],\#
            "displays":[{"display":"right","name":null,"curve":null,"position":2}],"location":null}
            """#
        try run.put(other)
        #expect(run.document == other)
        #expect(run.state("left")?.name == "Scripted display")
        #expect(try Run(on: disk).document == other)
    }

    @Test(arguments: ["presets", "schedules", "displays", "location"])
    func `a member that is left out keeps the current ones`(name: String) throws {
        let run = try Run("left", on: disk)
        try run.put(Self.full)
        let value = name == "location" ? "null" : "[]"
        try run.put(#"{"version":1,"\#(name)":\#(value)}"#)
        for other in ["presets", "schedules", "displays", "location"] {
            let isEmpty = run.document.contains(#""\#(other)":[]"#) || run.document.contains(#""\#(other)":null"#)
            #expect(isEmpty == (other == name))
        }
    }

    @Test func `settings that are set while a display is opened are in force`() throws {
        var run = try Run(on: disk)
        let document = try run.document(of: Self.full)
        try run.add("left") { [service = run.service] in
            service.replace(with: document, by: nil, at: .start) { _ in }
        }
        #expect(run.state("left")?.name == "Left")
        #expect(run.document == Self.full)
        run = try Run("left", on: disk)
        #expect(run.state("left")?.name == "Left")
    }

    @Test func `the settings of an absent display are in force once it is there`() throws {
        var run = try Run("left", on: disk)
        try run.put(Self.full)
        try run.add("right")
        #expect(run.state("right")?.name == "Zoë's \"TV\"")
        #expect(run.state("left")?.range.curve == PanelCurve("0:3,100:80"))
        run = try Run("right", on: disk)
        #expect(run.state("right")?.name == "Zoë's \"TV\"")
        // Its record is of an earlier run, and its settings are not.
        run = try Run("left", on: disk)
        try run.put(#"{"version":1,"displays":[{"display":"right","name":"Hall"}]}"#)
        #expect(try Run("right", on: disk).state("right")?.name == "Hall")
    }

    @Test func `the newest settings win, whether the display was there or not`() throws {
        var run = try Run("right", on: disk)
        for name in ["Left", "Hall", "Left"] {
            try run.put(#"{"version":1,"displays":[{"display":"right","name":"\#(name)"}]}"#)
            run.displays.withdraw(own: DisplayID("right")!)
            try run.put(#"{"version":1,"displays":[{"display":"right","name":"Away"}]}"#)
            try run.add("right")
            #expect(run.state("right")?.name == "Away")
            try run.put(#"{"version":1,"displays":[{"display":"right","name":"\#(name)"}]}"#)
            run = try Run("right", on: disk)
            #expect(run.state("right")?.name == name)
        }
        try run.put(#"{"version":1,"displays":[]}"#)
        #expect(try Run("right", on: disk).state("right")?.name == "Scripted display")
    }

    /// Another version may have other tables, but for this one.
    @Test(arguments: [7, 99])
    func `a file of another version keeps what people have set`(version: Int) throws {
        do {
            let run = try Run("left", "right", on: disk)
            try run.put(Self.full)
            run.end()
        }
        do {
            let file = try SQLiteConnection(path: "/s/journal.db", on: disk)
            try file.run("DROP TABLE boot; DROP TABLE sample; PRAGMA user_version = \(version)")
        }
        let run = try Run("left", "right", on: disk)
        #expect(run.document == Self.full)
        #expect(run.state("left")?.name == "Left")
        guard case .journal(.recreated(_?, let why))? = run.hub.source.retained(.journal) else {
            Issue.record("it was used")
            return
        }
        #expect(why.hasSuffix("What people have set was kept"))
        // Also in the new file.
        #expect(try Run("left", on: disk).document == Self.full)
    }

    @Test func `unchanged parts go on, and changed ones have the events of single changes`() throws {
        let run = try Run("left", "right", on: disk)
        try run.put(#"{"version":1,"schedules":[{"name":"a","from":"12:00","to":"11:59","dim":0.2}]}"#)
        let (left, right) = (try #require(DisplayID("left")), try #require(DisplayID("right")))
        let leases = [left, right].map { run.displays.leases(of: $0)?.all.map(\.id) }
        #expect(leases.allSatisfy { $0?.count == 1 })
        let before = run.displays.revision
        let listener = run.hub.source.listen(to: NotificationFilter([.state, .lease, .presets, .schedules])) {}
        _ = listener.drain()
        try run.put(
            #"""
            {"version":1,"schedules":[{"name":"a","from":"12:00","to":"11:59","dim":0.2}],\#
            "displays":[{"display":"left","name":"Left"}]}
            """#
        )
        #expect([left, right].map { run.displays.leases(of: $0)?.all.map(\.id) } == leases)
        let facts = listener.drain()
        #expect(facts.count == 1 && run.displays.revision == before.next)
        guard case .state(let state)? = facts.first else {
            Issue.record("\(facts)")
            return
        }
        #expect((state.id, state.name, state.cause.kind, state.cause.by) == (left, "Left", .settings, "boss"))
        try run.put(#"{"version":1,"schedules":[],"presets":[{"name":"day","displays":{"all":{"on":true}}}]}"#)
        #expect(Set(listener.drain().map(\.kind)) == [.state, .lease, .presets, .schedules])
        #expect(run.displays.leases(of: left)?.all.isEmpty == true)
    }
}
