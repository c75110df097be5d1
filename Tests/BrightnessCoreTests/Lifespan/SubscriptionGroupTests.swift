// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite(.timeLimit(.minutes(10)))
struct SubscriptionGroupTests {
    typealias Notification = BrightnessCore.Notification

    private let hub = NotificationHub()

    /// A subscription to everything, and the notifications that its handler received.
    private struct Tap {
        let subscription: Subscription
        let given: AsyncStream<Notification>

        init(_ lifespan: SubscriptionLifespan, to filter: NotificationFilter = .all) {
            let (given, give) = AsyncStream.makeStream(of: Notification.self)
            let finish = Finish(give)
            subscription = Subscription(to: filter, lifespan: lifespan) { finish.give.yield($0) }
            self.given = given
        }

        /// Finishes the stream when the handler is released and cannot be called any more.
        private final class Finish: Sendable {
            let give: AsyncStream<Notification>.Continuation
            init(_ give: AsyncStream<Notification>.Continuation) { self.give = give }
            deinit { give.finish() }
        }
    }

    /// Every notification that a handler receives until it is released.
    private func all(_ given: AsyncStream<Notification>) async -> [Notification] {
        var all: [Notification] = []
        for await notification in given { all.append(notification) }
        return all
    }

    /// A new group. The result is optional, so that a test can release the group with `nil`.
    private func group(_ subscriptions: Subscription...) -> SubscriptionGroup? {
        SubscriptionGroup(hub.source, subscriptions)
    }

    @Test func `a lifetime subscription runs from the creation of its group until the group is released`() async {
        hub.poster.post(.state(.left, 1))
        let tap = Tap(.lifetime)
        let given = tap.given
        var received = given.makeAsyncIterator()
        var group = group(tap.subscription)
        _ = consume tap
        hub.poster.post(.state(.right, 2))
        #expect(await received.next() == .state(.left, 1))
        #expect(await received.next() == .state(.right, 2))
        hub.poster.post(.failure(1))
        #expect(await received.next() == .failure(1))
        withExtendedLifetime(group) {}
        group = nil
        #expect(await received.next() == nil)
    }

    @Test func `a whileStarted subscription starts with its group and first receives what is retained`() async {
        hub.poster.post(.state(.left, 1))
        let tap = Tap(.whileStarted)
        var received = tap.given.makeAsyncIterator()
        let group = group(tap.subscription)
        hub.poster.post(.state(.left, 2), .failure(1))
        #expect(group?.isStarted == false)
        group?.start()
        #expect(group?.isStarted == true)
        hub.poster.post(.failure(2))
        #expect(await received.next() == .state(.left, 2))
        #expect(await received.next() == .failure(2))
    }

    @Test func `a listener that rests receives only the newest of each key afterwards`() async {
        hub.poster.post(.state(.left, 1), .state(.right, 2))
        let (given, give) = AsyncStream.makeStream(of: Notification.self)
        let (rests, beginRest) = AsyncStream.makeStream(of: Void.self)
        let (ends, endRest) = AsyncStream.makeStream(of: Void.self)
        let subscription = Subscription(
            to: .all,
            rest: {
                beginRest.yield()
                for await _ in ends { break }
            },
            handler: { give.yield($0) }
        )
        let group = group(subscription)
        var received = given.makeAsyncIterator()
        for await _ in rests { break }
        // Not between the two.
        #expect(await received.next() == .state(.left, 1))
        #expect(await received.next() == .state(.right, 2))
        for revision in 3...9 { hub.poster.post(.state(.left, UInt64(revision))) }
        endRest.yield()
        #expect(await received.next() == .state(.left, 9))
        endRest.yield()
        withExtendedLifetime(group) {}
    }

    @Test func `a whileWatched subscription runs while a viewer is present, until its group ends`() async {
        let viewers = ViewerCount(poster: hub.poster)
        let (runs, report) = AsyncStream.makeStream(of: Bool.self)
        let group = group(
            Subscription(.whileWatched) {
                report.yield(true)
                while !Task.isCancelled { await Task.yield() }
                report.yield(false)
            }
        )
        var run = runs.makeAsyncIterator()
        for _ in 0..<3 {
            var viewer: ViewerToken? = viewers.join()
            #expect(await run.next() == true)
            #expect(viewer != nil)
            viewer = nil
            #expect(await run.next() == false)
        }
        let viewer = viewers.join()
        #expect(await run.next() == true)
        group?.end()
        #expect(await run.next() == false)
        withExtendedLifetime((viewer, group)) {}
    }

    @Test func `a whileWatched subscription receives the retained notifications when a viewer appears`() async {
        let viewers = ViewerCount(poster: hub.poster)
        hub.poster.post(.state(.left, 1))
        let tap = Tap(.whileWatched, to: NotificationFilter([.state]))
        var received = tap.given.makeAsyncIterator()
        let group = group(tap.subscription)
        let viewer = viewers.join()
        #expect(await received.next() == .state(.left, 1))
        hub.poster.post(.state(.left, 2))
        #expect(await received.next() == .state(.left, 2))
        withExtendedLifetime((viewer, group)) {}
    }

