// SPDX-License-Identifier: Apache-2.0

/// Whether what is told reaches the MQTT broker, and what is asked there reaches the daemon.
package enum BrokerHealth: Hashable, Sendable {
    /// For the first time.
    case connecting
    /// The broker has taken the daemon. `limitation` is what it does not let the daemon do, for people.
    case connected(limitation: String? = nil)
    /// There is no connection; it is tried again. Why, for people.
    case away(String)
}
