// SPDX-License-Identifier: Apache-2.0

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
