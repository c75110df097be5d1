// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(10)))
struct BindingTests {
    /// The owner of a bound property; reports every assigned value and its own end.
    private final class Gauge: Sendable {
        let shown: AsyncStream<Int>
        private let show: AsyncStream<Int>.Continuation
        private let last = Mutex(0)
        private let whenSet: @Sendable (Int) -> Void

        init(whenSet: @escaping @Sendable (Int) -> Void = { _ in }) {
            self.whenSet = whenSet
            (shown, show) = AsyncStream.makeStream()
        }

        var value: Int {
            get { last.withLock { $0 } }
            set {
                last.withLock { $0 = newValue }
                whenSet(newValue)
                show.yield(newValue)
            }
        }

        deinit { show.finish() }
    }

    /// A sequence with a token that ends when the sequence and its last iterator are released.
    private struct Values: AsyncSequence {
        typealias Failure = Never

        let stream: AsyncStream<Int>
        let token: Token

        struct Iterator: AsyncIteratorProtocol {
            var stream: AsyncStream<Int>.Iterator
            let token: Token

            mutating func next(isolation actor: isolated (any Actor)?) async -> Int? {
                await stream.next(isolation: actor)
            }
        }

        func makeAsyncIterator() -> Iterator { Iterator(stream: stream.makeAsyncIterator(), token: token) }
    }

    private func values() -> (values: Values, feed: AsyncStream<Int>.Continuation, unread: AsyncStream<Void>) {
        let (stream, feed) = AsyncStream.makeStream(of: Int.self)
        let (token, unread) = Token.make()
        return (Values(stream: stream, token: token), feed, unread)
    }

    private func bind(_ gauge: Gauge) -> (Binding, feed: AsyncStream<Int>.Continuation, unread: AsyncStream<Void>) {
        let (values, feed, unread) = values()
        return (Binding(values, to: \Gauge.value, of: gauge), feed, unread)
    }

    @Test func `a binding assigns every element`() async {
        let gauge = Gauge()
        let (binding, feed, _) = bind(gauge)
        var shown = gauge.shown.makeAsyncIterator()
        for number in [3, 1, 2] {
            feed.yield(number)
            #expect(await shown.next() == number)
        }
        #expect(gauge.value == 2)
        withExtendedLifetime(binding) {}
    }

    @Test func `a binding assigns a hub's notifications`() async {
        final class Screen: Sendable {
            let shown = Collected<BrightnessCore.Notification>()
            let (news, tell) = AsyncStream.makeStream(of: Void.self)
            var newest: BrightnessCore.Notification {
                get { shown.all.last ?? .failure(0) }
                set {
                    shown.append(newValue)
                    tell.yield()
                }
            }
        }
        let (hub, screen) = (NotificationHub(), Screen())
        hub.poster.post(.state(.left, 1))
        let binding = Binding(
            hub.source.notifications(of: NotificationFilter([.state])),
            to: \Screen.newest,
            of: screen
        )
        var news = screen.news.makeAsyncIterator()
        _ = await news.next()
        hub.poster.post(.state(.left, 2))
        _ = await news.next()
        #expect(screen.shown.all == [.state(.left, 1), .state(.left, 2)])
        withExtendedLifetime(binding) {}
    }

    @Test func `a cancelled binding assigns nothing more`() async {
        let gauge = Gauge()
        let (binding, feed, unread) = bind(gauge)
        var shown = gauge.shown.makeAsyncIterator()
        feed.yield(1)
        #expect(await shown.next() == 1)
        binding.cancel()
        await unread.ended()
        feed.yield(2)
        #expect(gauge.value == 1)
    }

    @Test func `a cancelled binding does not assign waiting elements`() async {
        let (values, feed, unread) = values()
        let bindings = Collected<Binding>()
        let gauge = Gauge { _ in
            for number in 2...4 { feed.yield(number) }
            for binding in bindings.all { binding.cancel() }
        }
        bindings.append(Binding(values, to: \Gauge.value, of: gauge))
        _ = consume values
        feed.yield(1)
        await unread.ended()
        #expect(gauge.value == 1)
        bindings.removeAll()
    }

    @Test func `releasing a binding cancels it`() async {
        let gauge = Gauge()
        var (binding, feed, unread): (Binding?, AsyncStream<Int>.Continuation, AsyncStream<Void>) = bind(gauge)
        withExtendedLifetime(binding) {}
        binding = nil
        await unread.ended()
        feed.yield(1)
        #expect(gauge.value == 0)
    }

    @Test func `a binding does not keep the owner of its property alive, and ends with that owner`() async {
        var gauge: Gauge? = Gauge()
        let shown = gauge!.shown
        let (binding, feed, unread) = bind(gauge!)
        var received = shown.makeAsyncIterator()
        feed.yield(1)
        #expect(await received.next() == 1)
        gauge = nil
        #expect(await received.next() == nil)
        feed.yield(2)
        await unread.ended()
        withExtendedLifetime(binding) {}
    }
}
