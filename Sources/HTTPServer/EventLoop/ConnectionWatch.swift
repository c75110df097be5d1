// SPDX-License-Identifier: Apache-2.0

/// The timeouts of a connection in seconds, and the limit of unread output in bytes.
///
/// Each received byte renews libmicrohttpd's own timeout, but none of these.
package struct ConnectionLimits: Sendable {
    /// From the accept, or from the first byte of a later request, to the end of the request's head.
    package var head: UInt32 = 10
    package var body: UInt32 = 30
    /// To read a response.
    package var response: UInt32 = 30
    /// The limit of responses that clients have not read yet, in bytes.
    ///
    /// Streams and WebSockets have a second limit of about the same size. Beyond it, the client with the most unread
    /// bytes is disconnected.
    package var waitingBytes = 33_554_432

    package init() {}

    /// Returns the limits of one shard: enough for a few clients with any number of shards.
    func divided(by shards: Int) -> ConnectionLimits {
        var part = self
        part.waitingBytes = max(waitingBytes / shards, min(waitingBytes, 8_388_608))
        return part
    }
}

/// The stage of a libmicrohttpd connection, and the time since it began.
///
/// Requests only call `enter`, which is one store. `check` reads the time once a second, so a stage's time counts from
/// the first check in it.
struct ConnectionWatch {
    enum Stage: UInt32 {
        /// Accepted; no byte is known to have arrived.
        case new
        /// Between requests. libmicrohttpd closes it after a minute of silence.
        case idle
        /// Receiving a request's head.
        case head
        case body
        case waiting
        case response
        /// A stream, a WebSocket, or closing.
        case left
    }

    /// The action that a check requires.
    enum Action: Equatable {
        /// None, until an event of epoll or libmicrohttpd.
        case atRest
        case underWay
        /// Let epoll report its next byte.
        case arm
        case end(sendsResponse: Bool)
    }

    let socket: Int32
    /// The slot in which its client's connections are counted.
    let slot: ConnectionLimiter.Slot
    /// Whether epoll reports its next byte.
    private(set) var isArmed = false
    /// Whether the shard's epoll set has its socket.
    private(set) var isRegistered = false
    /// Bytes of the response being sent, if it is large; otherwise 0.
    var unread: UInt32 = 0
    /// The stage in the lowest bits; above them the number of stages entered.
    private var mark: UInt32
    /// The mark at the last check, and when the stage was first checked.
    private var checkedMark: UInt32
    private var since: UInt32

    private static let stageBits: UInt32 = 7

    init(_ socket: Int32, in slot: ConnectionLimiter.Slot = .uncounted, at second: UInt32) {
        self.socket = socket
        self.slot = slot
        mark = Stage.new.rawValue
        checkedMark = mark
        since = second
    }

    var isNew: Bool { stage == .new }

    private var stage: Stage { Stage(rawValue: mark & Self.stageBits) ?? .left }

    /// Enters a stage. A connection that has left stays so.
    mutating func enter(_ stage: Stage) {
        if mark & Self.stageBits == Stage.left.rawValue { return }
        mark = (mark & ~Self.stageBits) &+ (Self.stageBits + 1) | stage.rawValue
    }

    mutating func arm() {
        isArmed = true
        isRegistered = true
    }

    /// Notes that epoll reported a byte.
    mutating func receiveByte(at second: UInt32) {
        isArmed = false
        switch stage {
        case .new:
            // The time of `new` continues.
            enter(.head)
            checkedMark = mark
        case .idle:
            enter(.head)
            checkedMark = mark
            since = second
        case .head, .body, .waiting, .response, .left:
            break
        }
    }

    /// Returns the action that is needed now.
    ///
    /// Call it about once a second. After `atRest` no call is needed until something happens.
    mutating func check(at second: UInt32, _ limits: ConnectionLimits) -> Action {
        if mark != checkedMark {
            checkedMark = mark
            since = second
        }
        let age = second - since
        switch stage {
        case .left: return .atRest
        case .idle where isArmed: return .atRest
        case .idle: return age > 0 ? .arm : .underWay
        // Armed first, even if its time is over: if the shard is late, the client's bytes may wait to be read.
        case .new where !isArmed: return age > 0 ? .arm : .underWay
        case .new: return age >= limits.head ? .end(sendsResponse: false) : .underWay
        case .head: return age >= limits.head ? .end(sendsResponse: true) : .underWay
        case .body: return age >= limits.body ? .end(sendsResponse: true) : .underWay
        case .response: return age >= limits.response ? .end(sendsResponse: false) : .underWay
        case .waiting: return .underWay
        }
    }
}
