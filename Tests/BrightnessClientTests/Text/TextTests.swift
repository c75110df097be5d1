// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessClient
@testable import BrightnessCore

@Suite struct TextTests {
    private static let plain = Style(isStyled: false)
    private static let time = Timestamp(milliseconds: 1_790_000_000_000)

    private static func state(
        at fraction: Double = 1,
        isDimmable: Bool = true,
        power: DisplayState.Power = .unknown,
        leases: ByLeaseKind<DisplayState.LeaseSummary> = [:],
        automatic: DisplayState.Automatic = .off,
        unavailable: Unavailability? = nil,
        cause: Cause = Cause(.boost, by: "kiosk-3", reason: "qr", at: time),
        leader: DisplayID? = nil
    ) -> DisplayState {
        DisplayState(
            id: DisplayID("DP-2")!,
            name: "Wall",
            kind: .ddc,
            range: BrightnessRange(maximum: 960)!,
            brightness: Brightness(clamping: fraction),
            baseline: Brightness(clamping: 0.42),
            step: Int(fraction * 960),
            isDimmable: isDimmable,
            power: power,
            leases: leases,
            automatic: automatic,
            unavailable: unavailable,
            cause: cause,
            revision: Revision(1),
            leader: leader
        )
    }

    @Test func `an estimated light is shown with the advice`() {
        let light = Ambient(
            source: .brightness,
            illuminance: nil,
            level: 0.4,
            appearance: .day,
            sensors: [],
            at: Self.time
        )
        #expect(
            light.description(Self.plain) == """
                40 %, day, estimated
                No light sensor. If a desktop sets the brightness by the light, that is the estimate. Else add a sensor.
                """
        )
    }

    @Test func `a state is shown with what follows its boost`() {
        let boost = DisplayState.LeaseSummary(brightness: .full, count: 2, until: nil, isOverridden: false)
        let state = Self.state(leases: [.boost: boost])
        let expected = """
            Wall (DP-2)
              brightness  100 %  (960 of 960)
              boost       100 % until released (2 leases), then 42 %
              automatic   off
              last change \(Self.time.clock) boost by kiosk-3: qr
            """
        #expect(state.description(Self.plain, at: Self.time) == expected)
        #expect(state.line(Self.plain) == "DP-2  100 %  boosted, then 42 %")
        #expect(state.change(Self.plain) == "\(Self.time.clock)  DP-2  100 %  boost by kiosk-3: qr")
        let table = "ID    BRIGHTNESS  BASELINE  KIND  NAME\nDP-2  100 %       42 %      ddc   Wall"
        #expect(DisplayState.table([state], Self.plain) == table)
        #expect(DisplayState.table([], Self.plain) == "ID  BRIGHTNESS  BASELINE  KIND  NAME")
    }

    @Test func `a state is shown with what follows its dim, and switched off`() {
        let dim = DisplayState.LeaseSummary(
            brightness: Brightness(clamping: 0.2),
            count: 1,
            until: Self.time + .seconds(60),
            isOverridden: false
        )
        let state = Self.state(
            at: 0.2,
            power: .init(isOn: false, baseline: true, isSwitchable: true),
            leases: [.dim: dim]
        )
        #expect(state.line(Self.plain) == "DP-2  off, 20 % when on  dimmed, then 42 %")
        #expect(state.change(Self.plain) == "\(Self.time.clock)  DP-2  off, 20 % when on  boost by kiosk-3: qr")
        #expect(DisplayState.table([state], Self.plain).hasSuffix("\nDP-2  off         42 %      ddc   Wall"))
        let text = state.description(Self.plain, at: Self.time)
        #expect(text.contains("  brightness  off, 20 % when on  (192 of 960)"))
        #expect(text.contains("dim         20 % until \((Self.time + .seconds(60)).clock) (1 lease), then 42 %"))
    }

    private static func lease(
        _ kind: LeaseKind,
        by holder: String?,
        _ percent: Double? = nil,
        until end: Timestamp? = nil,
        _ lifespan: LeaseLifespan = .custom
    ) -> Lease {
        Lease(
            id: LeaseID("\(kind) \(holder ?? "")"),
            kind: kind,
            display: DisplayID("DP-2")!,
            holder: holder,
            grantedAt: time,
            brightness: percent.map { Brightness(clamping: $0 / 100) },
            reason: nil,
            lifespan: lifespan,
            end: end.map { Moment(instant: Instant(sinceBoot: .zero), wall: $0) }
        )
    }

    @Test(arguments: [
        (
            [lease(.dim, by: "schedule:night", 20, .lifetime)],
            "20 % by the schedule night, until \(morning.minute(at: time))"
        ),
        ([lease(.dim, by: "schedule:other", 20, .lifetime)], "20 % by the schedule other, until the schedule ends"),
        ([lease(.dim, by: "idle", 10, .lifetime)], "10 % while nobody is there"),
        ([lease(.dim, by: nil, 20, until: time + .seconds(60))], "20 %, until \((time + .seconds(60)).clock)"),
        (
            [lease(.dim, by: "a", 30, .visible), lease(.dim, by: "b", 20, .visible)],
            "20 % by b and another, while its page is open"
        ),
        ([lease(.dim, by: "a", 30, .lifetime)], "30 % by a, until released"),
    ])
    func `a dim is shown with its holder and its end`(leases: [Lease], text: String) throws {
        let schedule = Schedule(
            name: try #require(ResourceName("night")),
            from: .clock(minute: 0),
            to: .clock(minute: 60),
            effect: .lease(.dim, Brightness(clamping: 0.2))
        )
        let state = ScheduleState(schedule: schedule, isActive: true, next: .init(at: Self.morning, isBegin: false))
        let heldLeases = HeldLeases(leases, schedules: [state])
        let dim = DisplayState.LeaseSummary(
            brightness: leases.compactMap(\.brightness).min(),
            count: leases.count,
            until: nil,
            isOverridden: false
        )
        let shown = Self.state(at: 0.2, leases: [.dim: dim]).description(Self.plain, at: Self.time, heldLeases)
        #expect(shown.contains("\n  dim         \(text), then 42 %\n"))
    }

    private static let morning = time + .seconds(8 * 3_600)

    @Test(
        arguments: [
            (
                0.4, true, 0.6, true, nil, Cause(.api, by: "maria", reason: "evening", at: time),
                "60 %  set by maria: evening"
            ),
            (0.4, true, 0.4, false, nil, Cause(.api, by: "maria", at: time), "off  set by maria"),
            (0.4, false, 0.4, true, nil, Cause(.api, at: time), "on, 40 %  set"),
            (0.4, false, 0.3, false, nil, Cause(.api, at: time), "off, 30 % when on  set"),
            (
                0.4, true, 0.2, true, (.dim, false), Cause(.schedule, by: "schedule:night", at: time),
                "20 %  dim by the schedule night"
            ),
            (
                0.2, true, 0.4, true, (.dim, true), Cause(.schedule, by: "schedule:night", at: time),
                "40 %  dim by the schedule night ended"
            ),
            (
                1, true, 0.4, true, (.boost, true), Cause(.expired, by: "kiosk", reason: "qr", at: time),
                "40 %  boost by kiosk expired: qr"
            ),
            (
                1, true, 0.4, true, (.boost, true), Cause(.restore, by: "maria", at: time),
                "40 %  boost ended by maria"
            ),
            (0.4, true, 0.1, true, (.dim, false), Cause(.idle, by: "idle", at: time), "10 %  dim: nobody is there"),
            (0.4, true, 0.6, true, nil, Cause(.follow, by: "edp", at: time), "60 %  follows edp"),
        ] as [(Double, Bool, Double, Bool, (LeaseKind, Bool)?, Cause, String)]
    )
    func `a change is one line`(
        from: Double,
        wasOn: Bool,
        to: Double,
        isOn: Bool,
        lease: (LeaseKind, Bool)?,
        cause: Cause,
        text: String
    ) {
        func shown(_ fraction: Double, _ isOn: Bool) -> DisplayChange.Shown {
            let brightness = Brightness(clamping: fraction)
            return .init(brightness: brightness, baseline: brightness, isOn: isOn, isAvailable: true)
        }
        let change = DisplayChange(
            DisplayID("DP-2")!,
            shown(to, isOn),
            before: shown(from, wasOn),
            lease: lease.map { .init($0.0, hasEnded: $0.1) },
            cause: cause
        )
        #expect(change.line(Self.plain, at: Self.time) == "\(Self.time.clock)  \(text)")
    }

    @Test func `an unavailable display is not shown as off`() {
        let state = Self.state(
            power: .init(isOn: false, baseline: false, isSwitchable: true),
            unavailable: Unavailability(since: Self.time, isAtLatest: false)
        )
        #expect(state.line(Self.plain) == "DP-2  not available")
    }

    @Test(
        arguments: [
            ([], ""), ([.power], "  off: the boost shows when it is on"),
            ([.sleep], "  off: the boost shows when it is on"),
            ([.dim], "  dimmed: the boost shows when the dim ends"),
            ([.dim, .power], "  off: the boost shows when it is on"),
        ] as [([DisplayState.Limit], String)]
    )
    func `a granted boost is shown with why it does not show`(limits: [DisplayState.Limit], remark: String) {
        let lease = Lease(
            id: LeaseID("1"),
            display: DisplayID("DP-2")!,
            holder: nil,
            grantedAt: Self.time,
            brightness: .full,
            reason: nil,
            lifespan: .custom,
            end: nil
        )
        let line = lease.line(Self.plain, at: Self.time, limitedBy: limits)
        #expect(line == "DP-2  100 % until released\(remark)")
    }

    @Test(arguments: [(LeaseKind.sleep, "off"), (.wake, "on")])
    func `a granted sleep is shown as off, a wake as on`(kind: LeaseKind, word: String) {
        let line = Self.lease(kind, by: nil, until: Self.time).line(Self.plain, at: Self.time)
        #expect(line == "DP-2  \(word) until \(Self.time.clock)")
    }

    @Test(arguments: [(true, "on"), (false, "off"), (nil, "on")] as [(Bool?, String)])
    func `a display that cannot be dimmed is shown as on or off`(isOn: Bool?, word: String) {
        let state = Self.state(isDimmable: false, power: .init(isOn: isOn, baseline: true, isSwitchable: true))
        #expect(state.line(Self.plain) == "DP-2  \(word)")
        #expect(state.description(Self.plain, at: Self.time).contains("brightness  \(word), cannot be dimmed"))
        #expect(DisplayState.table([state], Self.plain).hasSuffix("\nDP-2  \(word.padding(10))  on        ddc   Wall"))
    }

    @Test func `a display whose power is unknown is shown as people asked`() {
        let state = Self.state(isDimmable: false, power: .init(isOn: nil, baseline: false, isSwitchable: true))
        #expect(state.line(Self.plain) == "DP-2  off")
    }

    @Test func `a display that has nothing to follow waits for a sensor`() {
        let state = Self.state(automatic: .init(isEnabled: true, waiting: .sensor))
        #expect(state.line(Self.plain).hasSuffix("  automatic, waiting for a light sensor"))
        let text = state.description(Self.plain, at: Self.time)
        #expect(text.contains("  automatic   on, waiting for a light sensor"))
    }

    @Test func `a display is shown with the one that it follows`() {
        let state = Self.state(at: 0.42, leader: DisplayID("edp"))
        #expect(state.line(Self.plain).hasSuffix("  follows edp"))
        #expect(state.description(Self.plain, at: Self.time).contains("\n  follows     edp\n"))
    }

    @Test(arguments: [(false, "since "), (true, "since before ")])
    func `a display of an offline machine is unavailable since then, not by its last change`(
        isAtLatest: Bool,
        words: String
    ) {
        let (lost, now) = (Self.time + .seconds(3_600), Self.time + .seconds(4_200))
        let state = Self.state(
            unavailable: Unavailability(since: lost, isAtLatest: isAtLatest),
            cause: Cause(.api, by: "maria", at: Self.time)
        )
        #expect(state.line(Self.plain) == "DP-2  not available")
        #expect(state.change(Self.plain) == "\(lost.clock)  DP-2  not available")
        #expect(state.description(Self.plain, at: now).contains("not available \(words)\(lost.clock(at: now)): "))
        #expect(state.description(Self.plain, at: now).contains("set by maria"))
    }

    @Test func `colour is only where a terminal has it`() {
        #expect(Self.state().line(Style(isStyled: true)) == "\u{1B}[1mDP-2\u{1B}[0m  100 %")
    }

    @Test(
        arguments: [
            (.lease(.dim, Brightness(clamping: 0.2)), "dim 20 %"), (.lease(.sleep, nil), "sleep"),
            (.baseline(Brightness(clamping: 0.4)), "brightness 40 %"),
        ] as [(Schedule.Effect, String)]
    )
    func `a schedule is shown with its days, displays and next change`(effect: Schedule.Effect, text: String) throws {
        let schedule = Schedule(
            name: try #require(ResourceName("night")),
            displays: .named([DisplayID("DP-2")!]),
            days: [.mon, .tue],
            from: .clock(minute: 1_320),
            to: .sun(.sunrise, offset: 0),
            effect: effect
        )
        let state = ScheduleState(schedule: schedule, isActive: false, next: .init(at: Self.time, isBegin: true))
        let expected = "night  22:00 to sunrise on mon, tue  \(text)  DP-2  begins "
        // The daemon's times, whatever those of this machine are.
        #expect(state.line(Self.plain, at: Self.time, utcOffset: 0) == expected + "14:13")
        #expect(state.line(Self.plain, at: Self.time, utcOffset: 43_200) == expected + "02:13")
        let yesterday = Timestamp(milliseconds: Self.time.milliseconds - 86_400_000)
        #expect(state.line(Self.plain, at: yesterday, utcOffset: -3_600) == expected + "2026-09-21 13:13")
    }

    @Test(
        arguments: [(ClientError.usage("a"), 64), (.failed("a"), 1), (.unreachable("a"), 3)] as [(ClientError, Int32)]
    )
    func `an error has an exit status of its own`(error: ClientError, code: Int32) {
        #expect(error.exitCode == code)
        #expect(error.sentence == "a")
    }
}

extension String {
    fileprivate func padding(_ width: Int) -> String { self + String(repeating: " ", count: width - count) }
}
