// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

/// The streams and WebSockets of a shard without its loop. The test sets the time.
final class StreamFixture {
    let limiter: StreamLimiter
    let clock = LoopClock(at: LoopTime(nanoseconds: 0))
    let webSockets: WebSockets
    var connections: StreamConnections

    /// - Parameters:
    ///   - count: The number of streams that will be adopted.
    ///   - limit: The limit of bytes that wait for their clients.
    init(
        _ count: Int = 0,
        of places: Int? = nil,
        limit: Int = .max,
        formats: StreamFormats = .json,
        at second: UInt32 = 0
    ) throws {
        limiter = StreamLimiter(for: places ?? count, limit: .defaultStreams)
        for _ in 0..<count { try limiter.acquire(for: .loopback) }
        webSockets = WebSockets(clock) { _, _ in }
        connections = StreamConnections(
            limitedBy: limiter,
            formats: formats,
            readBy: webSockets,
            poller: try Poller(),
            clock: clock,
            pendingLimit: limit
        )
        advance(to: second)
    }

    func advance(to second: UInt32) { clock.advance(to: clock.start.after(milliseconds: 1_000 * Int64(second))) }

    func adopt(_ adopted: AdoptedSocket) { webSockets.adopt(adopted, in: &connections) }

    func token(of index: Int) -> UInt64 { connections.token(of: index) }

    func handle(_ token: UInt64, _ events: UInt32) { webSockets.handle(token, events, in: &connections) }

    func receiveQueued() { webSockets.receiveQueued(in: &connections) }

    func tick(at second: UInt32) {
        advance(to: second)
        connections.tick()
    }
}

extension AdoptedSocket {
    init(
        _ socket: Int32,
        _ request: StreamRequest = StreamRequest(filter: EventFilter()),
        in handler: any WebSocketHandler
    ) {
        var request = request
        request.companion = WebSocket(handler)
        self.init(socket: socket, client: .loopback, framing: .webSocket, request: request)
    }
}
