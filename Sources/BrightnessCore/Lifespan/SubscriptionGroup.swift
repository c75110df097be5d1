// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Starts and stops the subscriptions of one owner by their lifespan. Any thread.
///
/// - `.lifetime` subscriptions run from `init` to `end`.
/// - `.visible` subscriptions run while a viewer is present.
/// - `.custom` subscriptions run from `start` to `stop`.
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

    /// Starts the `.custom` subscriptions. Each first receives the retained notifications, then newer ones.
    package func start() { start(.custom) }

    /// Stops the `.custom` subscriptions. A running handler finishes; it receives nothing more.
    package func stop() { stop(.custom) }

    /// Whether the `.custom` subscriptions run. Settable, so that a `Binding` can start and stop them.
    package var isStarted: Bool {
        get { state.withLock { $0.tasks.keys.contains { subscriptions[$0].lifespan == .custom } } }
        set { if newValue { start() } else { stop() } }
    }

    /// Stops all subscriptions for good.
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
