// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Synchronization
import TestSupport
import Testing

/// What comes while the daemon runs.
@Suite(.timeLimit(.minutes(1))) struct DisplayFinderTests {
    let tree: SysfsTree

    init() throws { tree = try SysfsTree() }

    private func open(excluding excluded: String...) throws -> (OpenedDisplays, DisplayFinder) {
        let opened = try openDisplays(
            [.auto],
            excluding: Set(excluded.compactMap { DisplayID($0) }),
            sysfsRoot: tree.root,
            minimum: Brightness(clamping: 0.05),
            watch: PanelWatch(clock: ManualClock())
        )
        return (opened, try #require(opened.finder))
    }

    @Test func `a backlight that comes is found once, and comes and goes`() throws {
        try tree.addBacklight("a")
        var (_, finder) = try open()
        #expect(finder.look().seats.isEmpty)
        try tree.addBacklight("b")
        let new = finder.look()
        #expect(new.seats.map(\.panel.id.text) == ["b"])
        #expect(new.seats.map(\.panel.range.minimum) == [50])
        #expect(new.seats.map(\.comesAndGoes) == [true])
        #expect(new.replaced == nil)
        #expect(finder.look().seats.isEmpty)
        tree.removeBacklight("b")
        #expect(finder.look().seats.isEmpty)
        try tree.addBacklight("b")
        #expect(finder.look().seats.isEmpty)
    }

    @Test func `the first one takes the place of the simulated display`() throws {
        var (opened, finder) = try open()
        #expect(opened.seats.map(\.panel.kind) == [.simulated])
        try tree.addBacklight("a", type: "raw")
        try tree.addBacklight("b", type: "firmware")
        let new = finder.look()
        #expect(new.seats.map(\.panel.id.text) == ["b"])
        #expect(new.replaced == SimulatedPanel.usualID)
        #expect(new.seats.map(\.panel.name) == ["b"])
        #expect(new.notes.map(\.isWarning) == [false])
        try tree.addBacklight("c", type: "firmware")
        #expect(finder.look().replaced == nil)
    }

    @Test(arguments: [("raw", "firmware"), ("firmware", "raw")])
    func `one of another type than those it has is left, and said once`(first: String, second: String) throws {
        try tree.addBacklight("a", type: first)
        var (_, finder) = try open()
        try tree.addBacklight("b", type: second)
        let new = finder.look()
        #expect(new.seats.isEmpty)
        #expect(new.notes.count == 1)
        #expect(finder.look().notes.isEmpty)
    }

    @Test func `one that cannot be read yet is found when it can`() throws {
        var (_, finder) = try open()
        try tree.addBacklight("a")
        try tree.set("\n", "a")
        #expect(finder.look().seats.isEmpty)
        try tree.set("5\n", "a")
        #expect(finder.look().seats.map(\.panel.name) == ["Built-in display"])
    }

    @Test func `what is excluded is not taken, neither at the start nor later, and can be had by name`() throws {
        try tree.addBacklight("a")
        try tree.addBacklight("b")
        var (opened, finder) = try open(excluding: "a", "c")
        #expect(opened.seats.map(\.panel.id.text) == ["b"])
        #expect(opened.seats.map(\.panel.name) == ["Built-in display"])
        #expect(opened.notes.isEmpty)
        try tree.addBacklight("c")
        #expect(finder.look().seats.isEmpty)
        let (a, device) = (try #require(DisplayID("a")), try #require(KernelName("a")))
        #expect(try openDisplays([.backlight(device)], excluding: [a], sysfsRoot: tree.root).seats.count == 1)
    }

    @Test func `one that is gone again before it is a display is found again, and the stand-in stays until then`()
        throws
    {
        var (_, finder) = try open()
        try tree.addBacklight("a", type: "firmware")
        try tree.addBacklight("b", type: "raw")
        let none = finder.look { _ in false }
        #expect(none.seats.isEmpty)
        #expect(none.notes.isEmpty)
        #expect(none.replaced == nil)
        let some = finder.look { $0.panel.id.text == "a" }
        #expect(some.seats.map(\.panel.id.text) == ["a"])
        #expect(some.replaced == SimulatedPanel.usualID)
        #expect(some.notes.count == 1)
    }

    @Test func `one that cannot be used is tried again after 1, 2, 4, at most 30 seconds, until it can`() async throws {
        let (_, finder) = try open()
        try tree.addBacklight("a")
        let clock = ManualClock()
        let isThere = Atomic(false)
        // `watch` tells of it once.
        var arrivals = finder.arrivals(on: clock) { _ in isThere.load(ordering: .relaxed) }.makeAsyncIterator()
        for pause in [1, 2, 4, 8, 16, 30, 30] {
            let deadline = try await clock.nextSleep()
            #expect(deadline == clock.now + .seconds(pause))
            if clock.now > Moment.after(.seconds(60)).instant { isThere.store(true, ordering: .relaxed) }
            clock.advance(by: .seconds(pause))
        }
        let arrived = await arrivals.next()
        #expect(arrived?.seats.map(\.panel.id.text) == ["a"])
        #expect(arrived?.replaced == SimulatedPanel.usualID)
    }

    @Test func `a name that is no id gets one that no display has`() throws {
        try tree.addBacklight("backlight_0")
        var (_, finder) = try open()
        try tree.addBacklight("backlight@0")
        #expect(finder.look().seats.map(\.panel.id.text) == ["backlight_0-2"])
        #expect(finder.look().seats.isEmpty)
    }

    @Test func `without auto nothing is waited for`() throws {
        #expect(try openDisplays([.simulated(nil)], sysfsRoot: tree.root).finder == nil)
    }

    @Test func `outside of sysfs it looks once a second`() async throws {
        let clock = ManualClock()
        let opened = try openDisplays([.auto], sysfsRoot: tree.root, watch: PanelWatch(clock: clock))
        let finder = try #require(opened.finder)
        try tree.addBacklight("a")
        var arrivals = finder.arrivals { _ in true }.makeAsyncIterator()
        let deadline = try await clock.nextSleep()
        #expect(deadline == clock.now + .seconds(1))
        clock.advance(by: .seconds(1))
        #expect(await arrivals.next()?.seats.map(\.panel.id.text) == ["a"])
    }
}

extension DisplayFinder {
    /// As a daemon that can use whatever is found.
    fileprivate mutating func look() -> OpenedDisplays { look { _ in true } }
}
