// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// Streams whose clients read nothing, or only what the test reads: their memory, and which client waits.
@Suite struct PendingOutputTests {
    /// Counts messages, and answers each with a fixed number of bytes.
    private final class Counter: WebSocketHandler {
        let rules = MessageRules(longest: 100)
        let answer: Int
        private(set) var messages = 0

        init(answer: Int) { self.answer = answer }

        func receive(_ message: Message) -> MessageOutcome {
            messages += 1
            return MessageOutcome(.now(.text([UInt8](repeating: 0x61, count: answer))))
        }
    }

    private static let readable: UInt32 = 0x001
    private static let writable: UInt32 = 0x004
    private static let call: [UInt8] = [0x81, 0x81, 0, 0, 0, 0, 0x61]

    /// The client's and the server's end, with small kernel buffers.
    private func pair(sendBuffer: Int32 = 4_096) -> (ours: Int32, client: Int32) {
        var sockets: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &sockets) == 0)
        var size = sendBuffer
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        return (sockets[0], sockets[1])
    }

    private func received(_ client: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(client, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(count, 0)))
    }

    /// The orders of the events in a text.
    private func orders(in text: String) -> [Int] {
        text.split(separator: "\"order\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
    }

    @Test func `a stream that keeps up needs 56 bytes`() {
        #expect(MemoryLayout<StreamConnection>.stride == 56)
    }

    @Test func `the same version of an event is pending once and counts no skipped event`() {
        let (pendingOutput, handle) = (PendingOutput(at: 0), RetainedEvents.Handle(slot: 1, serial: 0))
        pendingOutput.begin(with: [(handle, 1), (handle, 1)])
        #expect(pendingOutput.skipped == 0)
        pendingOutput.enqueue(handle, version: 2)
        #expect(pendingOutput.skipped == 1)
    }

    @Test func `the next message waits until the client has read the last answer`() throws {
        let streams = try StreamFixture(1)
        let (ours, client) = pair()
        defer { close(client) }
        let counter = Counter(answer: 100_000)
        streams.adopt(AdoptedSocket(ours, in: counter))
        let token = streams.token(of: 0)
        let calls = Array(repeating: Self.call, count: 10).flatMap { $0 }
        send(client, calls, calls.count, 0)
        streams.handle(token, Self.readable)
        #expect(counter.messages == 1)
        var waiting = streams.connections.pendingBytes
        #expect(waiting < 110_000)
        var taken = 0
        for _ in 0..<10_000 where taken < 10 * 100_010 {
            taken += received(client).count
            streams.handle(token, Self.writable)
            #expect(counter.messages <= 1 + taken / 100_000)
            streams.receiveQueued()
            waiting = streams.connections.pendingBytes
            #expect(waiting < 110_000)
        }
        #expect(counter.messages == 10)
        #expect(taken == 10 * 100_010)
        #expect(waiting == 0)
        streams.connections.closeAll()
    }

    @Test func `after the end of a turn messages wait for the next, and clients alternate`() throws {
        let streams = try StreamFixture(2)
        let counters = [Counter(answer: 1), Counter(answer: 1)]
        var clients: [Int32] = []
        for counter in counters {
            let (ours, client) = pair()
            clients.append(client)
            streams.adopt(AdoptedSocket(ours, in: counter))
        }
        let calls = Array(repeating: Self.call, count: 5).flatMap { $0 }
        for client in clients { send(client, calls, calls.count, 0) }
        streams.webSockets.turnEnd = LoopTime(nanoseconds: 0)
        for index in 0..<2 { streams.handle(streams.token(of: index), Self.readable) }
        streams.receiveQueued()
        #expect(counters.map(\.messages) == [0, 0])
        var isBusy = streams.webSockets.isBusy
        #expect(isBusy)
        // With time left, waiting clients get a message each in turn.
        streams.webSockets.turnEnd = LoopTime(nanoseconds: .max)
        streams.receiveQueued()
        #expect(counters.map(\.messages) == [5, 5])
        isBusy = streams.webSockets.isBusy
        #expect(!isBusy)
        streams.connections.closeAll()
        for client in clients { close(client) }
    }

    @Test func `the beginning of a stream stays pending for a client that reads nothing, without losing an event`()
        throws
    {
        let streams = try StreamFixture(1)
        let events = (1...1_000).map { RetainedEventsTests.event("display-\($0)", order: UInt64($0)) }
        streams.connections.receive(EventBatch(events))
        let (ours, client) = pair()
        defer { close(client) }
        streams.adopt(AdoptedSocket(ours, in: Counter(answer: 1)))
        let waiting = streams.connections.pendingBytes
        #expect(waiting < PendingOutput.fill + 80_000)
        var text = ""
        for _ in 0..<10_000 where streams.connections.pendingBytes > 0 {
            text += String(decoding: received(client), as: UTF8.self)
            streams.handle(streams.token(of: 0), Self.writable)
        }
        text += String(decoding: received(client), as: UTF8.self)
        #expect(orders(in: text) == Array(1...1_000))
        #expect(!text.contains("skipped"))
        streams.connections.closeAll()
    }

    @Test func `after the end of a turn a client that keeps reading gets the rest in later turns`() throws {
        let streams = try StreamFixture(1)
        let events = (1...1_000).map { RetainedEventsTests.event("display-\($0)", order: UInt64($0)) }
        streams.connections.receive(EventBatch(events))
        let (ours, client) = pair()
        defer { close(client) }
        streams.adopt(AdoptedSocket(ours, in: Counter(answer: 1)))
        streams.connections.turnEnd = LoopTime(nanoseconds: 0)
        var text = String(decoding: received(client), as: UTF8.self)
        var turns = 0
        while streams.connections.pendingBytes > 0, turns < 10_000 {
            streams.handle(streams.token(of: 0), Self.writable)
            let piece = received(client)
            #expect(piece.count < 2 * PendingOutput.fill)
            text += String(decoding: piece, as: UTF8.self)
            turns += 1
        }
        #expect(orders(in: text) == Array(1...1_000))
        #expect(turns > 1)
        streams.connections.closeAll()
    }

    @Test func `after the end of a turn the delivery of further events waits for the next`() throws {
        let streams = try StreamFixture(1)
        let (ours, client) = pair(sendBuffer: 1 << 20)
        defer { close(client) }
        streams.connections.receive(EventBatch([RetainedEventsTests.event("display-0", order: 1)]))
        streams.adopt(AdoptedSocket(ours, in: Counter(answer: 1)))
        _ = received(client)
        streams.connections.turnEnd = LoopTime(nanoseconds: 0)
        streams.connections.receive(
            EventBatch((1...3).map { RetainedEventsTests.event("display-\($0)", order: UInt64($0 + 1)) })
        )
        for _ in 0..<3 {
            streams.connections.fanOut()
            let text = String(decoding: received(client), as: UTF8.self)
            #expect(text.ranges(of: "\"order\":").count == 1)
        }
        let isFanningOut = streams.connections.isFanningOut
        #expect(!isFanningOut)
        streams.connections.closeAll()
    }

    @Test func `beyond the limit of pending output, the client with the most pending bytes is disconnected`() throws {
        let streams = try StreamFixture(2, limit: 120_000)
        var clients: [Int32] = []
        for bytes in [100_000, 60_000] {
            let (ours, client) = pair()
            clients.append(client)
            streams.adopt(AdoptedSocket(ours, in: Counter(answer: bytes)))
        }
        for (index, client) in clients.enumerated() {
            send(client, Self.call, Self.call.count, 0)
            streams.handle(streams.token(of: index), Self.readable)
        }
        let (isOpen, waiting, report) = (
            streams.connections.all.map(\.isOpen), streams.connections.pendingBytes, streams.connections.report
        )
        #expect(isOpen == [false, true])
        #expect(waiting < 60_010)
        #expect(report.evicted == 1 && report.givenUp == 0)
        streams.connections.closeAll()
        let left = streams.connections.pendingBytes
        #expect(left == 0)
        // The loop reports it although no stream is left.
        let (isDue, evicted) = (streams.connections.needsTicks, streams.connections.takeEvicted())
        #expect(isDue && evicted == 1)
        let isDueAgain = streams.connections.needsTicks
        #expect(!isDueAgain)
        for client in clients { close(client) }
    }

    @Test func `comments to many silent streams take more than one turn`() throws {
        let count = 600
        let streams = try StreamFixture(count)
        // Several streams share a socket, since a process may not have this many descriptors.
        let pairs = (0..<10).map { _ in pair(sendBuffer: 1 << 17) }
        func received() -> Int { pairs.map { self.received($0.client).count }.reduce(0, +) }
        let stream = StreamRequest(filter: EventFilter())
        for index in 0..<count {
            let socket = dup(pairs[index % pairs.count].ours)
            streams.adopt(AdoptedSocket(socket: socket, client: .loopback, framing: .plain, request: stream))
        }
        _ = received()
        streams.tick(at: 15)
        var isTicking = streams.connections.isTicking
        #expect(isTicking)
        let first = received()
        streams.tick(at: 15)
        isTicking = streams.connections.isTicking
        #expect(!isTicking)
        let comment = StreamFormats.json[.plain].keepAlive.count
        #expect(first < count * comment)
        #expect(first + received() == count * comment)
        streams.connections.closeAll()
        for pair in pairs {
            close(pair.ours)
            close(pair.client)
        }
    }
}
