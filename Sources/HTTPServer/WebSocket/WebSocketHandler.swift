// SPDX-License-Identifier: Apache-2.0

/// The application's handler of one client's messages. Called on the shard's thread; no method may block.
package protocol WebSocketHandler: AnyObject {
    var rules: MessageRules { get }

    /// The WebSocket is open. Called once, before the first message.
    func opened(_ channel: WebSocketChannel)

    func receive(_ message: Message) -> MessageOutcome
}

extension WebSocketHandler {
    package func opened(_ channel: WebSocketChannel) {}
}

/// Sends messages to the client of one WebSocket, apart from events and responses. Any thread.
package struct WebSocketChannel: Sendable {
    private let post: @Sendable (_ frame: [UInt8]) -> Void

    init(_ post: @escaping @Sendable (_ frame: [UInt8]) -> Void) { self.post = post }

    /// Sends a message, whatever the client has not read yet; nothing after the end of the WebSocket. Never blocks: the
    /// caller bounds how many may be unread.
    package func send(_ message: Message) { post(message.frame) }
}

package struct MessageOutcome {
    package enum Response {
        case none
        case now(Message)
        /// A text message: the body of the deferred response. It is sent when complete, after everything sent before.
        case later(Deferred)
    }

    var response: Response
    /// The client's new subscription. The retained events of the new filter come first, as on connect.
    var subscription: StreamRequest?

    package init(_ response: Response, subscription: StreamRequest? = nil) {
        self.response = response
        self.subscription = subscription
    }
}

package struct WebSocketRequest {
    let handshake: Handshake
    let handler: any WebSocketHandler
    /// The events that the client receives. Its header fields are those of a rejection.
    package var stream: StreamRequest

    package init(_ handshake: Handshake, _ handler: any WebSocketHandler, stream: StreamRequest) {
        self.handshake = handshake
        self.handler = handler
        self.stream = stream
    }
}

/// A message of a WebSocket, in either direction.
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

/// The rules for messages of a client. Other messages close its WebSocket.
package struct MessageRules: Sendable {
    /// The maximum length in bytes. A longer message closes with 1009.
    var longest: Int
    /// Whether binary messages are accepted. Otherwise they close with 1003.
    var takesBinary: Bool

    package init(longest: Int, takesBinary: Bool = false) {
        self.longest = longest
        self.takesBinary = takesBinary
    }
}
