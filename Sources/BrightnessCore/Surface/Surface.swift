// SPDX-License-Identifier: Apache-2.0

/// The parts of the daemon that a surface, such as the web API or MQTT, is made of. Only its protocol is its own.
package struct Surface: Sendable {
    package var service: DisplayService
    package var source: NotificationSource
    package var poster: NotificationPoster
    /// Counts a viewer while there is a client.
    package var viewers: ViewerCount
    package var groups: DisplayGroups
    /// The quota of the commands of each display, where clients are not distinguished; `nil` for no limit.
    package var writeQuota: WriteQuota?
    /// Writes a line about a refused command; `nil` if nobody reads those.
    package var logRefusal: (@Sendable (String) -> Void)?
    /// Reads the clocks, once per command.
    package var now: @Sendable () -> Moment

    package init(
        _ service: DisplayService,
        _ source: NotificationSource,
        _ poster: NotificationPoster,
        viewers: ViewerCount,
        groups: DisplayGroups = .none,
        writeQuota: WriteQuota? = nil,
        now: @escaping @Sendable () -> Moment
    ) {
        (self.service, self.source, self.poster) = (service, source, poster)
        (self.viewers, self.groups, self.writeQuota, self.now) = (viewers, groups, writeQuota, now)
    }

    /// Executes the commands of its clients.
    package var handler: CommandHandler { CommandHandler(service, source, groups: groups) }

    /// The feed about the displays of this machine: what home automation shows.
    ///
    /// - Parameter wake: As in `NotificationSource.listen`.
    package func feed(wake: @escaping @Sendable () -> Void) -> NotificationFeed {
        let filter = NotificationFilter([.state, .lease, .ambient, .display, .presets], ofThisMachine: true)
        return NotificationFeed(source, filter, viewers: viewers, wake: wake)
    }
}

/// The notifications for the clients of a surface: from `begin` to `end` it listens and counts as a viewer. On one
/// thread.
package struct NotificationFeed {
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

    /// The revision after which a feed with ends has every end.
    package var endsKnownSince: Revision { listener?.endsKnownSince ?? Revision(0) }

    /// Listens, or listens again. Everything retained is unread, and then newer notifications.
    package mutating func begin() {
        listener = source.listen(to: filter, withEnds: withEnds, wake: wake)
        viewer = viewer ?? viewers.join()
    }

    /// Removes and returns the unread notifications; `nil` if some were missed. Then `begin` must follow.
    package func take() -> [Notification]? { listener.map { $0.drainWhole() } ?? [] }

    /// As `take`, for a feed that has just begun and missed nothing. A feed calls `wake` only after all of it was read.
    package func drain() -> [Notification] { listener?.drain() ?? [] }

    package mutating func end() { (listener, viewer) = (nil, nil) }
}
