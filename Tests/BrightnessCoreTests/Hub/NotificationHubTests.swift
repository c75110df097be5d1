// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct CurrentValueTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub()

    private func post(_ notifications: [Notification]) { hub.poster.put(notifications)() }

    private func newcomer(_ filter: NotificationFilter = .all) -> [Notification] {
        hub.source.listen(to: filter, wake: {}).drain()
    }

    @Test(arguments: [
        ([], []),
        ([Notification.state(.left, 1), .state(.left, 2)], [Notification.state(.left, 2)]),
        // in the order of posting, so revisions ascend
        ([.state(.left, 1), .state(.right, 2), .state(.left, 3)], [.state(.right, 2), .state(.left, 3)]),
        ([.lease("a", .granted), .state(.left, 1)], [.lease("a", .granted), .state(.left, 1)]),
        ([.lease("a", .granted), .lease("a", .renewed)], [.lease("a", .renewed)]),
        // an end removes the retained fact and is not retained
        ([.lease("a", .granted), .lease("b", .granted), .lease("a", .released)], [.lease("b", .granted)]),
        ([.lease("a", .granted), .lease("a", .expired)], []),
        ([.display(.left, .added), .failure(1)], []),
        // a removed display leaves nothing
        ([.state(.left, 1), .state(.right, 2), .display(.left, .removed)], [.state(.right, 2)]),
        ([.state(.left, 1), .display(.left, .removed), .state(.left, 2)], [.state(.left, 2)]),
    ])
    func `a new listener starts with the newest of each key`(posted: [Notification], received: [Notification]) {
        post(posted)
        #expect(newcomer() == received)
    }

    @Test func `a removed display leaves no leases`() {
        post([.lease("a", .granted, on: .left), .lease("b", .granted, on: .right), .display(.left, .removed)])
        #expect(newcomer() == [.lease("b", .granted, on: .right)])
    }

    @Test func `a listener that does not drain keeps the facts that are retained, whatever came and went`() throws {
        let listener = hub.source.listen(to: NotificationFilter([.state, .lease]), wake: {})
        post([.state(.right, 1), .lease("r", .granted, on: .right)])
        for number in 0..<20_000 {
            let id = try #require(DisplayID("d\(number)"))
            post([.state(id, 2), .lease("l\(number)", .granted, on: id), .display(id, .removed)])
        }
        let unread = listener.drain()
        #expect(unread.count <= Mailbox.limit + 8)
        #expect(Array(unread.prefix(2)) == [.state(.right, 1), .lease("r", .granted, on: .right)])
        #expect(newcomer() == [.state(.right, 1), .lease("r", .granted, on: .right)])
    }

    @Test(arguments: [
        (NotificationFilter([.state]), [Notification.state(.left, 1), .state(.right, 2)]),
        (NotificationFilter([.lease]), [.lease("a", .granted)]),
        (NotificationFilter([]), []),
    ])
    func `a new listener gets what its filter includes`(filter: NotificationFilter, received: [Notification]) {
        post([.state(.left, 1), .state(.right, 2), .lease("a", .granted, on: .left)])
        #expect(newcomer(filter) == received)
    }

    @Test func `the newest of a key can be read without listening`() {
        #expect(hub.source.retained(.state, of: .left) == nil)
        post([.state(.left, 1), .state(.right, 2), .state(.left, 3)])
        #expect(hub.source.retained(.state, of: .left) == .state(.left, 3))
        #expect(hub.source.retained(.state, of: .right) == .state(.right, 2))
        #expect(hub.source.retained(.display, of: .left) == nil)
    }

    @Test func `a listener gets newer notifications, including transient ones`() {
        post([.state(.left, 1)])
        let listener = hub.source.listen(to: .all, wake: {})
        post([.display(.right, .added), .failure(1)])
        #expect(listener.drain() == [.state(.left, 1), .display(.right, .added), .failure(1)])
        post([.state(.left, 2)])
        post([.state(.left, 3)])
        #expect(listener.drain() == [.state(.left, 3)])
        #expect(listener.drain() == [])
    }
}

