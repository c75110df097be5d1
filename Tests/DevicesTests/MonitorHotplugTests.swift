// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Devices

/// A monitor that is asleep at the start of the daemon, or plugged in later.
@Suite(.timeLimit(.minutes(10)))
struct MonitorHotplugTests {
    private let script: ScriptedHelper
    private let tree: SysfsTree
    private let source: MonitorSource
    private let passed = DDCHelperTests.Passed()
    private let id: DisplayID
    private let asleep = #"case $line in *read*) printf '{"error":"asleep","number":%s}\n' "$number"; continue ;; esac"#
    private let failing =
        #"case $line in *read*) printf '{"error":"failed","number":%s}\n' "$number"; continue ;; esac"#

    init() throws {
        script = try ScriptedHelper()
        tree = try SysfsTree()
        for directory in ["class/i2c-dev", "class/i2c-dev/i2c-5"] { try tree.makeDirectory(directory) }
        id = try #require(DisplayID("DEL-U2720Q-1"))
        source = MonitorSource(
            program: script.path,
            sysfsRoot: tree.root,
            writesPerDay: 300,
            source: NotificationHub().source,
            helperTime: { [passed] in passed.now },
            now: { .start }
        )
        try script.fails(asleep)
    }

    private func open(
        _ selections: DisplaySelection...,
        watch: DeviceWatch? = nil,
        monitors: MonitorSource? = nil
    ) throws -> OpenedDisplays {
        try openDisplays(selections, sysfsRoot: tree.root, watch: PanelWatch(watch), monitors: monitors ?? source)
    }

    /// Monitors after an earlier run.
    private func source(after record: DisplayRecord, under root: String? = nil) -> MonitorSource {
        MonitorSource(
            program: script.path,
            sysfsRoot: root ?? tree.root,
            writesPerDay: 300,
            switchable: [id],
            goingOnFrom: [id: record],
            source: NotificationHub().source,
            now: { .start }
        )
    }

    private func record(mayBeDark: Bool = false, ceiling: Int? = nil) -> DisplayRecord {
        DisplayRecord(
            id: id,
            maximum: 100,
            baseline: .full,
            baselineStep: 40,
            ceiling: ceiling,
            mayBeDark: mayBeDark,
            device: DeviceRecord(address: "ddc:DP-1@5")
        )
    }

    private func searches() throws -> Int { try script.requests().filter { $0.contains("detect") }.count }

