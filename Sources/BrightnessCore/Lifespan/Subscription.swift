// SPDX-License-Identifier: Apache-2.0

/// What a part listens to, and when: a value, declared once, started and stopped by a `SubscriptionGroup`.
package struct Subscription: Sendable {
    package let interest: Interest
    package let lifespan: Lifespan
    /// Called for one notification after another, in a task of the subscription's own.
    package let handler: @Sendable (Notification) async -> Void

    package init(
        to interest: Interest,
        lifespan: Lifespan = .lifetime,
        handler: @escaping @Sendable (Notification) async -> Void
    ) {
        self.interest = interest
        self.lifespan = lifespan
        self.handler = handler
    }
}
