// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The history's place in the hub: it listens to displays, states, light and boosts, but to no boosts for a minute after there were more
/// than a mailbox holds. Then what is in force is looked up instead, and a storm of boosts costs the hub little.
struct HistoryListener: Sendable {
    static let pause: Duration = .seconds(60)

    private let source: NotificationSource
    private let wake: @Sendable () -> Void
    private var listener: Listener
    private var pausedAt: Instant?

    init(_ source: NotificationSource, wake: @escaping @Sendable () -> Void) {
        self.source = source
        self.wake = wake
        listener = source.listen(to: Interest([.brightness, .ambient, .boost, .display]), wake: wake)
    }

    /// - Returns: The news, and whether no boost is missing in it.
    mutating func drain(at now: Instant) -> (news: [Notification], isWhole: Bool) {
        guard let news = listener.drainWhole() else {
            pausedAt = now
            return (listen(to: [.brightness, .ambient, .display]), false)
        }
        guard let pausedAt else { return (news, true) }
        guard now - pausedAt >= Self.pause else { return (news, false) }
        self.pausedAt = nil
        return (listen(to: [.brightness, .ambient, .boost, .display]), false)
    }

    /// Listens anew: what is retained has all that was missed, but for what is over.
    private mutating func listen(to kinds: Set<Notification.Kind>) -> [Notification] {
        listener = source.listen(to: Interest(kinds), wake: wake)
        return listener.drain()
    }
}
