// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Starts and stops the subscriptions of one owner by their lifespan.
///
/// - `.lifetime` subscriptions run from `init` to `end`.
/// - `.visible` ones run while the hub's audience is present. Nobody has to start them.
/// - `.custom` ones run from `start` to `stop`.
/// - Starting twice is one start. Stopping stops only what this group started, never somebody else's.
/// - The end of the owner, and so of its group, stops everything.
/// - Any thread.
package final class SubscriptionGroup: Sendable {
    private struct State {
        /// By the place of the subscription.
        var tasks: [Int: Task<Void, Never>] = [:]
        /// Follows the audience.
        var audience: Task<Void, Never>?
        var isEnded = false
    }

    private let source: NotificationSource
    private let subscriptions: [Subscription]
    private let state = Mutex(State())

    package init(_ source: NotificationSource, _ subscriptions: [Subscription]) {
        self.source = source
        self.subscriptions = subscriptions
        start(.lifetime)
        guard subscriptions.contains(where: { $0.lifespan == .visible }) else { return }
        let audience = Task { [weak self] in
            for await case .audience(let isPresent) in source.notifications(of: NotificationFilter([.audience])) {
                if isPresent { self?.start(.visible) } else { self?.stop(.visible) }
            }
        }
        state.withLock { $0.audience = audience }
    }

    /// Starts the `.custom` subscriptions. Each receives what is retained first, then what is newer.
    package func start() { start(.custom) }

    /// Stops the `.custom` subscriptions. A handler that is at work is left to finish; it gets nothing more.
    package func stop() { stop(.custom) }

    /// Whether the `.custom` subscriptions run; for a `Binding`, which starts and stops them by what it assigns.
    package var isStarted: Bool {
        get { state.withLock { $0.tasks.keys.contains { subscriptions[$0].lifespan == .custom } } }
        set { if newValue { start() } else { stop() } }
    }

    /// Stops everything, for good.
    package func end() {
        let (tasks, audience) = state.withLock { state in
            defer { state = State(isEnded: true) }
            return (state.tasks.values.map { $0 }, state.audience)
        }
        audience?.cancel()
        for task in tasks { task.cancel() }
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
