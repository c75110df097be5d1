// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Each document is read as it was written.
@Suite struct RoundTripTests {
    private static let time = Moment.start.wall
    private static let panel = DisplayID("panel")!

    private func read<Value>(_ json: [UInt8], _ reading: (JSONNode) -> Value?) throws -> Value {
        let root = try #require(JSONDocument(parsing: json)?.root)
        return try #require(reading(root), "\(String(decoding: json, as: UTF8.self))")
    }

    /// A state with a value in every member.
    private static let state = DisplayState(
        id: panel,
        name: "Panel",
        kind: .ddc,
        range: BrightnessRange(maximum: 960)!,
        brightness: Brightness(clamping: 0.5),
        baseline: Brightness(clamping: 0.25),
        step: 480,
        isDimmable: false,
        provider: Principal("kiosk-3"),
        power: .init(isOn: false, baseline: true, isSwitchable: true, hasSignal: true),
        leases: [
            .boost: .init(brightness: .full, count: 2, until: time, isOverridden: false),
            .dim: .init(brightness: Brightness(clamping: 0.125), count: 1, until: nil, isOverridden: true),
            .wake: .init(count: 3, until: nil, isOverridden: true),
            .sleep: .init(count: 4, until: time, isOverridden: false),
        ],
        automatic: .init(isEnabled: true, heldUntil: time, waiting: .sensor),
        unavailable: Unavailability(since: time, isAtLatest: true),
        writes: .init(today: 7, budget: 1_000),
        cause: Cause(.boost, by: "kiosk-3", principal: Principal("kiosk"), reason: "qr", at: time),
        revision: Revision(12),
        tags: [DisplayTag("floor1")!],
        position: DisplaySettings.Position(3),
        leader: DisplayID("left")
    )

    @Test func `a state is read as it was written`() throws {
        let expected = """
            {"id":"panel","name":"Panel","kind":"ddc","provider":"kiosk-3","brightness":0.5,"baseline":0.25,\
            "raw":{"value":480,"maximum":960},"percent":50,"dimmable":false,\
            "power":{"on":false,"baseline":true,"switchable":true,"signal":true},\
            "boost":{"brightness":1,"leases":2,"until":"2026-11-21T06:00:00.123Z","overridden":false},\
            "dim":{"brightness":0.125,"leases":1,"until":null,"overridden":true},\
            "wake":{"leases":3,"until":null,"overridden":true},\
            "sleep":{"leases":4,"until":"2026-11-21T06:00:00.123Z","overridden":false},"limitedBy":["device","sleep"],\
            "auto":{"enabled":true,"heldUntil":"2026-11-21T06:00:00.123Z","waiting":"sensor"},"available":false,\
            "unavailable":{"since":"2026-11-21T06:00:00.123Z","atLatest":true},"writes":{"today":7,"budget":1000},\
            "tags":["floor1"],"position":3,"follows":"left",\
            "cause":{"kind":"boost","by":"kiosk-3","principal":"kiosk","reason":"qr",\
            "at":"2026-11-21T06:00:00.123Z"},"revision":12}
            """
        #expect(String(decoding: Self.state.json, as: UTF8.self) == expected)
        #expect(try read(Self.state.json) { DisplayState(reading: $0) } == Self.state)
    }

    @Test func `a state without its optional members is read as it was written`() throws {
        let state = DisplayState(
            id: Self.panel,
            name: "",
            kind: .remote,
            range: BrightnessRange(maximum: 1)!,
            brightness: .full,
            baseline: .full,
            step: 1,
            automatic: .off,
            cause: Cause(.api, at: Self.time),
            revision: Revision(1)
        )
        #expect(try read(state.json) { DisplayState(reading: $0) } == state)
        #expect(try read(state.json(releasing: 3)) { DisplayState.released(in: $0) } == 3)
        #expect(try read(state.json) { .some(DisplayState.released(in: $0)) } == nil)
    }

    @Test func `copies of a state share its text, and a changed state has its own`() {
        func address(_ state: DisplayState) -> UnsafePointer<UInt8>? {
            state.json.withUnsafeBufferPointer(\.baseAddress)
        }
        let first = Self.state.mirrored(as: Self.panel, named: "A", principal: nil, leader: nil)
        let copy = first
        #expect(address(first) == address(copy))
        var later = first
        later.revision = Revision(13)
        #expect(String(decoding: later.json, as: UTF8.self).hasSuffix(#""revision":13}"#))
        #expect(String(decoding: first.json, as: UTF8.self).hasSuffix(#""revision":12}"#))
        var other = first
        other.power = .unknown
        #expect(String(decoding: other.json, as: UTF8.self).contains(#""power":{"on":null"#))
        #expect(address(first) == address(copy))
    }

