// SPDX-License-Identifier: Apache-2.0

/// The state of a WebSocket apart from its stream. Only the bytes of a partial message can be large.
final class WebSocket {
    let handler: any WebSocketHandler
    /// Set while a message of the client is in progress.
    var reader: MessageReader?
    /// When it was last pinged, or opened, in the shard's seconds.
    var pinged: UInt32 = 0
    var awaitsPong = false
    /// Whether reading stopped behind a message. Then `reader` has more bytes, which come before those of the socket.
    var isPaused = false
    /// Whether it waits in the queue, for its paused reader or for its socket.
    var isQueued = false
    /// Whether a subscription that its client requested has not begun.
    var awaitsSubscription = false
    /// Whether its connection is broken. Then responses are dropped: the first would close it before its last messages
    /// are handled.
    var isBroken = false

    init(_ handler: any WebSocketHandler) { self.handler = handler }

    /// Notes that the client has read everything, including a pending ping. The time for its pong begins now.
    func keptUp(at second: UInt32) {
        if awaitsPong { pinged = second }
    }
}

extension StreamConnection {
    var webSocket: WebSocket? { framing == .webSocket ? companion as? WebSocket : nil }
}

/// Work for the loop that a client's message caused.
struct WebSocketAction {
    enum Kind {
        case respond(Deferred)
        case subscribe(StreamRequest)
    }

    let token: UInt64
    let kind: Kind
}
