// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// One WebSocket on a pair of sockets. The test sets the time.
@Suite struct WebSocketStreamTests {
    private final class Silence: WebSocketHandler {
        let rules = MessageRules(longest: 100)

        func receive(_ message: Message) -> MessageOutcome { MessageOutcome(.none) }
    }

    private final class Chatter: WebSocketHandler {
        let rules = MessageRules(longest: 100)
        private(set) var received = 0

        func receive(_ message: Message) -> MessageOutcome {
            received += 1
            return MessageOutcome(.now(.text([UInt8](repeating: 0x61, count: 20_000))))
        }
    }

    /// The client's end. `received` returns the bytes since its last call; `nil` at the end of the connection.
    private struct Peer {
        let socket: Int32

        func received() -> [UInt8]? {
            var buffer = [UInt8](repeating: 0, count: 1_024)
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            return count == 0 ? nil : Array(buffer.prefix(max(count, 0)))
        }
    }

    private static let ping: [UInt8] = [0x89, 0x00]
    private static let pong: [UInt8] = [0x8A, 0x80, 0, 0, 0, 0]

    /// Runs `body` with a WebSocket that was opened at second 100. `tick` advances the time.
    private func withWebSocket(
        _ body: (_ peer: Peer, _ tick: (UInt32) -> Void, _ say: ([UInt8]) -> Void) throws -> Void
    ) throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        defer { close(sockets[1]) }
        let streams = try StreamFixture(1, at: 100)
        streams.adopt(AdoptedSocket(sockets[0], in: Silence()))
        var second: UInt32 = 100
        try body(
            Peer(socket: sockets[1]),
            { seconds in
                for _ in 0..<seconds {
                    second += 1
                    streams.tick(at: second)
                }
            },
            { bytes in
                send(sockets[1], bytes, bytes.count, 0)
                if streams.connections.count > 0 { streams.webSockets.receive(from: 0, in: &streams.connections) }
            }
        )
        streams.connections.closeAll()
    }

    @Test func `a client that answers is pinged every 20 seconds`() throws {
        try withWebSocket { peer, tick, say in
            for _ in 0..<5 {
                tick(19)
                #expect(peer.received() == [])
                tick(1)
                #expect(peer.received() == Self.ping)
                say(Self.pong)
            }
        }
    }

    @Test func `a client that does not answer a ping in 10 seconds is disconnected`() throws {
        try withWebSocket { peer, tick, say in
            tick(29)
            #expect(peer.received() == Self.ping)
            // Only a pong counts as an answer.
            say([0x81, 0x81, 0, 0, 0, 0, 0x61])
            tick(1)
            #expect(peer.received() == [0x88, 0x02, 0x03, 0xF3])
            #expect(peer.received() == nil)
        }
    }

    @Test func `a pong in the last second is in time`() throws {
        try withWebSocket { peer, tick, say in
            tick(29)
            say(Self.pong)
            tick(10)
            #expect(peer.received() == Self.ping)
            tick(1)
            #expect(peer.received() == Self.ping)
        }
    }

    /// 0x001 is EPOLLIN, 0x004 EPOLLOUT. The client reads so slowly that its next message always arrives before it has
    /// read the last answer.
    @Test func `a client that sends messages without end still receives events`() throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        defer { close(sockets[1]) }
        var size: Int32 = 4_096
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        let streams = try StreamFixture(1)
        streams.adopt(AdoptedSocket(sockets[0], in: Chatter()))
        let token = streams.token(of: 0)
        var heard = false
        for round in 0..<200 where !heard {
            let call: [UInt8] = [0x81, 0x81, 0, 0, 0, 0, 0x61]
            send(sockets[1], call, call.count, 0)
            streams.handle(token, 0x001)
            if round == 3 {
                streams.connections.receive(EventBatch([RetainedEventsTests.event("a", order: 1)]))
                streams.connections.fanOut()
            }
            var buffer = [UInt8](repeating: 0, count: 65_536)
            let count = recv(sockets[1], &buffer, buffer.count, Int32(MSG_DONTWAIT))
            heard = String(decoding: buffer.prefix(max(count, 0)), as: UTF8.self).contains("\"order\":1")
            streams.handle(token, 0x004)
        }
        #expect(heard)
        streams.connections.closeAll()
    }

    /// Subscribes to everything with each message.
    private final class Subscriber: WebSocketHandler {
        let rules = MessageRules(longest: 100)

        func receive(_ message: Message) -> MessageOutcome {
            MessageOutcome(.none, subscription: StreamRequest(filter: EventFilter()))
        }
    }

    @Test func `a postponed subscription is work for the next turn`() throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        defer { close(sockets[1]) }
        let streams = try StreamFixture(1)
        streams.adopt(AdoptedSocket(sockets[0], in: Subscriber()))
        #expect(!streams.webSockets.hasWork)
        let call: [UInt8] = [0x81, 0x81, 0, 0, 0, 0, 0x61]
        send(sockets[1], call, call.count, 0)
        streams.handle(streams.token(of: 0), 0x001)
        let actions = streams.webSockets.takeActions()
        #expect(actions.count == 1 && !streams.webSockets.hasWork)
        for action in actions { streams.webSockets.postpone(action) }
        #expect(streams.webSockets.hasWork && !streams.webSockets.isBusy)
        streams.connections.closeAll()
    }

    /// 0x2019 is EPOLLIN with EPOLLRDHUP, EPOLLHUP and EPOLLERR. The messages are more than one read.
    @Test func `messages that arrived before their connection broke are handled`() throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        let streams = try StreamFixture(1)
        let chatter = Chatter()
        streams.adopt(AdoptedSocket(sockets[0], in: chatter))
        let calls = (0..<1_000).flatMap { _ -> [UInt8] in [0x81, 0x81, 0, 0, 0, 0, 0x61] }
        #expect(send(sockets[1], calls, calls.count, 0) == calls.count)
        close(sockets[1])
        streams.handle(streams.token(of: 0), 0x2019)
        #expect(chatter.received == 1_000)
        #expect(streams.connections.count == 0)
    }

    /// 0x001 is EPOLLIN. 0x2018 is EPOLLRDHUP, EPOLLHUP and EPOLLERR: input is not reported while answers wait.
    @Test func `messages behind unread answers are handled when their connection breaks`() throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        var size: Int32 = 4_096
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        let streams = try StreamFixture(1)
        let chatter = Chatter()
        streams.adopt(AdoptedSocket(sockets[0], in: chatter))
        let call: [UInt8] = [0x81, 0x81, 0, 0, 0, 0, 0x61]
        #expect(send(sockets[1], call, call.count, 0) == call.count)
        streams.handle(streams.token(of: 0), 0x001)
        #expect(chatter.received == 1)
        let calls = (0..<100).flatMap { _ in call }
        #expect(send(sockets[1], calls, calls.count, 0) == calls.count)
        close(sockets[1])
        // Of turns without time, each handles at least one message.
        streams.webSockets.turnEnd = LoopTime(nanoseconds: 0)
        let token = streams.token(of: 0)
        for _ in 0..<200 { streams.handle(token, 0x2018) }
        #expect(chatter.received == 101)
        #expect(streams.connections.count == 0)
    }

    @Test func `messages are handled behind one whose answer finds the connection closed`() throws {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        let streams = try StreamFixture(1)
        let chatter = Chatter()
        streams.adopt(AdoptedSocket(sockets[0], in: chatter))
        // More than one read.
        let calls = (0..<1_000).flatMap { _ in [0x81, 0x81, 0, 0, 0, 0, 0x61] as [UInt8] }
        #expect(send(sockets[1], calls, calls.count, 0) == calls.count)
        close(sockets[1])
        let token = streams.token(of: 0)
        // epoll reported the input before the client closed the connection.
        streams.handle(token, 0x001)
        for _ in 0..<10 { streams.handle(token, 0x2018) }
        #expect(chatter.received == 1_000)
        #expect(streams.connections.count == 0)
    }

    @Test func `a client that sent a close frame and stays connected is disconnected after 5 seconds`() throws {
        try withWebSocket { peer, tick, say in
            say([0x88, 0x82, 0, 0, 0, 0, 0x03, 0xE8])
            #expect(peer.received() == [0x88, 0x02, 0x03, 0xE8])
            #expect(peer.received() == nil)
            tick(4)
            #expect(send(peer.socket, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
            tick(1)
            #expect(send(peer.socket, "x", 1, Int32(MSG_NOSIGNAL)) == -1)
        }
    }
}
