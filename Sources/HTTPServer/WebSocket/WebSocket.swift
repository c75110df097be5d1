// SPDX-License-Identifier: Apache-2.0

/// What a WebSocket has apart from its stream. The bytes of a message under way are all that can be large.
final class WebSocket {
    let conversation: any Conversation
    /// Only while a message of the client is under way.
    var reader: MessageReader?
    /// When it was last pinged, or opened, in the shard's seconds.
    var pinged: UInt32 = 0
    var awaitsPong = false
    /// Messages that were read may wait to be answered.
    var isPaused = false
    /// It is one of those that are read from next.
    var isQueued = false
    /// The subscription that its client asked for has not begun.
    var awaitsSubscription = false

    init(_ conversation: any Conversation) { self.conversation = conversation }

    /// It has taken everything, also a ping that stood behind it: only now does the time for its answer begin.
    func keptUp(at second: UInt32) {
        if awaitsPong { pinged = second }
    }
}

extension StreamConnection {
    var webSocket: WebSocket? { framing == .webSocket ? companion as? WebSocket : nil }
}

/// What a message of a client came to that the loop has to do.
struct WebSocketAction {
    enum Kind {
        case answer(Deferred)
        case subscribe(MessageOutcome.Subscription)
    }

    /// The stream's.
    let token: UInt64
    let kind: Kind
}

/// The WebSockets that have messages to read, by their streams' tokens. Each gets one turn.
struct WebSocketQueue {
    private var tokens: [UInt64] = []
    /// Those before it had their turn.
    private var head = 0

    var isEmpty: Bool { head == tokens.count }

    mutating func append(_ token: UInt64) { tokens.append(token) }

    mutating func next() -> UInt64? {
        guard !isEmpty else { return nil }
        defer { head += 1 }
        return tokens[head]
    }

    mutating func forgetServed() {
        tokens.removeFirst(head)
        head = 0
    }
}
