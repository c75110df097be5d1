// SPDX-License-Identifier: Apache-2.0
internal import Support

/// The right to listen, without the right to post.
package struct NotificationSource: Sendable {
    let hub: NotificationHub

    package static var silent: NotificationSource { NotificationHub().source }

    /// Starts listening. The listener's mailbox already has the retained notifications; `wake` is not called for those.
    ///
    /// - Parameters:
    ///   - withEnds: Whether the mailbox starts with the newest ends of leases and displays, before the retained
    ///     notifications.
    ///   - keepsStates: Whether the mailbox keeps the states of a display that newer ones replace; see `Mailbox`.
    ///   - wake: Called on the poster's thread when the mailbox stops being empty. It must return at once and must not
    ///     post. One call may arrive after the listener was released.
    package func listen(
        to filter: NotificationFilter,
        withEnds: Bool = false,
        keepsStates: Bool = false,
        wake: @escaping @Sendable () -> Void
    ) -> Listener {
        let (id, endsKnownSince) = hub.add(filter, withEnds: withEnds, keepsStates: keepsStates, wake: wake)
        return Listener(hub: hub, id: id, endsKnownSince: endsKnownSince)
    }

    /// Every retained notification in the filter, then every newer one, conflated by key until it is read.
    package func notifications(of filter: NotificationFilter) -> Notifications {
        Notifications(source: self, filter: filter)
    }

    /// Whether a display of this machine follows the light, starting with the current value.
    package var following: some AsyncSequence<Bool, Never> & Sendable {
        notifications(of: NotificationFilter([.following])).compactMap { notification in
            if case .following(let isFollowing) = notification { isFollowing } else { nil }
        }
    }

    package func posts(of kind: Notification.Kind) -> UInt64 { hub.posts(of: kind) }

    package func all(_ kind: Notification.Kind) -> [Notification] {
        listen(to: NotificationFilter([kind])) {}.drain()
    }

    /// The retained notification of a kind, and of a display where each has its own.
    package func retained(_ kind: Notification.Kind, of display: DisplayID? = nil) -> Notification? {
        hub.retained(Notification.Key(kind: kind, display: display))
    }
}

/// A subscription to the hub, with a mailbox. Ends when it is released.
package final class Listener: Sendable {
    private let hub: NotificationHub
    private let id: NotificationHub.ListenerID
    /// For a listener with ends: its mailbox started with all ends after this revision.
    package let endsKnownSince: Revision

    init(hub: NotificationHub, id: NotificationHub.ListenerID, endsKnownSince: Revision) {
        self.hub = hub
        self.id = id
        self.endsKnownSince = endsKnownSince
    }

    /// Returns and removes all unread notifications.
    package func drain() -> [Notification] { hub.drain(id).notifications }

    /// Returns and removes all unread notifications; `nil` if some were dropped. A listener that needs every end then
    /// has to listen again.
    package func drainWhole() -> [Notification]? {
        let (notifications, dropped) = hub.drain(id)
        return dropped == 0 ? notifications : nil
    }

    deinit { hub.remove(id) }
}

/// A listener as an `AsyncSequence`: a wake sends a signal, and the mailbox keeps the notifications.
package struct Notifications: AsyncSequence, Sendable {
    package typealias Element = Notification
    package typealias Failure = Never

    let source: NotificationSource
    let filter: NotificationFilter

    package func makeAsyncIterator() -> Iterator {
        let (signals, signal) = WakeSignal.makeStream()
        let listener = source.listen(to: filter) { signal.send() }
        return Iterator(listener: listener, waiting: listener.drain()[...], signals: signals.makeAsyncIterator())
    }

    package struct Iterator: AsyncIteratorProtocol {
        let listener: Listener
        fileprivate var waiting: ArraySlice<Notification>
        var signals: AsyncStream<Void>.AsyncIterator

        /// Whether notifications were drained from the mailbox and not returned yet.
        var hasWaiting: Bool { !waiting.isEmpty }

        /// Returns `nil` once the reading task is cancelled, even if notifications are unread.
        package mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
            while waiting.isEmpty {
                guard await signals.next(isolation: actor) != nil else { return nil }
                waiting = listener.drain()[...]
            }
            return Task.isCancelled ? nil : waiting.popFirst()
        }

        // Swift 6.0 derives neither this nor the types from the method above.
        package mutating func next() async -> Notification? { await next(isolation: nil) }
        package typealias Element = Notification
        package typealias Failure = Never
    }
}

/// The right to post. Listeners do not receive it.
package struct NotificationPoster: Sendable {
    let hub: NotificationHub

    /// Posts at once and wakes listeners. Do not call it while holding a lock.
    package func post(_ notifications: Notification...) {
        hub.put(notifications)()
    }

    /// Fills the mailboxes in the caller's order. The caller runs the returned wakes after its own lock.
    package func put(_ notifications: [Notification]) -> PendingWakes {
        hub.put(notifications)
    }
}
