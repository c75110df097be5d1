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
        /// The body of its response is a text message. It is sent when it is there, after whatever was sent before.
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

/// What two ends of a WebSocket send each other.
package enum Message: Equatable, Sendable {
    /// Valid UTF-8.
    case text([UInt8])
    case binary([UInt8])

    var frame: [UInt8] {
        switch self {
        case .text(let bytes): Frame.encode(.text, bytes)
        case .binary(let bytes): Frame.encode(.binary, bytes)
        }
    }
}

/// Which messages are taken from a client. Others close its WebSocket.
package struct MessageRules: Sendable {
    /// In bytes; a longer one closes with 1009.
    package var longest: Int
    /// Otherwise binary messages close with 1003.
    package var takesBinary: Bool

    package init(longest: Int, takesBinary: Bool = false) {
        self.longest = longest
        self.takesBinary = takesBinary
    }
}
