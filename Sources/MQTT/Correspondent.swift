// SPDX-License-Identifier: Apache-2.0

/// Who speaks over a connection. Every call is on the connection's thread, and must not block.
package protocol Correspondent: AnyObject {
    /// What it wants to hear of, from each connection anew. With MQTT 5 what it says itself does not come back.
    var subscriptions: [MQTTSubscription] { get }

    /// What it has to say now, at most so many; fewer mean that there is no more.
    func take(_ room: Int) -> [Publication]

    func receive(_ publication: Publication)

    /// A message came that is too long to be received.
    func missed(topic: String, bytes: Int)

    /// The broker has taken us, and heard what we want to hear of: what it keeps of us may be out of date. What it keeps of
    /// others, and what comes meanwhile, may be received before.
    ///
    /// - Parameter answersCome: Whether it speaks MQTT 5, which has response topics.
    func begin(answersCome: Bool)

    /// The connection is gone, or could not be made.
    func end(_ reason: DisconnectReason)

    /// The broker does not let us do this, or does not accept a message.
    func refused(_ what: Refusal)

    /// Something may be due; at least every two seconds, connected or not.
    func look()
}

/// Topics to hear of, and whether what the broker keeps of them is wanted, too.
package struct MQTTSubscription: Hashable, Sendable {
    package let filter: String
    package let wantsRetained: Bool

    package init(_ filter: String, wantsRetained: Bool = false) {
        self.filter = filter
        self.wantsRetained = wantsRetained
    }
}

/// What a broker's access list forbids, or what it does not accept.
package enum Refusal: Hashable, Sendable {
    case subscribing(to: String)
    case publishing(to: String)
    /// One message, such as one that is longer than the broker's limit. It is skipped; others are published.
    case message(to: String, why: String)
}
