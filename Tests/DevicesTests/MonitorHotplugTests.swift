// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

/// A monitor that is asleep at the start of the daemon, or plugged in later.
@Suite(.timeLimit(.minutes(3)))
struct MonitorHotplugTests {
    private let script: ScriptedHelper
    private let tree: SysfsTree
    private let source: MonitorSource
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
            now: { .start }
        )
        try script.fails(asleep)
    }

    private func open(_ selections: DisplaySelection..., watch: DeviceWatch? = nil) throws -> OpenedDisplays {
        try openDisplays(selections, sysfsRoot: tree.root, watch: PanelWatch(watch), monitors: source)
    }

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
        #expect(throws: SelectionError.twice(id)) {
            try script.fails(asleep)
            _ = try open(.ddc(id), .ddc(id))
        }
    }

    @Test func `a monitor that is awake is not awaited`() throws {
        try script.fails(nil)
        #expect(try open().monitorHotplug == nil)
    }

    @Test func `a monitor that is plugged in is opened once`() throws {
        try script.fails(finds())
        var hotplug = try #require(try open(watch: DeviceWatch()).monitorHotplug)
        #expect(hotplug.search(isPlugged: true) { _ in true }.registrations.isEmpty)
        try script.fails(nil)
        let found = hotplug.search(isPlugged: true) { _ in true }
        #expect(
            (found.registrations.map(\.panel.id), found.changed, found.replaced) == ([id], [], SimulatedPanel.defaultID)
        )
        let again = hotplug.search(isPlugged: true) { _ in true }
        #expect((again.registrations.count, again.changed) == (0, [id]))
    }

    @Test func `one that is gone again before it responds is not awaited`() throws {
        try script.fails(finds())
        var hotplug = try #require(try open(watch: DeviceWatch()).monitorHotplug)
        let absent = #"case $line in *read*) printf '{"error":"absent","number":%s}\n' "$number"; continue ;; esac"#
        try script.fails(absent)
        #expect(hotplug.search(isPlugged: true) { _ in true }.registrations.isEmpty)
        #expect(hotplug.sleeping.isEmpty)
    }

    @Test func `an ignored monitor, and every other one next to a selection, gets no display`() throws {
        try script.fails(finds())
        let opened = try openDisplays(
            [],
            excluding: [id],
            sysfsRoot: tree.root,
            watch: PanelWatch(DeviceWatch()),
            monitors: source
        )
        var hotplug = try #require(opened.monitorHotplug)
        try script.fails(nil)
        #expect(hotplug.search(isPlugged: true) { _ in true }.registrations.isEmpty)
        var selected = try #require(try open(.ddc(id), watch: DeviceWatch()).monitorHotplug)
        try script.fails(finds("DEL-U2720Q-1", "GSM-1"))
        let found = selected.search(isPlugged: true) { _ in true }
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