    /// A piece of shell for a helper that finds these monitors; the default one is among them.
    private func finds(_ monitors: String...) -> String {
        let lines = monitors.map { #"printf '{"bus":5,"monitor":"\#($0)","name":"DELL","number":%s}\n' "$number""# }
        return """
            case $line in *detect*)
                \(lines.joined(separator: "; "))\(lines.isEmpty ? "" : ";")
                printf '{"done":true,"number":%s}\\n' "$number"; continue ;;
            esac
            """
    }

    @Test func `a monitor is opened when it is awake, and replaces the simulated display`() throws {
        let opened = try open()
        #expect(opened.registrations.map(\.panel.kind) == [.simulated])
        #expect(opened.notices.map(\.isWarning) == [false, false])
        var hotplug = try #require(opened.monitorHotplug)
        #expect(hotplug.search().registrations.isEmpty)
        try script.fails(failing)
        #expect(hotplug.search().registrations.isEmpty)
        try script.fails(nil)
        let found = hotplug.search()
        #expect(found.registrations.map(\.panel.id) == [id])
        #expect(found.replaced == SimulatedPanel.defaultID)
        #expect(hotplug.search().registrations.isEmpty)
    }

    @Test(arguments: [true, false])
    func `of two monitors with one id auto opens the first, and skips the other with a notice`(isAsleep: Bool) throws {
        let twice = #"""
            case $line in *detect*)
                for bus in 5 6; do
                    printf '{"bus":%s,"monitor":"DEL-U2720Q-1","name":"DELL","number":%s}\n' $bus "$number"
                done
                printf '{"done":true,"number":%s}\n' "$number"; continue ;;
            esac
            """#
        try script.fails(isAsleep ? "\(twice)\n\(asleep)" : twice)
        let opened = try open()
        #expect(opened.includes(id))
        #expect(opened.registrations.count == 1)
        let skipped = DiscoveryNotice.monitors(.repeated(DDCHelper.Found(id: id, name: "DELL", bus: 6)))
        #expect(opened.notices.contains(skipped))
        #expect(skipped.isWarning)
    }

    @Test func `a monitor that was not made a display is opened again`() throws {
        var hotplug = try #require(try open().monitorHotplug)
        try script.fails(nil)
        let none = hotplug.search { _ in false }
        #expect(none.registrations.isEmpty)
        #expect(none.replaced == nil)
        #expect(hotplug.search().registrations.map(\.panel.id) == [id])
    }

    @Test func `a monitor selected by name is awaited without a simulated display`() throws {
        let opened = try open(.ddc(id))
        #expect(opened.registrations.isEmpty)
        #expect(opened.includes(id))
        var hotplug = try #require(opened.monitorHotplug)
        try script.fails(nil)
        #expect(hotplug.search().replaced == nil)
        #expect(throws: SelectionError.twice(id.text)) {
            try script.fails(asleep)
            _ = try open(.ddc(id), .ddc(id))
        }
    }

    @Test(arguments: [true, false])
    func `a monitor that fails at the start is opened once it answers, and its changes are pending`(isNamed: Bool)
        throws
    {
        try script.fails(failing)
        let monitors = source(after: record(ceiling: 100))
        let opened = isNamed ? try open(.ddc(id), monitors: monitors) : try open(monitors: monitors)
        #expect(opened.registrations.map(\.panel.kind) == (isNamed ? [] : [.simulated]))
        #expect((opened.includes(id), opened.pending) == (true, [id]))
        #expect(opened.notices.map(\.isWarning).contains(true))
        var hotplug = try #require(opened.monitorHotplug)
        #expect(hotplug.search().registrations.isEmpty)
        try script.fails(nil)
        #expect(hotplug.search().registrations.map(\.panel.id) == [id])
        #expect(!hotplug.isWaiting)
    }

    @Test(arguments: [true, false])
    func `a search that fails at the start is repeated`(isNamed: Bool) throws {
        try script.fails("case $line in *detect*) exit 1 ;; esac")
        let opened = isNamed ? try open(.ddc(id)) : try open()
        var hotplug = try #require(opened.monitorHotplug)
        #expect(opened.includes(id) == isNamed)
        try script.fails(nil)
        #expect(hotplug.search().registrations.isEmpty)
        // A helper that failed is started again after a rest.
        passed.advance(by: .seconds(60))
        #expect(hotplug.search().registrations.map(\.panel.id) == [id])
        #expect(!hotplug.isWaiting)
    }

    @Test func `a named monitor that an earlier run has served is awaited, and an unknown one is an error`() throws {
        try script.fails(finds())
        #expect(throws: SelectionError.self) { try open(.ddc(id)) }
        let opened = try open(.ddc(id), monitors: source(after: record()))
        #expect((opened.includes(id), opened.pending) == (true, []))
    }

    /// The graphics driver may be slower than the daemon.
    @Test func `a named monitor that an earlier run has served is awaited while there is no bus`() throws {
        let empty = try SysfsTree()
        let opened = try open(.ddc(id), monitors: source(after: record(), under: empty.root))
        #expect(opened.includes(id))
        #expect(opened.notices.first?.description.hasPrefix("no I2C bus under \(empty.root)") == true)
    }

    @Test(arguments: [("asleep", true), ("lost", true), ("absent", false)])
    func `a monitor of an earlier run that no search finds is awaited unless it is unplugged`(
        word: String,
        isAwaited: Bool
    ) throws {
        let error = #"printf '{"error":"\#(word)","number":%s}\n' "$number"; continue"#
        try script.fails("case $line in *read*) \(error) ;; esac\n\(finds())")
        let opened = try open(watch: DeviceWatch(), monitors: source(after: record()))
        #expect((opened.registrations.map(\.panel.kind), opened.includes(id)) == ([.simulated], isAwaited))
        var hotplug = try #require(opened.monitorHotplug)
        try script.fails(finds())
        #expect(hotplug.search().registrations.map(\.panel.id) == (isAwaited ? [id] : []))
    }

    @Test(arguments: [true, false])
    func `a monitor that an earlier run has switched off is opened from its record, and switched on`(isFound: Bool)
        throws
    {
        let silent = #"case $line in *read*) printf '{"error":"lost","number":%s}\n' "$number"; continue ;; esac"#
        try script.fails(isFound ? silent : "\(silent)\n\(finds())")
        let record = record(mayBeDark: true)
        let opened = try open(monitors: source(after: record))
        let registration = try #require(opened.registrations.first)
        #expect((opened.registrations.count, registration.panel.id, opened.pending) == (1, id, []))
        let before = try script.requests().count
        _ = try DisplayService(
            [DisplayService.PanelRegistration(registration.panel, on: ImmediateQueue())],
            .init(earlier: [id: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: NotificationHub().poster,
            at: .start
        )
        let requests = try script.requests()[before...]
        #expect(requests.map { $0.contains("switch") && $0.contains(#""on":true"#) } == [true])
    }

    /// Opens a pair of an earlier run whose monitor is not found and does not answer.
    private func open(_ pair: DisplayPair, after record: DisplayRecord) throws -> OpenedDisplays {
        try script.fails("\(finds())\n\(failing)")
        return try openDisplays(
            [.none],
            pairs: [pair],
            goingOnFrom: [pair.id: RecoveredRecord(record, isOfThisBoot: true)],
            sysfsRoot: tree.root,
            monitors: MonitorSource(
                program: script.path,
                sysfsRoot: tree.root,
                writesPerDay: 300,
                switchable: [id],
                goingOnFrom: [pair.id: record].withParts(of: [pair]),
                source: NotificationHub().source,
                now: { .start }
            )
        )
    }

    @Test func `a monitor that switches a pair, and that an earlier run has switched off, is off until it is switched`()
        throws
    {
        let pair = try #require(DisplayPair("desk=simulated:page+ddc:\(id)"))
        let record = DisplayRecord(
            id: pair.id,
            maximum: SimulatedPanel.defaultMaximum,
            baseline: .full,
            baselineStep: SimulatedPanel.defaultMaximum,
            powerBaseline: false,
            mayBeDark: true,
            device: DeviceRecord(parts: [id: DeviceRecord(address: "ddc:DP-1@5")])
        )
        let panel = try #require(try open(pair, after: record).registrations.first).panel
        let service = try DisplayService(
            [.init(panel, on: ImmediateQueue())],
            .init(earlier: [pair.id: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: NotificationHub().poster,
            at: .start
        )
        let state = try #require(service.state(of: pair.id))
        #expect((state.isAvailable, state.power.isOn) == (true, false))
        try script.fails(nil)
        service.submit(Command(.setPower(true)), to: pair.id, at: .start) { _ in }
        #expect(service.state(of: pair.id)?.power.isOn == true)
        #expect(panel.readPower() == nil)
        let switches = try script.requests().filter { $0.contains("switch") }
        #expect(switches.map { $0.contains(#""on":true"#) } == [true])
    }

    /// The relay of a pair has switched its monitor off, which answers once a client has provided the relay.
    @Test(arguments: [true, false])
    func `a pair of an earlier run is served before its monitor answers, with the writes of the day`(isDark: Bool)
        throws
    {
        let pair = try #require(DisplayPair("desk=ddc:\(id)+relay"))
        let device = DeviceRecord(address: "ddc:DP-1@5", writes: DailyWrites(day: 0, count: 7))
        let record = DisplayRecord(
            id: pair.id,
            maximum: 100,
            baseline: .full,
            baselineStep: 40,
            mayBeDark: isDark,
            device: DeviceRecord(parts: [id: device])
        )
        let opened = try open(pair, after: record)
        #expect(opened.registrations.map(\.panel.id) == [pair.id])
        #expect((opened.monitorHotplug?.waiting ?? []).map(\.id) == (isDark ? [] : [id]))
        #expect(opened.pending == [])
        #expect(opened.registrations.first?.panel.deviceRecord.parts == [id: device])
    }

    @Test func `after a report the buses are searched three times more, unless each connector's monitor answers`()
        async throws
    {
        try script.fails(finds())
        var hotplug = try #require(try open(watch: DeviceWatch()).monitorHotplug)
        let before = try searches()
        _ = hotplug.search(afterReport: true) { _ in true }
        for _ in 0..<5 { _ = hotplug.search() }
        #expect(try searches() == before + 4)
        #expect(!hotplug.isWaiting)
        let complete = #"""
            case $line in *detect*)
                printf '{"connectors":"answered","done":true,"number":%s}\n' "$number"; continue ;;
            esac
            """#
        try script.fails(complete)
        _ = hotplug.search(afterReport: true) { _ in true }
        #expect(!hotplug.isWaiting)
        try script.fails(nil)
        _ = hotplug.search(afterReport: true) { _ in true }
        #expect(hotplug.isWaiting)
    }

    @Test func `further searches are 5, 15 and 30 s after the report`() {
        let pauses = MonitorHotplug.furtherSearches
        #expect(pauses.indices.map { pauses[...$0].reduce(.zero, +) } == [.seconds(5), .seconds(15), .seconds(30)])
    }

    @Test func `a monitor that is awake is not awaited`() throws {
        try script.fails(nil)
        #expect(try open().monitorHotplug == nil)
    }

    @Test func `a monitor that is plugged in is opened once`() throws {
        try script.fails(finds())
        var hotplug = try #require(try open(watch: DeviceWatch()).monitorHotplug)
        #expect(hotplug.search(afterReport: true) { _ in true }.registrations.isEmpty)
        try script.fails(nil)
        let found = hotplug.search(afterReport: true) { _ in true }
        #expect(
            (found.registrations.map(\.panel.id), found.changed, found.replaced) == ([id], [], SimulatedPanel.defaultID)
        )
        let again = hotplug.search(afterReport: true) { _ in true }
        #expect((again.registrations.count, again.changed) == (0, [id]))
    }

    @Test(arguments: [("absent", false), ("lost", true), ("failed", true)])
    func `one that is gone again before it responds is not awaited, and a silent one is`(
        word: String,
        isAwaited: Bool
    ) throws {
        try script.fails(finds())
        var hotplug = try #require(try open(watch: DeviceWatch()).monitorHotplug)
        let error = #"printf '{"error":"\#(word)","number":%s}\n' "$number"; continue"#
        try script.fails("case $line in *read*) \(error) ;; esac")
        #expect(hotplug.search(afterReport: true) { _ in true }.registrations.isEmpty)
        #expect(hotplug.waiting.isEmpty != isAwaited)
    }

    @Test func `an ignored monitor, and every other one next to a selection, gets no display`() throws {
        try script.fails(finds())
        let opened = try openDisplays(
            [],
            excluding: [KernelName(id)],
            sysfsRoot: tree.root,
            watch: PanelWatch(DeviceWatch()),
            monitors: source
        )
        var hotplug = try #require(opened.monitorHotplug)
        try script.fails(nil)
        #expect(hotplug.search(afterReport: true) { _ in true }.registrations.isEmpty)
        var selected = try #require(try open(.ddc(id), watch: DeviceWatch()).monitorHotplug)
        try script.fails(finds("DEL-U2720Q-1", "GSM-1"))
        let found = selected.search(afterReport: true) { _ in true }
        #expect((found.registrations.count, found.changed) == (0, [id]))
    }

    @Test func `a daemon without backlights and monitors of its own has nothing to find`() throws {
        #expect(
            try openDisplays(
                [.simulated(nil)],
                sysfsRoot: tree.root,
                watch: PanelWatch(DeviceWatch()),
                monitors: source
            )
            .monitorHotplug == nil
        )
    }

    @Test func `a monitor that is plugged in before the daemon waits for reports is found`() async throws {
        try script.fails(finds())
        let watch = DeviceWatch()
        let hotplug = try #require(try open(watch: watch).monitorHotplug)
        try script.fails(nil)
        let card = KernelDevice(subsystem: "drm", name: "card0")
        watch.handle(Uevent(action: "change", device: card, source: nil, isHotplug: true))
        let clock = ManualClock()
        var arrivals = hotplug.arrivals(on: clock) { _ in true }.makeAsyncIterator()
        let settled = try await clock.nextSleep()
        #expect(settled - clock.now == MonitorHotplug.settling)
        clock.advance(by: MonitorHotplug.settling)
        #expect(await arrivals.next()?.registrations.map(\.panel.id) == [id])
    }

    @Test func `the kernel is polled every 5 s, a monitor that is awake but silent with growing intervals`()
        async throws
    {
        let clock = ManualClock()
        var arrivals = try #require(try open().monitorHotplug).arrivals(on: clock) { _ in true }.makeAsyncIterator()
        var pauses: [Duration] = []
        func pass() async throws {
            let deadline = try await clock.nextSleep()
            pauses.append(deadline - clock.now)
            clock.advance(by: deadline - clock.now)
        }
        for _ in 0..<2 { try await pass() }
        _ = try await clock.nextSleep()
        try script.fails(failing)
        clock.advance(by: .seconds(5))
        for _ in 0..<5 { try await pass() }
        #expect(pauses == [5, 5, 10, 20, 40, 60, 60].map { .seconds($0) })
        _ = try await clock.nextSleep()
        try script.fails(nil)
        clock.advance(by: .seconds(60))
        #expect(await arrivals.next()?.registrations.map(\.panel.id) == [id])
        #expect(await arrivals.next() == nil)
    }
}

extension MonitorHotplug {
    /// Searches like a daemon that adds every display.
    fileprivate mutating func search() -> OpenedDisplays { search { _ in true } }
}
