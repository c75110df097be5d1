// SPDX-License-Identifier: Apache-2.0

/// The right to post. Not handed to those who only listen.
package struct NotificationPoster: Sendable {
    let hub: NotificationHub

    /// Posts at once. Not for use under a lock: listeners are woken.
    package func post(_ notifications: Notification...) {
        hub.put(notifications)()
    }

    /// Fills the mailboxes, in the caller's order; the caller calls the wakes after its own lock.
    package func put(_ notifications: [Notification]) -> PendingWakes {
        hub.put(notifications)
    }
}
