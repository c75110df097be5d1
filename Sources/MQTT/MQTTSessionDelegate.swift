// SPDX-License-Identifier: Apache-2.0

/// The source and receiver of a connection's messages. Called on the connection's thread; no method may block.
package protocol MQTTSessionDelegate: AnyObject {
    /// The subscriptions, sent to the broker at each connect. With MQTT 5 the broker does not return our own messages.
    var subscriptions: [MQTTSubscription] { get }

    /// Takes messages to publish, at most `room`. Fewer mean that none are left.
    func take(_ room: Int) -> [Publication]

    func receive(_ publication: Publication)

    /// Notes that a message was too long to be received.
    func missed(topic: String, bytes: Int)

    /// Notes that the broker accepted the connection and the subscriptions. Our retained messages there may be
    /// outdated.
    ///
    /// Messages may be received before this call: retained ones of others, and new ones.
    ///
    /// - Parameter canReceiveAnswers: Whether the broker uses MQTT 5, which has response topics.
    func begin(canReceiveAnswers: Bool)

    /// Notes that the connection was lost, or could not be established.
    func end(_ reason: DisconnectReason)

    /// Notes that the broker denies an action, or rejects a message.
    func refused(_ what: Refusal)

    /// The time until `drainInbox` has something to do; `nil` if two seconds are soon enough.
    var timeLeft: Duration? { get }

    /// Handles deadlines and new input. Called at least every two seconds, connected or not.
    func drainInbox()
}

/// A topic filter, and whether its retained messages are requested.
package struct MQTTSubscription: Hashable, Sendable {
    package let filter: String
    package let wantsRetained: Bool

    package init(_ filter: String, wantsRetained: Bool = false) {
        self.filter = filter
        self.wantsRetained = wantsRetained
    }
}

/// An action that the broker denies.
package enum Refusal: Hashable, Sendable {
    case subscribing(to: String)
    case publishing(to: String)
    /// Publishing one message, for example one over the broker's size limit. The message is skipped; others are
    /// published.
    case message(to: String, why: String)
}
