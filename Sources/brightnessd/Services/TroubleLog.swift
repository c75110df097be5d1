// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Writes down what panels refuse, and when boosts would not survive a crash.
final class TroubleLog: Sendable {
    private let subscriptions: SubscriptionGroup

    init(_ source: NotificationSource, _ logger: Logger) {
        subscriptions = SubscriptionGroup(
            source,
            [
                Subscription(to: Interest([.failure, .journal])) { notification in
                    switch notification {
                    case .failure(let id, .asleep): logger.info("\(id) is switched off")
                    case .failure(let id, let error): logger.warning("\(id): \(error.logText)")
                    case .journal(let health): Self.tell(health, logger)
                    default: break
                    }
                }
            ]
        )
    }

    func end() { subscriptions.stop(.lifetime) }

    private static func tell(_ health: JournalHealth, _ logger: Logger) {
        switch health {
        case .durable:
            logger.info("journal: boosts survive a crash")
        case .begunAnew(let setAside, let why):
            logger.warning("journal: begun anew, since \(why). The old file is now \(setAside)")
        case .failing(let why):
            logger.error("journal: \(why). Boosts work, but would be forgotten in a crash")
        }
    }
}
