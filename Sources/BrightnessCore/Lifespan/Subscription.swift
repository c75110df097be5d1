// SPDX-License-Identifier: Apache-2.0
import Support
import Synchronization

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
    /// `.whileWatched`.
    package init(_ lifespan: SubscriptionLifespan, work: @escaping @Sendable () async -> Void) {
        self.lifespan = lifespan
        start = { _ in Task { await work() } }
    }
}

/// When a subscription of a `SubscriptionGroup` runs.
package enum SubscriptionLifespan: Hashable, Sendable {
    /// From the group's `init` to its `end`.
    case lifetime
    /// While at least one viewer is present.
    case whileWatched
    /// Between the group's `start` and `stop`.
    case whileStarted
}

/// Starts and stops the subscriptions of one owner by their lifespan. Any thread.
///
/// - A second start has no effect. A stop affects only this group's subscriptions.
/// - Releasing the group ends all of them.
package final class SubscriptionGroup: Sendable {
    private struct State {
        /// The running tasks by the index of their subscription.
        var tasks: [Int: Task<Void, Never>] = [:]
        /// Observes whether a viewer is present.
        var audience: Task<Void, Never>?
        var isEnded = false
    }

    private let source: NotificationSource
    private let subscriptions: [Subscription]
    private let state = Mutex(State())

    package convenience init(_ source: NotificationSource, _ subscriptions: Subscription...) {
        self.init(source, subscriptions)
    }

    package init(_ source: NotificationSource, _ subscriptions: [Subscription]) {
        self.source = source
        self.subscriptions = subscriptions
        start(.lifetime)
        guard subscriptions.contains(where: { $0.lifespan == .whileWatched }) else { return }
        let audience = Task { [weak self] in
            for await case .audience(let isPresent) in source.notifications(of: NotificationFilter([.audience])) {
                if isPresent { self?.start(.whileWatched) } else { self?.stop(.whileWatched) }
            }
        }
        state.withLock { $0.audience = audience }
    }

    /// Starts the `.whileStarted` subscriptions. Each first receives the retained notifications, then newer ones.
    package func start() { start(.whileStarted) }

    /// Stops the `.whileStarted` subscriptions. A running handler finishes; it receives nothing more.
    package func stop() { stop(.whileStarted) }

    /// Whether the `.whileStarted` subscriptions run. Settable, so that a `Binding` can start and stop them.
    package var isStarted: Bool {
        get { state.withLock { $0.tasks.keys.contains { subscriptions[$0].lifespan == .whileStarted } } }
        set { if newValue { start() } else { stop() } }
    }

    /// Stops all subscriptions for good.
    package func end() {
        let ended = state.exchange(State(isEnded: true))
        ended.audience?.cancel()
        for task in ended.tasks.values { task.cancel() }
    }

    private func start(_ lifespan: SubscriptionLifespan) {
        state.withLock { state in
            if state.isEnded { return }
            for (index, subscription) in subscriptions.enumerated()
            where subscription.lifespan == lifespan && state.tasks[index] == nil {
                state.tasks[index] = subscription.start(source)
            }
        }
    }

    private func stop(_ lifespan: SubscriptionLifespan) {
        let stopped = state.withLock { state in
            let chosen = state.tasks.filter { subscriptions[$0.key].lifespan == lifespan }
            for index in chosen.keys { state.tasks[index] = nil }
            return chosen.values.map { $0 }
        }
        for task in stopped { task.cancel() }
    }

    deinit { end() }
}
