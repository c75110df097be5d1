// SPDX-License-Identifier: Apache-2.0

/// What an application makes of one client's messages. On the shard's thread; nothing in it may block.
package protocol Conversation: AnyObject {
    /// Which messages it wants to see.
    var rules: MessageRules { get }

    func receive(_ message: Message) -> MessageOutcome
}

/// What comes of a message.
package struct MessageOutcome {
    package enum Answer {
        case none
        case now(Message)
        /// The body of its response is a text message. It is sent when it is there, whatever was said meanwhile.
        case later(Deferred)
    }

    package var answer: Answer
    /// From now on the client wants other events. It gets what is retained of them first, as on connect.
    package var subscription: Subscription?

    package struct Subscription {
        package var filter: EventFilter
        package var start: StreamStart

        package init(filter: EventFilter, start: StreamStart = .everything) {
            self.filter = filter
            self.start = start
        }
    }

    package init(_ answer: Answer, subscription: Subscription? = nil) {
        self.answer = answer
        self.subscription = subscription
    }
}

/// What a client that wants a WebSocket gets.
package struct WebSocketRequest {
    let handshake: Handshake
    let conversation: any Conversation
    /// The events it is sent; its header fields are those of a refusal.
    package var stream: StreamRequest

    package init(_ handshake: Handshake, _ conversation: any Conversation, stream: StreamRequest) {
        self.handshake = handshake
        self.conversation = conversation
        self.stream = stream
    }
}

/// What a WebSocket has beside its outlet. The bytes of a message under way are all that can be large.
final class WebSocket {
    let conversation: any Conversation
    /// Only while a message of the client is under way.
    var reader: MessageReader?
    /// When it was last pinged, or opened, in the shard's seconds.
    var pinged: UInt32
    var awaitsPong = false
    /// Messages that were read may wait to be answered.
    var isPaused = false
    /// It is one of those that are listened to next.
    var isQueued = false
    /// The subscription that its client asked for has not begun.
    var awaitsSubscription = false
    /// The closing handshake has begun: what its client says no longer counts.
    var isOver = false
    /// When its close frame was sent.
    var closed: UInt32?

    init(_ conversation: any Conversation, at second: UInt32) {
        self.conversation = conversation
        pinged = second
    }

    /// It has taken everything, also a ping that stood behind it: only now does the time for its answer begin.
    func keptUp(at second: UInt32) {
        if awaitsPong { pinged = second }
    }
}
