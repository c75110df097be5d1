// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Support
import Synchronization

/// Logs failures of panels, the journal's health, the connection to the MQTT broker, automatic brightness without
/// light, mirrored nodes that come and go, and notices.
final class HealthLog: Sendable {
    private let subscriptions: SubscriptionGroup

    /// - Parameter now: Reads the wall clock.
    init(
        _ source: NotificationSource,
        _ logger: Logger,
        now: @escaping @Sendable () -> Timestamp = { MachineClock.moment().wall }
    ) {
        let waiting = Mutex<[DisplayID]>([])
        // The refusals over a write budget that were logged: one a display and day. Schedules try again until midnight.
        let refusals = Mutex<[DisplayID: Int64]>([:])
        let nodes = Mutex<[String: Bool]>([:])
        let kinds: Set<BrightnessCore.Notification.Kind> = [.failure, .journal, .broker, .health, .node, .notice]
        let subscription = Subscription(to: NotificationFilter(kinds)) { notification in
            switch notification {
            case .failure(let id, let error):
                if case .worn = error {
                    let day = now().milliseconds / 86_400_000
                    if refusals.withLock({ $0.updateValue(day, forKey: id) == day }) { break }
                }
                Self.log(error, of: id, logger)
            case .journal(let health): Self.log(health, logger)
            case .broker(let health): Self.log(health, logger)
            case .health(let health):
                let earlier = waiting.exchange(health.waitingForLight)
                Self.log(waiting: health.waitingForLight, earlier, logger)
            case .node(_, let node?):
                // While the broker is away, its nodes are neither online nor offline.
                guard let isOnline = node.isOnline else { break }
                let earlier = nodes.withLock { $0.updateValue(isOnline, forKey: node.topic) }
                if earlier != isOnline { Self.log(node, isOnline, logger) }
            case .notice(let notice): Self.log(notice, logger)
            default: break
            }
        }
        subscriptions = SubscriptionGroup(source, subscription)
    }

    func end() { subscriptions.end() }

    private static func log(_ error: DeviceError, of id: DisplayID, _ logger: Logger) {
        if case .asleep = error { return logger.info("\(id) is asleep: commands are carried out once it is awake") }
        logger.warning("\(id): \(error.logText)")
    }

    private static func log(waiting: [DisplayID], _ earlier: [DisplayID], _ logger: Logger) {
        for id in waiting where !earlier.contains(id) {
            logger.warning(
                """
                \(id): automatic brightness is on, but no light sensor has a reading. The display keeps its \
                brightness; brightnessd probe lists the sensors
                """
            )
        }
        for id in earlier where !waiting.contains(id) { logger.info("\(id): no longer waits for a light sensor") }
    }

    private static func log(_ health: JournalHealth, _ logger: Logger) {
        switch health {
        case .durable:
            logger.info("state file: writable, so that leases survive a crash")
        case .recreated(let setAside, let why):
            let old = setAside.map { ". The old file is now \($0)" } ?? ""
            logger.warning("state file: recreated, because \(why)\(old)")
        case .failing(let why):
            logger.error("state file: \(why). Boosts work, but do not survive a crash")
        }
    }

    private static func log(_ health: BrokerHealth, _ logger: Logger) {
        switch health {
        case .connecting: break
        case .connected(nil): logger.notice("MQTT: connected")
        case .connected(let limitation?): logger.warning("MQTT: connected, but \(limitation)")
        case .away(let why): logger.warning("MQTT: no connection to the broker: \(why)")
        }
    }

    private static func log(_ node: NodeState, _ isOnline: Bool, _ logger: Logger) {
        let version = node.version.map { ", version \($0)" } ?? ""
        logger.notice("node \(node.name): \(isOnline ? "online\(version)" : "offline")")
    }

    private static func log(_ notice: Notice, _ logger: Logger) {
        switch notice {
        case .sensor(let id, nil): logger.info("light sensor \(id): connected")
        case .sensor(let id, let reason?): logger.warning("light sensor \(id): no reading, because \(reason)")
        case .limited(let id, let written, let kept):
            logger.warning(
                """
                \(id): shows \(kept) of its own steps after \(written) was written. Its own menu limits it, for \
                example by an energy-saving, HDR or automatic mode
                """
            )
        case .inputDenied(let path):
            logger.warning(
                """
                cannot read \(path): permission denied. Keyboards, mice and touch screens do not count as activity. \
                Add the daemon's user to the group input: sudo usermod -aG input USER, and start it again
                """
            )
        case .pageRefused(let text): logger.notice("\(text)")
        case .broker(let text): logger.info("MQTT: \(text)")
        case .journal(let text): logger.warning("state file: \(text)")
        case .homeAssistant(let text): logger.info("ESPHome: \(text)")
        }
    }
}
