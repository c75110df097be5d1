// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

/// Detection of changes by other programs.
@Suite(.timeLimit(.minutes(10))) struct BacklightChangesTests {
    let tree: SysfsTree
    let id: DisplayID

    init() throws {
        tree = try SysfsTree()
        id = try #require(DisplayID("intel_backlight"))
    }

    @Test func `panels are polled at once, then once a second until the observer ends`() async throws {
        try tree.addBacklight("intel_backlight")
        let clock = ManualClock()
        let panel = try SysfsBacklight(id, root: tree.root, watch: PanelWatch(clock: clock))
        let (seen, see) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            for await _ in panel.changes { see.yield() }
            see.finish()
        }
        var looks = seen.makeAsyncIterator()
        #expect(await looks.next() != nil)
        for _ in 0..<3 {
            let before = clock.now
            #expect(try await clock.nextSleep() == before + .seconds(1))
            clock.advance(by: .seconds(1))
            #expect(await looks.next() != nil)
        }
        _ = try await clock.nextSleep()
        reader.cancel()
        #expect(await looks.next() == nil)
        #expect(clock.sleepers == 0)
    }
}
