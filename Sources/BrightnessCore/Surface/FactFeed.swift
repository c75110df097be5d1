// SPDX-License-Identifier: Apache-2.0

/// The hub's facts for the clients of a surface: from `begin` to `end` it listens and counts as a viewer. On one
/// thread.
package struct FactFeed {
    private let source: NotificationSource
    private let filter: NotificationFilter
    private let withEnds: Bool
    private let viewers: ViewerCount
    private let wake: @Sendable () -> Void
    private var listener: Listener?
    private var viewer: ViewerToken?

    /// - Parameters: As those of `NotificationSource.listen`.
    package init(
        _ source: NotificationSource,
        _ filter: NotificationFilter,
        withEnds: Bool = false,
        viewers: ViewerCount,
        wake: @escaping @Sendable () -> Void
    ) {
        (self.source, self.filter, self.withEnds) = (source, filter, withEnds)
        (self.viewers, self.wake) = (viewers, wake)
    }

    package var isOpen: Bool { listener != nil }

    /// Of a feed with ends: the revision after which it has every one.
    package var horizon: Revision { listener?.horizon ?? Revision(0) }

    /// Listens, or listens again. Every retained fact is unread, and then newer ones.
    package mutating func begin() {
        listener = source.listen(to: filter, withEnds: withEnds, wake: wake)
        viewer = viewer ?? viewers.join()
    }

    /// Removes and returns the unread facts; `nil` if some were missed. Then `begin` must follow.
    package func take() -> [Notification]? { listener.map { $0.drainWhole() } ?? [] }

    /// Removes and returns the unread facts of a feed that has just begun. Only a feed of which everything was read
    /// calls `wake`.
    package func drain() -> [Notification] { listener?.drain() ?? [] }

    package mutating func end() { (listener, viewer) = (nil, nil) }
}
