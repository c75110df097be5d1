// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct ViewerCountTests {
    let hub = NotificationHub()

    @Test func `only the arrival of the first viewer and the departure of the last one are posted`() {
        let viewers = ViewerCount(poster: hub.poster)
        let listener = hub.source.listen(to: NotificationFilter([.audience])) {}
        #expect(listener.drain() == [.audience(isPresent: false)])
        var tokens = [viewers.join()]
        #expect(listener.drain() == [.audience(isPresent: true)])
        tokens.append(viewers.join())
        tokens.removeFirst()
        #expect(listener.drain() == [])
        tokens.removeLast()
        #expect(listener.drain() == [.audience(isPresent: false)])
    }

    @Test func `a look counts for 30 seconds, and a later one prolongs it`() async throws {
        let clock = ManualClock()
        let viewers = ViewerCount(poster: hub.poster, clock: clock)
        var audience = hub.source.notifications(of: NotificationFilter([.audience])).makeAsyncIterator()
        #expect(await audience.next(isolation: nil) == .audience(isPresent: false))
        viewers.countReader(at: clock.now)
        #expect(await audience.next(isolation: nil) == .audience(isPresent: true))
        #expect(try await clock.nextSleep() == clock.now + .seconds(30))
        clock.advance(by: .seconds(20))
        viewers.countReader(at: clock.now)
        clock.advance(by: .seconds(10))
        #expect(try await clock.nextSleep() == clock.now + .seconds(20))
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        clock.advance(by: .seconds(20))
        #expect(await audience.next(isolation: nil) == .audience(isPresent: false))
        viewers.countReader(at: clock.now)
        #expect(await audience.next(isolation: nil) == .audience(isPresent: true))
    }

    @Test(.timeLimit(.minutes(1)))
    func `readers are counted after two reads that were noted in the other order`() async throws {
        let clock = ManualClock()
        let viewers = ViewerCount(poster: hub.poster, clock: clock)
        var audience = hub.source.notifications(of: NotificationFilter([.audience])).makeAsyncIterator()
        #expect(await audience.next(isolation: nil) == .audience(isPresent: false))
        for second in [1, 0] { viewers.countReader(at: clock.now + .seconds(second)) }
        #expect(await audience.next(isolation: nil) == .audience(isPresent: true))
        _ = try await clock.nextSleep()
        clock.advance(by: .seconds(30))
        #expect(await audience.next(isolation: nil) == .audience(isPresent: false))
        viewers.countReader(at: clock.now)
        #expect(await audience.next(isolation: nil) == .audience(isPresent: true))
    }

    @Test func `a new listener learns that a viewer is present`() {
        let viewers = ViewerCount(poster: hub.poster)
        let viewer = viewers.join()
        #expect(hub.source.retained(.audience) == .audience(isPresent: true))
        withExtendedLifetime(viewer) {}
    }
}
