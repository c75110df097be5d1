// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import Devices

/// Polling: only for changes that the kernel does not report, and only while a viewer is connected.
@Suite(.timeLimit(.minutes(10))) struct PanelWatchTests {
    private let hub = NotificationHub()
    private let clock = ManualClock()

    private func changes(hasSignal: Bool = false) -> AsyncStream<Cause.Kind> {
        PanelWatch(source: hub.source, clock: clock).changes(
            of: KernelDevice(subsystem: "backlight", name: "a"),
            files: [],
            isOnSysfs: true,
            hasSignal: hasSignal
        )
    }

    @Test func `panels are polled at the start, when the first viewer connects, and then every second`() async throws {
        let viewers = ViewerCount(poster: hub.poster)
        var looks = changes().makeAsyncIterator()
        #expect(await looks.next() == .external)
        var viewer: ViewerToken? = viewers.join()
        #expect(await looks.next() == .external)
        for _ in 0..<2 {
            #expect(try await clock.nextSleep() == clock.now + .seconds(1))
            clock.advance(by: .seconds(1))
            #expect(await looks.next() == .external)
        }
        _ = try await clock.nextSleep()
        #expect(viewer != nil)
        viewer = nil
        while clock.sleepers > 0 { await Task.yield() }
        viewer = viewers.join()
        #expect(await looks.next() == .external)
    }

    @Test func `a panel with a signal is polled twice a minute without viewers`() async throws {
        var looks = changes(hasSignal: true).makeAsyncIterator()
        #expect(await looks.next() == .external)
        for _ in 0..<2 {
            #expect(try await clock.nextSleep() == clock.now + .seconds(30))
            clock.advance(by: .seconds(30))
            #expect(await looks.next() == .external)
        }
    }

    @Test func `without viewers no timer runs`() async {
        _ = ViewerCount(poster: hub.poster)
        var looks = changes().makeAsyncIterator()
        #expect(await looks.next() == .external)
        #expect(clock.sleepers == 0)
    }
}
