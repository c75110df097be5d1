// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct EndsTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub()

    private func post(_ notifications: [Notification]) { hub.poster.put(notifications)() }

    private func comeBack(_ filter: NotificationFilter = .all) -> Listener {
        hub.source.listen(to: filter, withEnds: true, wake: {})
    }

    @Test func `a listener with ends gets them before the retained notifications`() {
        post([
            .state(.left, 1), .lease("a", .granted, at: 2), .lease("b", .granted, at: 3), .lease("a", .expired, at: 4),
            .display(.right, .removed, at: Revision(5)), .display(.right, .added, at: Revision(6)),
        ])
        let listener = comeBack()
        let ends: [Notification] = [.lease("a", .expired, at: 4), .display(.right, .removed, at: Revision(5))]
        #expect(listener.drain() == ends + [.state(.left, 1), .lease("b", .granted, at: 3)])
        #expect(listener.endsKnownSince == Revision(0))
        #expect(comeBack(NotificationFilter([.display])).drain() == [.display(.right, .removed, at: Revision(5))])
        #expect(hub.source.listen(to: .all, wake: {}).drain() == [.state(.left, 1), .lease("b", .granted, at: 3)])
    }

    @Test func `a lease that is granted again after its end is not over`() {
        post([.lease("a", .released, at: 1), .lease("a", .granted, at: 2)])
        #expect(comeBack().drain() == [.lease("a", .granted, at: 2)])
    }

    @Test func `at least the newest 256 ends are kept, and it is known which`() {
        let count = 2 * RecentEnds.minimum + 1
        for number in 1...count { post([.lease("\(number)", .released, at: UInt64(number))]) }
        let listener = comeBack()
        let ends = listener.drain()
        #expect(ends.count == RecentEnds.minimum + 1)
        #expect(listener.endsKnownSince == Revision(UInt64(count - ends.count)))
        #expect(ends.first?.end == listener.endsKnownSince.next)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct HealthTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub(health: Health())

    private var health: Health? {
        guard case .health(let health) = hub.source.retained(.health) else { return nil }
        return health
    }

    private func state(_ id: DisplayID, isAvailable: Bool, kind: DisplayKind = .backlight) -> Notification {
        var state = DisplayState.of(id, kind: kind)
        state.unavailable = isAvailable ? nil : Unavailability(since: Timestamp(milliseconds: 0))
        return .state(state)
    }

    @Test func `a daemon without displays, journal and broker is ready`() {
        #expect(health == Health())
        #expect(health?.isReady == true)
        #expect(hub.source.listen(to: NotificationFilter([.health]), wake: {}).drain() == [.health(Health())])
    }

    @Test func `health follows the fact that changes it, before the post returns`() throws {
        let listener = hub.source.listen(to: NotificationFilter([.state, .health]), wake: {})
        _ = listener.drain()
        let fact = state(.left, isAvailable: false)
        hub.poster.post(fact)
        let now = try #require(health)
        #expect(!now.isReady && now.unavailable == [.left])
        #expect(listener.drain() == [fact, .health(now)])
    }

    @Test func `a state that does not change the health posts none`() {
        hub.poster.post(state(.left, isAvailable: true), state(.right, isAvailable: false))
        let listener = hub.source.listen(to: NotificationFilter([.health]), wake: {})
        _ = listener.drain()
        hub.poster.post(state(.left, isAvailable: true), state(.right, isAvailable: false))
        hub.poster.post(.lease("a", .granted), .failure(1))
        #expect(listener.drain() == [])
    }

    @Test func `removed displays and those of other daemons do not count`() {
        hub.poster.post(state(.left, isAvailable: false, kind: .remote), state(.right, isAvailable: false))
        #expect(health?.unavailable == [.right])
        hub.poster.post(.display(.right, .removed, at: Revision(2)))
        #expect(health?.isReady == true)
    }

    @Test func `a daemon that needs a display is not ready without one`() {
        let hub = NotificationHub(health: Health(needsDisplay: true))
        var health: Health? { if case .health(let health) = hub.source.retained(.health) { health } else { nil } }
        #expect(health?.isReady == false)
        hub.poster.post(state(.left, isAvailable: true, kind: .remote))
        #expect(health?.isReady == false)
        hub.poster.post(state(.right, isAvailable: true))
        #expect((health?.isReady, health?.displays) == (true, 1))
        hub.poster.post(.display(.right, .removed, at: Revision(2)))
        #expect((health?.isReady, health?.displays) == (false, 0))
    }

    @Test func `the daemon is not ready before the displays that an earlier run has changed are back`() {
        hub.poster.post(state(.left, isAvailable: true))
        hub.expect([.left, .right])
        #expect((health?.pending, health?.isReady) == ([.right], false))
        hub.poster.post(state(.right, isAvailable: true, kind: .remote))
        #expect(health?.isReady == false)
        hub.poster.post(state(.right, isAvailable: true))
        #expect((health?.pending, health?.isReady) == ([], true))
    }

    @Test func `a display that waits for a light sensor is listed, and leaves the daemon ready`() {
        var waiting = DisplayState.of(.right)
        waiting.automatic = .init(isEnabled: true, waiting: .sensor)
        hub.poster.post(state(.left, isAvailable: true), .state(waiting))
        #expect((health?.waiting, health?.isReady) == ([.right], true))
        waiting.automatic = .init(isEnabled: true)
        hub.poster.post(.state(waiting))
        #expect(health?.waiting == [])
    }

    @Test func `journal and broker are reported and leave the daemon ready`() {
        hub.poster.post(.journal(.failing("the disk is full")), .broker(.away("no route")))
        hub.poster.post(.homeAssistant(HomeAssistantHealth(clients: 1, refused: 2)))
        #expect(health?.journal == .failing("the disk is full"))
        #expect(health?.broker == .away("no route"))
        #expect(health?.homeAssistant == HomeAssistantHealth(clients: 1, refused: 2))
        #expect(health?.isReady == true)
    }
}
