// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Starts and stops the subscriptions of one owner by their lifespan.
///
/// - `.lifetime` subscriptions run from `init` until they are stopped or the group is let go.
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

    /// A handler that is at work is left to finish; it gets nothing more.
    package func stop(_ lifespan: Lifespan) {
        let stopped = running.withLock { running in
            let chosen = running.filter { subscriptions[$0.key].lifespan == lifespan }
            for index in chosen.keys { running[index] = nil }
            return chosen.values.map { $0 }
        }
        for task in stopped { task.cancel() }
    }

    deinit {
        running.withLock { running in
            for task in running.values { task.cancel() }
        }
    }
}
