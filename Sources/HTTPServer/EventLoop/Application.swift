// SPDX-License-Identifier: Apache-2.0

/// An application's reply to a request.
package enum Reply {
    case now(Response)
    case cached(CachedResponse)
    /// The response takes time. Only this request waits for it.
    case later(Deferred)
    /// An event stream. libmicrohttpd sends the head; then the socket becomes a stream of the shard.
    ///
    /// Indirect, so that the frequent replies stay small.
    indirect case stream(StreamRequest)
    /// A WebSocket. libmicrohttpd sends `101 Switching Protocols`; then the socket becomes a stream of the shard.
    indirect case webSocket(WebSocketRequest)
}

/// The application that the server serves. Each shard has its own instance.
///
/// Called only on that shard's thread, so it needs no locks. No method may block.
package protocol Application: AnyObject {
    func reply(to request: Request) -> Reply

    /// Begins the changes that the turn's requests have left until its end. Does nothing by default.
    func endTurn()

    /// Returns the maximum length of a request's body, which has not been read.
    ///
    /// `RequestLimits.body` by default. Called only for a longer or unknown length.
    func bodyLimit(of request: Request) -> Int

    /// Whether the reply to a request may take long. Such requests wait for the next turn once a turn has used its
    /// time, and behind those that wait already.
    ///
    /// `false` by default.
    func mayTakeLong(_ request: Request) -> Bool

    /// Returns the response to a request that the server rejects, such as one with invalid framing.
    func refusal(of error: RequestError) -> Response

    /// The encoding of events. Read once, when the server starts. The default sends the data as it is.
    var eventEncoding: EventEncoding { get }

    /// Returns the events since the last call, or the first of them: no more than the turn has time for.
    ///
    /// Called after the shard was woken, and before a new stream receives the retained events. Called again until a
    /// batch is not followed by another. Called only while a stream is open or `awaitsEvents` is `true`.
    func takeEvents() -> EventBatch

    /// Whether the application needs `takeEvents` calls without an open stream.
    var awaitsEvents: Bool { get }

    /// Called about a second after streams were closed because more bytes were pending for all streams than allowed.
    func evicted(_ streams: UInt64)

    /// Stops observing events: no stream is open. The next call of `takeEvents` returns everything that is retained.
    func stopObserving()
}

extension Application {
    package func endTurn() {}

    package func bodyLimit(of request: Request) -> Int { RequestLimits.body }

    package func mayTakeLong(_ request: Request) -> Bool { false }

    package func evicted(_ streams: UInt64) {}

    package var eventEncoding: EventEncoding { EventEncoding() }
}
