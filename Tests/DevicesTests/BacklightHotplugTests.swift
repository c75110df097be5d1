// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Glibc
import Synchronization
import TestSupport
import Testing

/// Backlights that appear while the daemon runs.
@Suite(.timeLimit(.minutes(10))) struct BacklightHotplugTests {
    let tree: SysfsTree

    init() throws { tree = try SysfsTree() }

    private func open(excluding excluded: String...) throws -> (OpenedDisplays, BacklightHotplug) {
        let opened = try openDisplays(
            [.auto],
            excluding: Set(excluded.compactMap { KernelName($0) }),
            sysfsRoot: tree.root,
            minimum: Brightness(clamping: 0.05),
            watch: PanelWatch(clock: ManualClock())
        )
        return (opened, try #require(opened.backlightHotplug))
    }

    @Test func `a backlight that appears is found once each time`() throws {
        try tree.addBacklight("a")
        var (_, hotplug) = try open()
        #expect(hotplug.search().registrations.isEmpty)
        try tree.addBacklight("b")
        let new = hotplug.search()
        #expect(new.registrations.map(\.panel.id.text) == ["b"])
        #expect(new.registrations.map(\.panel.range.minimum) == [50])
        #expect(new.registrations.map(\.comesAndGoes) == [true])
        #expect(new.replaced == nil)
        #expect(hotplug.search().registrations.isEmpty)
        tree.removeBacklight("b")
        #expect(hotplug.search().registrations.isEmpty)
        try tree.addBacklight("b")
        #expect(hotplug.search().registrations.isEmpty)
    }

    @Test func `a directory that cannot be listed is searched again`() throws {
        var (_, hotplug) = try open()
        #expect(hotplug.search().registrations.isEmpty)
        #expect(!hotplug.needsRetry)
        let directory = tree.root + "/class/backlight"
        try tree.addBacklight("a")
        #expect(rename(directory, directory + "-away") == 0)
        // As by too many open files.
        #expect(symlink(directory, directory) == 0)
        #expect(hotplug.search().registrations.isEmpty)
        #expect(hotplug.needsRetry)
    }

    @Test func `the first backlight replaces the simulated display`() throws {
        var (opened, hotplug) = try open()
        #expect(opened.registrations.map(\.panel.kind) == [.simulated])
        try tree.addBacklight("a", type: "raw")
        try tree.addBacklight("b", type: "firmware")
        let new = hotplug.search()
        #expect(new.registrations.map(\.panel.id.text) == ["b"])
        #expect(new.replaced == SimulatedPanel.defaultID)
        #expect(new.registrations.map(\.panel.name) == ["b"])
        #expect(new.notices.map(\.isWarning) == [false])
        try tree.addBacklight("c", type: "firmware")
        #expect(hotplug.search().replaced == nil)
    }

    @Test(arguments: [("raw", "firmware"), ("firmware", "raw")])
    func `a backlight of another type is left out with one notice`(first: String, second: String) throws {
        try tree.addBacklight("a", type: first)
        var (_, hotplug) = try open()
        try tree.addBacklight("b", type: second)
        let new = hotplug.search()
        #expect(new.registrations.isEmpty)
        #expect(new.notices.count == 1)
        #expect(hotplug.search().notices.isEmpty)
    }

    @Test(arguments: [true, false])
    func `when the last backlight of the type in use is gone, one of another type takes its place`(
        comesFirst: Bool
    ) throws {
        try tree.addBacklight("acpi_video0", type: "firmware")
        var (opened, hotplug) = try open()
        #expect(opened.registrations.map(\.panel.id.text) == ["acpi_video0"])
        if comesFirst {
            try tree.addBacklight("intel_backlight", type: "raw")
            #expect(hotplug.search().registrations.isEmpty)
        }
        tree.removeBacklight("acpi_video0")
        if !comesFirst {
            #expect(hotplug.search().registrations.isEmpty)
            try tree.addBacklight("intel_backlight", type: "raw")
        }
        let new = hotplug.search()
        #expect(new.registrations.map(\.panel.id.text) == ["intel_backlight"])
        #expect(new.registrations.map(\.panel.name) == ["Built-in display"])
        #expect(new.notices.isEmpty)
        // The display of the first driver notices its return by itself, and its type counts again.
        try tree.addBacklight("acpi_video0", type: "firmware")
        try tree.addBacklight("other", type: "raw")
        #expect(hotplug.search().registrations.isEmpty)
    }

    @Test func `an unreadable backlight is found when it becomes readable`() throws {
        var (_, hotplug) = try open()
        try tree.addBacklight("a")
        try tree.set("\n", "a")
        #expect(hotplug.search().registrations.isEmpty)
        try tree.set("5\n", "a")
        #expect(hotplug.search().registrations.map(\.panel.name) == ["Built-in display"])
    }

    @Test(arguments: ["brightness", "bl_power"])
    func `a backlight gets its display when udev has granted its permissions`(file: String) throws {
        var (_, hotplug) = try open()
        try addWritableBacklight("a", type: "firmware")
        try addWritableBacklight("b", type: "raw")
        try tree.chmod(0o444, "a", file)
        let early = try asOrdinaryUser { hotplug.search() }
        #expect(early.registrations.isEmpty)
        #expect(early.notices.isEmpty)
        try tree.chmod(0o666, "a", file)
        let late = try asOrdinaryUser { hotplug.search() }
        #expect(late.registrations.map(\.panel.id.text) == ["a"])
        #expect(late.registrations.map(\.panel.isSwitchable) == [true])
        #expect(late.notices.map(\.isWarning) == [false])
    }

    @Test func `a backlight whose permissions are never granted gets its display with the third retry, and a warning`()
        throws
    {
        var (_, hotplug) = try open()
        try addWritableBacklight("a")
        try tree.chmod(0o444, "a", "brightness")
        for _ in 1...3 {
            let none = try asOrdinaryUser { hotplug.search() }
            #expect(none.registrations.isEmpty)
        }
        let opened = try asOrdinaryUser { hotplug.search() }
        #expect(opened.registrations.map(\.panel.id.text) == ["a"])
        let id = try #require(DisplayID("a"))
        #expect(opened.notices == [.unwritable(id, .permission(path: tree.path("a")))])
    }

    private func addWritableBacklight(_ name: String, type: String = "raw") throws {
        try tree.addBacklight(name, type: type)
        try tree.set("0\n", name, "bl_power")
        for file in ["brightness", "bl_power"] { try tree.chmod(0o666, name, file) }
    }

    @Test func `an excluded backlight is opened only by its name`() throws {
        try tree.addBacklight("a")
        try tree.addBacklight("b")
        var (opened, hotplug) = try open(excluding: "a", "c")
        #expect(opened.registrations.map(\.panel.id.text) == ["b"])
        #expect(opened.registrations.map(\.panel.name) == ["Built-in display"])
        #expect(opened.notices.isEmpty)
        try tree.addBacklight("c")
        #expect(hotplug.search().registrations.isEmpty)
        let device = try #require(KernelName("a"))
        let selected = try openDisplays([.backlight(device)], excluding: [device], sysfsRoot: tree.root)
        #expect(selected.registrations.count == 1)
    }

    @Test
    func `a backlight removed before it became a display is found again, and the simulated display stays until then`()
        throws
    {
        var (_, hotplug) = try open()
        try tree.addBacklight("a", type: "firmware")
        try tree.addBacklight("b", type: "raw")
        let none = hotplug.search { _ in false }
        #expect(none.registrations.isEmpty)
        #expect(none.notices.isEmpty)
        #expect(none.replaced == nil)
        let some = hotplug.search { $0.panel.id.text == "a" }
        #expect(some.registrations.map(\.panel.id.text) == ["a"])
        #expect(some.replaced == SimulatedPanel.defaultID)
        #expect(some.notices.count == 1)
    }

    @Test func `an unusable backlight is retried after 1, 2, 4, at most 30 seconds`() async throws {
        let (_, hotplug) = try open()
        try tree.addBacklight("a")
        let clock = ManualClock()
        let isThere = Atomic(false)
        // `watch` reports it once.
        var arrivals = hotplug.arrivals(on: clock) { _ in isThere.load(ordering: .relaxed) }.makeAsyncIterator()
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            let deadline = try await clock.nextSleep()
            #expect(deadline == clock.now + .seconds(pause))
            if clock.now > Moment.after(.seconds(60)).instant { isThere.store(true, ordering: .relaxed) }
            clock.advance(by: .seconds(pause))
        }
        let arrived = await arrivals.next()
        #expect(arrived?.registrations.map(\.panel.id.text) == ["a"])
        #expect(arrived?.replaced == SimulatedPanel.defaultID)
    }

    @Test func `a name that is not a valid id gets a unique one`() throws {
        try tree.addBacklight("backlight_0")
        var (_, hotplug) = try open()
        try tree.addBacklight("backlight@0")
        #expect(hotplug.search().registrations.map(\.panel.id.text) == ["backlight_0-2"])
        #expect(hotplug.search().registrations.isEmpty)
    }

    @Test func `without auto no backlight is awaited`() throws {
        #expect(try openDisplays([.simulated(nil)], sysfsRoot: tree.root).backlightHotplug == nil)
    }

    @Test func `outside of sysfs the directory is polled once a second`() async throws {
        let clock = ManualClock()
        let opened = try openDisplays([.auto], sysfsRoot: tree.root, watch: PanelWatch(clock: clock))
        let hotplug = try #require(opened.backlightHotplug)
        try tree.addBacklight("a")
        var arrivals = hotplug.arrivals { _ in true }.makeAsyncIterator()
        let deadline = try await clock.nextSleep()
        #expect(deadline == clock.now + .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await arrivals.next()?.registrations.map(\.panel.id.text) == ["a"])
    }
}

extension BacklightHotplug {
    /// Searches like a daemon that adds every display.
    fileprivate mutating func search() -> OpenedDisplays { search { _ in true } }
}
