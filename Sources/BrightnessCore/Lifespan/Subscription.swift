// SPDX-License-Identifier: Apache-2.0

/// A handler or a task and its lifespan. A value, started and stopped by a `SubscriptionGroup`.
package struct Subscription: Sendable {
    let lifespan: SubscriptionLifespan
    /// Starts listening or working, in a task of its own.
    let start: @Sendable (NotificationSource) -> Task<Void, Never>

    /// Subscribes to notifications. `handler` is called for one notification after another.
    ///
    /// - Parameter rest: Called when all waiting notifications are handled. Nothing wakes the listener during a rest;
    ///   the newest notification of each key is kept until its end.
    package init(
        to filter: NotificationFilter,
        lifespan: SubscriptionLifespan = .lifetime,
        rest: @escaping @Sendable () async -> Void = {},
        handler: @escaping @Sendable (Notification) async -> Void
    ) {
        self.lifespan = lifespan
        start = { source in
            // Outside the task, so that nothing posted after the start is missed.
            let notifications = source.notifications(of: filter).makeAsyncIterator()
            return Task {
                var notifications = notifications
                while let next = await notifications.next(isolation: nil) {
                    await handler(next)
                    if !notifications.hasWaiting { await rest() }
                }
            }
        }
    }

    /// Runs `work` at each start and cancels it at the next stop. For example, a poll that only viewers need is
    /// `.visible`.
    package init(_ lifespan: SubscriptionLifespan, work: @escaping @Sendable () async -> Void) {
        self.lifespan = lifespan
        start = { _ in Task { await work() } }
    }
}

/// When the subscriptions of a `SubscriptionGroup` run. Not to be confused with the `LeaseLifespan` of a lease.
package enum SubscriptionLifespan: Hashable, Sendable {
    /// From the group's `init` to its `end`.
    case lifetime
    /// While at least one viewer is present.
    case visible
    /// Between the group's `start` and `stop`.
    case custom
}