    /// A document that another daemon may send, with a part of `state` replaced.
    @Test(
        arguments: [
            ("\"ddc\"", "\"crystal\"", true), ("\"Panel\"", "\"\\u001b[2J\"", false), ("0.25", "1.25", false),
            ("480", "961", false), ("480", "1e300", false), ("\"on\":false", "\"on\":null", true),
            ("\"switchable\":true", "\"switchable\":1", false), ("\"leases\":2", "\"leases\":-2", true),
            ("\"atLatest\":true", "\"atLatest\":null", false), ("\"boost\",\"by\"", "\"whim\",\"by\"", true),
            ("\"qr\"", "\"q\\u001br\"", true),
            ("2026-11-21T06:00:00.123Z\"},\"revision\"", "today\"},\"revision\"", false),
            ("[\"floor1\"]", "[\"floor 1\",2]", true), ("\"revision\":12", "\"revision\":12,\"later\":{}", true),
            ("\"auto\"", "\"automatic\"", false),
            ("\"dimmable\":false,", "", true), ("\"id\":\"panel\"", "\"id\":\"all\"", false),
        ] as [(String, String, Bool)]
    )
    func `a state is rejected only without a valid required member`(part: String, other: String, isRead: Bool) throws {
        let text = String(decoding: Self.state.json, as: UTF8.self)
        try #require(text.contains(part))
        let document = try #require(JSONDocument(parsing: Array(text.replacing(part, with: other).utf8)))
        #expect((DisplayState(reading: document.root) != nil) == isRead)
    }

    @Test func `the light is read as it was written`() throws {
        let light = Ambient(
            source: .sensor,
            illuminance: Illuminance(lux: 320),
            level: 0.5,
            appearance: .day,
            sensors: [
                .init(id: "front", kind: .illuminance, illuminance: Illuminance(lux: 320), condition: .live),
                .init(id: "back", kind: .illuminance, condition: .impossible),
                .init(id: "hand", kind: .proximity, isNear: true, condition: .live),
            ],
            at: Self.time
        )
        #expect(try read(light.json) { Ambient(reading: $0) } == light)
        let estimate = Ambient(
            source: .brightness,
            illuminance: nil,
            level: nil,
            appearance: nil,
            sensors: [.init(id: "hand", kind: .proximity, condition: .stale)],
            at: Self.time
        )
        #expect(try read(estimate.json) { Ambient(reading: $0) } == estimate)
    }

    @Test(
        arguments: [(nil, .impossible, true), (nil, .stale, false), (80, .impossible, false)]
            as [(Double?, Ambient.SensorCondition, Bool)]
    )
    func `a tip names sensors that may be broken, where no other has a reading`(
        lux: Double?,
        condition: Ambient.SensorCondition,
        hasTip: Bool
    ) {
        let light = Ambient(
            source: .sensor,
            illuminance: lux.flatMap { Illuminance(lux: $0) },
            level: nil,
            appearance: nil,
            sensors: [.init(id: "front", kind: .illuminance, condition: condition)],
            at: Self.time
        )
        #expect(String(decoding: light.json, as: UTF8.self).contains("reads only 0") == hasTip)
    }

    @Test(arguments: LeaseKind.allCases) func `a lease is read as it was written`(kind: LeaseKind) throws {
        let now = Moment.start
        let lease = Lease(
            id: LeaseID("l-1"),
            kind: kind,
            display: Self.panel,
            holder: "kiosk-3",
            principal: Principal("kiosk"),
            grantedAt: Self.time + .seconds(-5),
            brightness: kind.defaultBrightness,
            reason: "qr",
            lifespan: .visible,
            end: now + .seconds(60),
            graceEnd: now + .seconds(10),
            isOverridden: true
        )
        #expect(try read(lease.json) { Lease(reading: $0, at: now) } == lease)
        let table = LeaseTable(display: Self.panel, goingOnWith: [lease], at: now)
        #expect(try read(table.json) { LeaseTable.leases(in: $0, at: now) } == [lease])
    }

    @Test(
        arguments: [
            .lease(.boost, .full), .lease(.dim, Brightness(clamping: 0.25)), .lease(.sleep, nil), .baseline(.full),
        ] as [Schedule.Effect]
    )
    func `a schedule is read as it was written`(effect: Schedule.Effect) throws {
        let schedule = Schedule(
            name: try #require(ResourceName("night")),
            displays: effect == .baseline(.full) ? .all : .named([Self.panel]),
            days: [.mon, .sun],
            from: .sun(.sunset, offset: -30),
            to: .clock(minute: 420),
            effect: effect,
            transition: .seconds(90)
        )
        let state = ScheduleState(schedule: schedule, isActive: true, next: .init(at: Self.time, isBegin: false))
        #expect(try read(state.json) { ScheduleState(reading: $0) } == state)
        let report = ScheduleReport(
            schedules: [state],
            isClockSet: true,
            day: LocalDay(utcOffset: -3_600, sun: .init(sunrise: nil, sunset: Self.time))
        )
        #expect(try read(report.json) { ScheduleReport(reading: $0) } == report)
    }

    @Test func `a problem is read as it was written`() throws {
        let problem = ProblemDocument(
            "invalid-body",
            title: "Invalid body",
            status: 422,
            detail: "No.",
            errors: [.init(at: "/raw", "No.")]
        )
        #expect(try read(problem.json) { ProblemDocument(reading: $0) } == problem)
    }

    @Test func `the results of a command are read as they were written`() throws {
        let written = DisplayResult.list([
            DisplayResult(display: Self.panel, status: 200, part: .state, content: Self.state.json),
            DisplayResult(display: DisplayID("other")!, status: 404, part: .problem, content: Array("{}".utf8)),
        ])
        let results = try read(written) { DisplayResult.all(in: $0).map { Array($0) } }
        #expect(results.map(\.display.text) == ["panel", "other"])
        #expect(results.map(\.status) == [200, 404])
        #expect(results.map(\.part) == [.state, .problem])
        #expect(DisplayState(reading: results[0].content) == Self.state)
    }
}
