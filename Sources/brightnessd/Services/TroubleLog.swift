// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Writes down what panels refuse, when boosts would not survive a crash, and how it goes with the MQTT broker.
final class TroubleLog: Sendable {
    private let subscriptions: SubscriptionGroup

    init(_ source: NotificationSource, _ logger: Logger) {
        subscriptions = SubscriptionGroup(
            source,
            [
                Subscription(to: Interest([.failure, .journal, .broker])) { notification in
                    switch notification {
                    case .failure(let id, .asleep): logger.info("\(id) is switched off")
                    case .failure(let id, let error): logger.warning("\(id): \(error.logText)")
                    case .journal(let health): Self.tell(health, logger)
                    case .broker(let health): Self.tell(health, logger)
                    default: break
                    }
                }
            ]
        )
    }

    private static func tell(_ health: BrokerHealth, _ logger: Logger) {
        switch health {
        case .connecting: break
        case .connected(nil): logger.notice("MQTT: connected")
        case .connected(let limitation?): logger.warning("MQTT: connected, but \(limitation)")
        case .away(let why): logger.warning("MQTT: the broker is away: \(why)")
        }
    }

    func end() { subscriptions.stop(.lifetime) }

    private static func tell(_ health: JournalHealth, _ logger: Logger) {
        switch health {
        case .durable:
            logger.info("journal: boosts survive a crash")
        case .begunAnew(let setAside, let why):
            let old = setAside.map { ". The old file is now \($0)" } ?? ""
            logger.warning("journal: begun anew, since \(why)\(old)")
        case .failing(let why):
            logger.error("journal: \(why). Boosts work, but would be forgotten in a crash")
        }
    }
}
