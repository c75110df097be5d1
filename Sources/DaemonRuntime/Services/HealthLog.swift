// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Synchronization

/// Logs failures of panels, the journal's health, the connection to the MQTT broker, and automatic brightness without
/// light.
final class HealthLog: Sendable {
    private let subscriptions: SubscriptionGroup

    init(_ source: NotificationSource, _ logger: Logger) {
        let waiting = Mutex<[DisplayID]>([])
        subscriptions = SubscriptionGroup(
            source,
            [
                Subscription(to: NotificationFilter([.failure])) { Self.log(panelOf: $0, logger) },
                Subscription(to: NotificationFilter([.journal])) { Self.log(journalOf: $0, logger) },
                Subscription(to: NotificationFilter([.broker])) { Self.log(brokerOf: $0, logger) },
                Subscription(to: NotificationFilter([.health])) { notification in
                    guard case .health(let health) = notification else { return }
                    let earlier = waiting.withLock { waiting in
                        defer { waiting = health.waiting }
                        return waiting
                    }
                    Self.log(waiting: health.waiting, earlier, logger)
                },
            ]
        )
    }

    func end() { subscriptions.end() }

    private static func log(panelOf notification: Notification, _ logger: Logger) {
        guard case .failure(let id, let error) = notification else { return }
        if case .asleep = error { return logger.info("\(id) is switched off") }
        logger.warning("\(id): \(error.logText)")
    }

    private static func log(waiting: [DisplayID], _ earlier: [DisplayID], _ logger: Logger) {
        for id in waiting where !earlier.contains(id) {
            logger.warning("\(id): automatic brightness is on, but no light sensor has a reading; the display stays")
        }
        for id in earlier where !waiting.contains(id) { logger.info("\(id): no longer waits for a light sensor") }
    }

    private static func log(journalOf notification: Notification, _ logger: Logger) {
        guard case .journal(let health) = notification else { return }
        switch health {
        case .durable:
            logger.info("journal: writable, so that leases survive a crash")
        case .recreated(let setAside, let why):
            let old = setAside.map { ". The old file is now \($0)" } ?? ""
            logger.warning("journal: recreated, because \(why)\(old)")
        case .failing(let why):
            logger.error("journal: \(why). Boosts work, but do not survive a crash")
        }
    }

    private static func log(brokerOf notification: Notification, _ logger: Logger) {
        guard case .broker(let health) = notification else { return }
        switch health {
        case .connecting: break
        case .connected(nil): logger.notice("MQTT: connected")
        case .connected(let limitation?): logger.warning("MQTT: connected, but \(limitation)")
        case .away(let why): logger.warning("MQTT: no connection to the broker: \(why)")
        }
    }
}
