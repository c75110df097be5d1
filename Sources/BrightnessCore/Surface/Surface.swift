// SPDX-License-Identifier: Apache-2.0

/// The parts of the daemon that a surface has, such as MQTT. Only its protocol is its own.
package struct Surface: Sendable {
    package var service: DisplayService
    package var source: NotificationSource
    package var poster: NotificationPoster
    /// Counts a viewer while there is a client.
    package var viewers: ViewerCount
    /// The groups that commands name.
    package var groups: DisplayGroups
    /// The quota of the commands of each display; `nil` for no limit.
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
        logRefusal: (@Sendable (String) -> Void)? = nil,
        now: @escaping @Sendable () -> Moment
    ) {
        (self.service, self.source, self.poster) = (service, source, poster)
        (self.viewers, self.groups, self.writeQuota) = (viewers, groups, writeQuota)
        (self.logRefusal, self.now) = (logRefusal, now)
    }

    /// Carries out the commands of its clients.
    package var handler: CommandHandler { CommandHandler(service, source, groups: groups) }

    /// The facts about the displays of this machine: what home automation shows.
    ///
    /// - Parameter wake: As in `NotificationSource.listen`.
    package func facts(wake: @escaping @Sendable () -> Void) -> FactFeed {
        let filter = NotificationFilter([.brightness, .lease, .ambient, .display, .presets], ofThisMachine: true)
        return FactFeed(source, filter, viewers: viewers, wake: wake)
    }
}
