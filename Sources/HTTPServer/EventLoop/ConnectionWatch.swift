// SPDX-License-Identifier: Apache-2.0

/// How long a client may take for one thing, in seconds, and how much may wait for clients. Each byte renews libmicrohttpd's own
/// time-out; none renews these.
package struct ConnectionLimits: Sendable {
    /// From being let in, or from a later request's first byte, to the end of the request's head.
    package var head: UInt32 = 10
    package var body: UInt32 = 30
    /// To take an answer.
    package var answer: UInt32 = 30
    /// Bytes of answers that clients have not taken yet, and as many of streams and WebSockets, about. Beyond that the client
    /// with the most to take is closed.
    package var waitingBytes = 33_554_432

    package init() {}

    /// The part of one shard: enough for a few clients, however many shards there are.
    func divided(by shards: Int) -> ConnectionLimits {
        var part = self
        part.waitingBytes = max(waitingBytes / shards, min(waitingBytes, 8_388_608))
        return part
    }
}

/// What a connection of libmicrohttpd's is busy with, and since when.
///
/// Requests only `enter` stages, which is one store. What time it was is found out by who looks once a second: so a
/// stage's time is counted from the first look at it.
struct ConnectionWatch {
    enum Stage: UInt32 {
        /// It was let in, and has said nothing that is known of.
        case new
        /// It has asked before, and may ask again. libmicrohttpd ends it after a minute of silence.
        case idle
        /// A request's head is under way.
        case head
        case body
        /// It waits for us.
        case waiting
        case answer
        /// It is a stream, a WebSocket, or at its end.
        case left
    }

    /// What is to be done.
    enum Finding: Equatable {
        /// Nothing, until an event of epoll or libmicrohttpd.
        case atRest
        case underWay
        /// Have epoll report its next byte.
        case listen
        /// It is overdue.
        case end(isTold: Bool)
    }

    let socket: Int32
    /// Where its client's connections are counted.
    let place: ConnectionRoom.Place
    /// epoll reports its next byte.
    private(set) var isListenedFor = false
    /// The shard's epoll set knows its socket.
    private(set) var isRegistered = false
    /// Bytes of the answer under way, where it is large.
    var answer: UInt32 = 0
    /// The stage in the lowest bits, and above them how many there were.
    private var mark: UInt32
    private var seen: UInt32
    private var since: UInt32

    private static let stageBits: UInt32 = 7

    init(_ socket: Int32, in place: ConnectionRoom.Place = .uncounted, at second: UInt32) {
        self.socket = socket
        self.place = place
        mark = Stage.new.rawValue
        seen = mark
        since = second
    }

    private var stage: Stage { Stage(rawValue: mark & Self.stageBits) ?? .left }

    /// A connection that has left does not come back.
    mutating func enter(_ stage: Stage) {
        if mark & Self.stageBits == Stage.left.rawValue { return }
        mark = (mark & ~Self.stageBits) &+ (Self.stageBits + 1) | stage.rawValue
    }

    mutating func listen() {
        isListenedFor = true
        isRegistered = true
    }

    /// A byte has come to a connection that was listened for.
    mutating func hear(at second: UInt32) {
        isListenedFor = false
        switch stage {
        case .new:
            // Its time goes on.
            enter(.head)
            seen = mark
        case .idle:
            enter(.head)
            seen = mark
            since = second
        case .head, .body, .waiting, .answer, .left:
            break
        }
    }

    /// Call it about once a second, unless it was found at rest and nothing has happened.
    mutating func look(at second: UInt32, _ limits: ConnectionLimits) -> Finding {
        if mark != seen {
            seen = mark
            since = second
        }
        let age = second - since
        switch stage {
        case .left: return .atRest
        case .idle where isListenedFor: return .atRest
        case .idle: return age > 0 ? .listen : .underWay
        // First listened for, so that a slow client is answered also by a shard that comes late.
        case .new where !isListenedFor: return age > 0 ? .listen : .underWay
        case .new: return age >= limits.head ? .end(isTold: false) : .underWay
        case .head: return age >= limits.head ? .end(isTold: true) : .underWay
        case .body: return age >= limits.body ? .end(isTold: true) : .underWay
        case .answer: return age >= limits.answer ? .end(isTold: false) : .underWay
        case .waiting: return .underWay
        }
    }
}