@Suite(.timeLimit(.minutes(10)))
struct WakeTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub()
    private let wakes = Collected<String>()

    private func listen(to filter: NotificationFilter = .all, as name: String = "wake") -> Listener {
        hub.source.listen(to: filter) { [wakes] in wakes.append(name) }
    }

    @Test func `there is one wake until the mailbox is drained`() {
        let listener = listen()
        #expect(wakes.count == 0)
        hub.poster.post(.state(.left, 1), .state(.right, 2), .failure(1))
        #expect(wakes.count == 1)
        hub.poster.post(.state(.left, 3))
        #expect(wakes.count == 1)
        _ = listener.drain()
        hub.poster.post(.failure(2))
        #expect(wakes.count == 2)
    }

    @Test func `retained notifications cause no wake`() {
        hub.poster.post(.state(.left, 1))
        let listener = listen()
        #expect(wakes.count == 0)
        #expect(listener.drain() == [.state(.left, 1)])
    }

    @Test func `a filter by cause drops the displays' states with other causes, and nothing else`() {
        var set = DisplayState.of(.left, revision: 2)
        set.cause = Cause(.auto, at: set.cause.at)
        hub.poster.post(.state(.right, 1), .state(set), .lease("a", .granted))
        let baselines = hub.source.listen(to: NotificationFilter([.state], causedBy: [.auto]), wake: {})
        #expect(baselines.drain() == [.state(set)])
        let leases = hub.source.listen(to: NotificationFilter([.lease], causedBy: [.auto]), wake: {})
        #expect(leases.drain() == [.lease("a", .granted)])
    }

    @Test func `a filter of this machine drops the states of mirrored displays`() {
        hub.poster.post(.state(.of(.right, kind: .remote)), .state(.left, 2))
        let own = hub.source.listen(to: NotificationFilter([.state], ofThisMachine: true), wake: {})
        #expect(own.drain() == [.state(.left, 2)])
    }

    @Test func `only listeners with a matching filter are woken`() {
        let listeners = [
            listen(to: NotificationFilter([.state]), as: "state"),
            listen(to: NotificationFilter([.lease]), as: "boost"),
        ]
        hub.poster.post(.state(.left, 1))
        #expect(wakes.all == ["state"])
        hub.poster.post(.lease("a", .granted, on: .right))
        #expect(wakes.all == ["state", "boost"])
        #expect(listeners.map { $0.drain().count } == [1, 1])
    }

    @Test func `the mailbox is full before the wakes are called`() {
        let listener = listen()
        let pending = hub.poster.put([.state(.left, 1)])
        #expect(wakes.count == 0)
        #expect(listener.drain() == [.state(.left, 1)])
        pending()
        #expect(wakes.count == 1)
    }

    @Test func `a wake may drain, read and listen`() {
        let received = Collected<Notification>()
        let source = hub.source
        let outer = Collected<Listener>()
        outer.append(
            source.listen(to: .all) {
                received.append { outer.all.flatMap { $0.drain() } }
                received.append { source.listen(to: .all, wake: {}).drain() }
                received.append { source.retained(.state, of: .left).map { [$0] } ?? [] }
            }
        )
        hub.poster.post(.state(.left, 1))
        #expect(received.all == [.state(.left, 1), .state(.left, 1), .state(.left, 1)])
        outer.removeAll()
    }

    @Test func `a released listener is not woken, and its wake is released`() async {
        let (token, gone) = Token.make()
        var listener: Listener? = hub.source.listen(to: .all) { [wakes, token] in
            wakes.append("wake")
            withExtendedLifetime(token) {}
        }
        let stays = listen(as: "other")
        _ = listener?.drain()
        listener = nil
        hub.poster.post(.state(.left, 1))
        #expect(wakes.all == ["other"])
        #expect(stays.drain() == [.state(.left, 1)])
        _ = consume token
        await gone.ended()
    }

    @Test func `a listener is notified of dropped notifications once`() {
        let listener = hub.source.listen(to: .all, wake: {})
        hub.poster.post(.state(.left, 1))
        #expect(listener.drainWhole() == [.state(.left, 1)])
        for number in 0...Mailbox.limit { hub.poster.post(.failure(number)) }
        #expect(listener.drainWhole() == nil)
        hub.poster.post(.state(.left, 2))
        #expect(listener.drainWhole() == [.state(.left, 2)])
    }
}
