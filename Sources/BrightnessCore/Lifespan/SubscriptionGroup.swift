// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Starts and stops the subscriptions of one owner by their lifespan.
///
/// - `.lifetime` subscriptions run from `init` until the group is let go.
/// - Starting twice is one start. Stopping stops only what this group started, never somebody else's.
/// - The end of the owner, and so of its group, stops everything.
/// - Any thread.
package final class SubscriptionGroup: Sendable {
    private let source: NotificationSource
    private let subscriptions: [Subscription]
    private let running = Mutex<[Int: Task<Void, Never>]>([:])

    package init(_ source: NotificationSource, _ subscriptions: [Subscription]) {
        self.source = source
        self.subscriptions = subscriptions
        start(.lifetime)
    }

    /// Every started subscription receives what is retained first, then what is newer.
    package func start(_ lifespan: Lifespan) {
        running.withLock { running in
            for (index, subscription) in subscriptions.enumerated()
            where subscription.lifespan == lifespan && running[index] == nil {
                // Listening begins here and not in the task, so nothing posted after `start` is missed.
                let notifications = source.notifications(of: subscription.interest).makeAsyncIterator()
                running[index] = Task {
                    var notifications = notifications
                    while let next = await notifications.next(isolation: nil) { await subscription.handler(next) }
                }
            }
        }
    }

    package func stop(_ lifespan: Lifespan) {
        running.withLock { running in
            for (index, task) in running where subscriptions[index].lifespan == lifespan {
                task.cancel()
                running[index] = nil
            }
        }
    }

    deinit {
        running.withLock { running in
            for task in running.values { task.cancel() }
        }
    }
}