    @Test func `a binding starts and stops the whileStarted subscriptions of a group`() async {
        let (runs, report) = AsyncStream.makeStream(of: Bool.self)
        let group = SubscriptionGroup(
            hub.source,
            Subscription(.whileStarted) {
                report.yield(true)
                while !Task.isCancelled { await Task.yield() }
                report.yield(false)
            }
        )
        let binding = Binding(hub.source.following, to: \.isStarted, of: group)
        var run = runs.makeAsyncIterator()
        for isFollowing in [true, false, true] {
            hub.poster.post(.following(isFollowing))
            #expect(await run.next() == isFollowing)
        }
        withExtendedLifetime(binding) {}
    }

    @Test func `an ended group calls no handler and cannot be started again`() async {
        let (lifetime, started) = (Tap(.lifetime), Tap(.whileStarted))
        let given = [lifetime.given, started.given]
        var group = group(lifetime.subscription, started.subscription)
        _ = (consume lifetime, consume started)
        group?.end()
        group?.start()
        #expect(group?.isStarted == false)
        hub.poster.post(.failure(1))
        group = nil
        for given in given { #expect(await all(given) == []) }
    }

    @Test func `starting a started group has no effect`() async {
        let tap = Tap(.whileStarted)
        var received = tap.given.makeAsyncIterator()
        let group = group(tap.subscription)
        for _ in 0..<5 { group?.start() }
        // Two listeners would receive everything twice.
        for number in 0..<200 {
            hub.poster.post(.failure(number))
            #expect(await received.next() == .failure(number))
        }
    }

    @Test func `a stop affects only the whileStarted subscriptions of its group`() async {
        let (stopped, other, foreign) = (Tap(.whileStarted), Tap(.lifetime), Tap(.whileStarted))
        var group = self.group(stopped.subscription, other.subscription)
        let foreigners = self.group(foreign.subscription)
        for group in [group, foreigners] { group?.start() }
        group?.stop()
        hub.poster.post(.failure(1))
        for tap in [other, foreign] {
            var received = tap.given.makeAsyncIterator()
            #expect(await received.next() == .failure(1))
        }
        let given = stopped.given
        _ = consume stopped
        group = nil
        #expect(await all(given) == [])
        withExtendedLifetime(foreigners) {}
    }

    @Test func `a stop without a start has no effect`() async {
        let tap = Tap(.whileStarted)
        var received = tap.given.makeAsyncIterator()
        let group = group(tap.subscription)
        group?.stop()
        group?.start()
        hub.poster.post(.failure(1))
        #expect(await received.next() == .failure(1))
    }

    @Test func `a stopped group can be started again, and begins with the retained notifications`() async {
        let tap = Tap(.whileStarted)
        var received = tap.given.makeAsyncIterator()
        let group = group(tap.subscription)
        group?.start()
        hub.poster.post(.state(.left, 1))
        #expect(await received.next() == .state(.left, 1))
        group?.stop()
        hub.poster.post(.failure(1), .state(.left, 2))
        group?.start()
        #expect(await received.next() == .state(.left, 2))
    }

    @Test func `a stopped group does not deliver the notifications that still wait`() async {
        hub.poster.post(.state(.left, 1), .state(.right, 2), .lease("a", .granted))
        let (given, give) = AsyncStream.makeStream(of: Notification.self)
        let (token, gone) = Token.make()
        let groups = Collected<SubscriptionGroup>()
        groups.append(
            SubscriptionGroup(
                hub.source,
                Subscription(to: .all, lifespan: .whileStarted) { [token] notification in
                    withExtendedLifetime(token) { _ = give.yield(notification) }
                    for group in groups.all { group.stop() }
                }
            )
        )
        _ = consume token
        for group in groups.all { group.start() }
        var received = given.makeAsyncIterator()
        #expect(await received.next() == .state(.left, 1))
        groups.removeAll()
        await gone.ended()
        give.finish()
        #expect(await received.next() == nil)
    }

    @Test func `a handler is called for one notification at a time`() async {
        let running = Collected<Int>()
        let (given, give) = AsyncStream.makeStream(of: Int.self)
        let subscription = Subscription(to: .all, lifespan: .lifetime) { _ in
            running.append(1)
            await Task.yield()
            give.yield(running.count)
            running.removeAll()
        }
        let group = group(subscription)
        for number in 0..<50 { hub.poster.post(.failure(number)) }
        var received = given.makeAsyncIterator()
        for _ in 0..<50 { #expect(await received.next() == 1) }
        withExtendedLifetime(group) {}
    }

    @Test func `a group may be started and stopped from many threads`() async {
        let tap = Tap(.whileStarted)
        let shared = SubscriptionGroup(hub.source, [tap.subscription])
        onThreads(8) { _ in
            for _ in 0..<100 {
                shared.start()
                shared.stop()
            }
        }
        shared.start()
        var received = tap.given.makeAsyncIterator()
        hub.poster.post(.failure(1))
        #expect(await received.next() == .failure(1))
    }
}
