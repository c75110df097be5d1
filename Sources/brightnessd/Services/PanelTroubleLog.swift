// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Writes down what panels refuse.
final class PanelTroubleLog: Sendable {
    private let subscriptions: SubscriptionGroup

    init(_ source: NotificationSource, _ logger: Logger) {
        subscriptions = SubscriptionGroup(
            source,
            [
                Subscription(to: Interest([.failure])) { notification in
                    guard case .failure(let id, let error) = notification else { return }
                    logger.warning("\(id): \(error.logText)")
                }
            ]
        )
    }

    func end() { subscriptions.stop(.lifetime) }
}
