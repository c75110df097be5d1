// SPDX-License-Identifier: Apache-2.0

/// What a part of the daemon listens to, or does, and when: a value, declared once, started and stopped by a `SubscriptionGroup`.
package struct Subscription: Sendable {
    package let lifespan: SubscriptionLifespan
    /// Listens from here on, in a task of the subscription's own.
    let start: @Sendable (NotificationSource) -> Task<Void, Never>

    /// Listens. `handler` is called for one notification after another.
    package init(
        to filter: NotificationFilter,
        lifespan: SubscriptionLifespan = .lifetime,
        handler: @escaping @Sendable (Notification) async -> Void
    ) {
        self.lifespan = lifespan
        start = { source in
            // Here and not in the task, so nothing posted after the start is missed.
            let notifications = source.notifications(of: filter).makeAsyncIterator()
            return Task {
                var notifications = notifications
                while let next = await notifications.next(isolation: nil) { await handler(next) }
            }
        }
    }

    /// Works from each start until it is cancelled at the next stop, such as a poll that is worth its cost only while it is `.visible`.
    package init(_ lifespan: SubscriptionLifespan, work: @escaping @Sendable () async -> Void) {
        self.lifespan = lifespan
        start = { _ in Task { await work() } }
    }
}
