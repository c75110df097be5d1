// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

/// The streams and WebSockets of a shard without its loop. Time is what the test says.
final class StreamFixture {
    let room: StreamRoom
    let clock = LoopClock(at: LoopTime(nanoseconds: 0))
    let webSockets: WebSockets
    var connections: StreamConnections

    /// - Parameters:
    ///   - count: How many streams are about to be adopted.
    ///   - limit: Bytes that may wait for their clients.
    init(_ count: Int = 0, of places: Int? = nil, limit: Int = .max, at second: UInt32 = 0) throws {
        room = StreamRoom(for: places ?? count, limit: .usualStreams)
        for _ in 0..<count { try room.take(for: .loopback) }
        webSockets = WebSockets(clock)
        connections = StreamConnections(
            in: room,
            formats: .json,
            readBy: webSockets,
            poller: try Poller(),
            clock: clock,
            pendingLimit: limit
        )
        advance(to: second)
    }

    func advance(to second: UInt32) { clock.advance(to: clock.start.after(milliseconds: 1_000 * Int64(second))) }

    func adopt(_ arrival: Arrival) { webSockets.adopt(arrival, in: &connections) }

    func token(of index: Int) -> UInt64 { connections.token(of: index) }

    func handle(_ token: UInt64, _ events: UInt32) { webSockets.handle(token, events, in: &connections) }

    func receiveQueued() { webSockets.receiveQueued(in: &connections) }

    func tick(at second: UInt32) {
        advance(to: second)
        connections.tick()
    }
}

extension Arrival {
    init(
        _ socket: Int32,
        _ request: StreamRequest = StreamRequest(filter: EventFilter()),
        in conversation: any Conversation
    ) {
        self.init(socket, of: .loopback, framing: .webSocket, request, with: WebSocket(conversation))
    }
}
