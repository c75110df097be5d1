// SPDX-License-Identifier: Apache-2.0
internal import Conflation

/// The right to listen, and nothing else.
package struct NotificationSource: Sendable {
    let hub: NotificationHub

    /// Starts listening. The listener's mailbox already holds what is retained; `wake` is not called for that.
    ///
    /// - Parameters:
    ///   - withEnds: Whether the mailbox also begins with the newest ends of leases and displays, before what is retained.
    ///   - wake: Called on the poster's thread when the mailbox stops being empty. It must return at once and
    ///     must not post; it means only "look". One may still come when the listener has just been let go.
    package func listen(
        to filter: NotificationFilter,
        withEnds: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) -> Listener {
        let (id, horizon) = hub.add(filter, withEnds: withEnds, wake: wake)
        return Listener(hub: hub, id: id, horizon: horizon)
    }

    /// Everything retained the filter includes, then every newer notification, conflated by key while nobody reads.
    package func notifications(of filter: NotificationFilter) -> Notifications {
        Notifications(source: self, filter: filter)
    }

    /// Whether a display of this machine follows the light, from now on.
    package var following: some AsyncSequence<Bool, Never> & Sendable {
        notifications(of: NotificationFilter([.following])).compactMap { notification in
            if case .following(let isFollowing) = notification { isFollowing } else { nil }
        }
    }

    /// How many of a kind were posted so far.
    package func posts(of kind: Notification.Kind) -> UInt64 { hub.posts(of: kind) }

    /// The newest notification of a key, if one is retained.
    package func retained(_ key: Notification.Key) -> Notification? {
        hub.retained(key)
    }
}

/// A place in the hub's list, with a mailbox. Ends when it is let go.
package final class Listener: Sendable {
    private let hub: NotificationHub
    private let id: NotificationHub.ListenerID
    /// If it listens with ends, its mailbox began with all of them after this revision.
    package let horizon: Revision

    init(hub: NotificationHub, id: NotificationHub.ListenerID, horizon: Revision) {
        self.hub = hub
        self.id = id
        self.horizon = horizon
    }

    /// Takes all that waits.
    package func drain() -> [Notification] { hub.drain(id).notifications }

    /// The same; `nil` if so much came meanwhile that some of it was forgotten. Whoever must know what is over then has
    /// to listen anew.
    package func drainWhole() -> [Notification]? {
        let (notifications, forgotten) = hub.drain(id)
        return forgotten == 0 ? notifications : nil
    }

    deinit { hub.remove(id) }
}

/// A listener as an `AsyncSequence`: the wake sends a signal, the mailbox keeps what is new.
package struct Notifications: AsyncSequence, Sendable {
    package typealias Element = Notification
    package typealias Failure = Never

    let source: NotificationSource
    let filter: NotificationFilter

    package func makeAsyncIterator() -> Iterator {
        let (signals, signal) = Signal.makeStream()
        let listener = source.listen(to: filter) { signal.send() }
        return Iterator(listener: listener, waiting: listener.drain()[...], signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        let listener: Listener
        var waiting: ArraySlice<Notification>
        var signals: AsyncStream<Void>.AsyncIterator

        /// Returns `nil` once the task that reads is cancelled, whatever waits.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
            while waiting.isEmpty {
                guard await signals.next(isolation: actor) != nil else { return nil }
                waiting = listener.drain()[...]
            }
            return Task.isCancelled ? nil : waiting.popFirst()
        }
    }
}
