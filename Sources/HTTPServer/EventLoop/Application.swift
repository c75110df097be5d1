// SPDX-License-Identifier: Apache-2.0

/// What an application makes of a request.
package enum Reply {
    case now(Response)
    case kept(KeptResponse)
    /// The answer depends on something that takes time. Only this request waits.
    case later(Deferred)
    /// An event stream: the head is sent by libmicrohttpd, then the socket becomes a stream of the shard.
    ///
    /// Indirect, so that the frequent replies stay small.
    indirect case stream(StreamRequest)
    /// A WebSocket: libmicrohttpd sends `101 Switching Protocols`, then the socket becomes a stream of the shard.
    indirect case webSocket(WebSocketRequest)
}

/// What the server serves. One instance a shard, called on that shard's thread only, so it needs no locks.
/// Nothing in it may block.
package protocol Application: AnyObject {
    func reply(to request: Request) -> Reply

    /// Whether a reply may take long. When a turn of the loop has, such requests wait for the next one, and others do not wait
    /// for them. None may, by default.
    func mayTakeLong(_ request: Request) -> Bool

    /// The answer to a request that the server refuses: bad framing, too large, one stream too many.
    func refusal(of fault: RequestFault) -> Response

    /// How its events are written. Read once, when the server starts; plain by default.
    var eventEncoding: EventEncoding { get }

    /// What is new since the last call. Called after the shard was woken, and before a new stream gets what is retained;
    /// but only while somebody looks: a stream is open, or the application itself awaits events.
    func takeEvents() -> EventBatch

    /// Whether it wants to take events although no stream is open.
    var awaitsEvents: Bool { get }

    /// Nobody looks any more. The next call of `takeEvents` begins again, with everything.
    func lookAway()
}

extension Application {
    package func mayTakeLong(_ request: Request) -> Bool { false }

    package var eventEncoding: EventEncoding { EventEncoding() }
}
