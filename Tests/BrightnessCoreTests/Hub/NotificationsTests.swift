// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct NotificationsTests {
    private let hub = NotificationHub()

    @Test func `the sequence yields retained notifications first, then newer ones`() async {
        hub.poster.post(.state(.left, 1), .state(.right, 2), .failure(1))
        var notifications = hub.source.notifications(of: .all).makeAsyncIterator()
        hub.poster.post(.state(.left, 3))
        #expect(await notifications.next() == .state(.left, 1))
        #expect(await notifications.next() == .state(.right, 2))
        #expect(await notifications.next() == .state(.left, 3))
        hub.poster.post(.lease("a", .granted))
        #expect(await notifications.next() == .lease("a", .granted))
    }

    @Test func `the sequence yields only notifications in its filter`() async {
        var notifications = hub.source.notifications(of: NotificationFilter([.state])).makeAsyncIterator()
        hub.poster.post(.lease("a", .granted, on: .right), .state(.right, 2))
        #expect(await notifications.next() == .state(.right, 2))
    }

    @Test func `unread notifications are conflated`() async {
        var notifications = hub.source.notifications(of: .all).makeAsyncIterator()
        for number in 1...1_000 { hub.poster.post(.state(.left, UInt64(number))) }
        #expect(await notifications.next() == .state(.left, 1_000))
        hub.poster.post(.state(.left, 1_001))
        #expect(await notifications.next() == .state(.left, 1_001))
    }

    @Test func `every iterator has its own listener`() async {
        let notifications = hub.source.notifications(of: .all)
        hub.poster.post(.state(.left, 1))
        var first = notifications.makeAsyncIterator()
        var second = notifications.makeAsyncIterator()
        #expect(await first.next() == .state(.left, 1))
        #expect(await second.next() == .state(.left, 1))
    }

    @Test func `a post wakes a waiting reader`() async {
        let notifications = hub.source.notifications(of: .all).makeAsyncIterator()
        async let next = { () async -> BrightnessCore.Notification? in
            var notifications = notifications
            return await notifications.next()
        }()
        hub.poster.post(.failure(1))
        #expect(await next == .failure(1))
    }

    @Test func `the sequence ends when the reading task is cancelled`() async {
        hub.poster.post(.state(.left, 1))
        let source = hub.source
        let (read, reading) = AsyncStream.makeStream(of: BrightnessCore.Notification.self)
        let reader = Task {
            for await notification in source.notifications(of: .all) { reading.yield(notification) }
            reading.finish()
        }
        var received = read.makeAsyncIterator()
        #expect(await received.next() == .state(.left, 1))
        reader.cancel()
        #expect(await received.next() == nil)
    }

    @Test func `a cancelled task gets nothing more, even if notifications are unread`() async {
        hub.poster.post(.state(.left, 1), .state(.right, 2), .lease("a", .granted))
        let source = hub.source
        let received = await Task {
            var received: [BrightnessCore.Notification] = []
            for await notification in source.notifications(of: .all) {
                received.append(notification)
                withUnsafeCurrentTask { $0?.cancel() }
            }
            return received
        }.value
        #expect(received == [.state(.left, 1)])
    }
}
