// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// Outlets whose clients take nothing, or only what the test reads: what they cost, and who waits for whom.
@Suite struct BacklogTests {
    /// Counts messages, and answers each with as many bytes as it is told to.
    private final class Counter: Conversation {
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

    /// A client's side and ours, of which the kernel keeps little.
    private func pair(sendBuffer: Int32 = 4_096) -> (ours: Int32, client: Int32) {
        var sockets: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &sockets) == 0)
        var size = sendBuffer
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        return (sockets[0], sockets[1])
    }

    private func outlets(_ count: Int, limit: Int = .max) throws -> Outlets {
        let room = StreamRoom(for: count, limit: .usualStreams)
        for _ in 0..<count { try room.take(for: .loopback) }
        return Outlets(in: room, .json, backlogLimit: limit)
    }

    private func arrival(_ socket: Int32, _ conversation: any Conversation) -> Arrival {
        Arrival(socket, of: .loopback, .webSocket, StreamRequest(filter: EventFilter()), in: conversation)
    }

    private func received(_ client: Int32) -> [UInt8] {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = recv(client, &buffer, buffer.count, 0)
        return Array(buffer.prefix(max(count, 0)))
    }

    @Test func `the next message waits until the client has taken the answer to the last one`() throws {
        var outlets = try outlets(1)
        let poller = try Poller()
        let (ours, client) = pair()
        defer { close(client) }
        let counter = Counter(answer: 100_000)
        outlets.adopt(arrival(ours, counter), poller, second: 0)
        let token = outlets.token(of: 0)
        let calls = Array(repeating: Self.call, count: 10).flatMap { $0 }
        send(client, calls, calls.count, 0)
        outlets.handle(token, Self.readable, poller, second: 0)
        #expect(counter.messages == 1)
        var waiting = outlets.backlogBytes
        #expect(waiting < 110_000)
        var taken = 0
        for _ in 0..<10_000 where taken < 10 * 100_010 {
            taken += received(client).count
            outlets.handle(token, Self.writable, poller, second: 0)
            #expect(counter.messages <= 1 + taken / 100_000)
            outlets.listenOn(poller, second: 0)
            waiting = outlets.backlogBytes
            #expect(waiting < 110_000)
        }
        #expect(counter.messages == 10)
        #expect(taken == 10 * 100_010)
        #expect(waiting == 0)
        outlets.closeAll()
    }

    @Test func `when a turn is over, messages wait for the next, and clients take turns`() throws {
        var outlets = try outlets(2)
        let poller = try Poller()
        let counters = [Counter(answer: 1), Counter(answer: 1)]
        var clients: [Int32] = []
        for counter in counters {
            let (ours, client) = pair()
            clients.append(client)
            outlets.adopt(arrival(ours, counter), poller, second: 0)
        }
        let calls = Array(repeating: Self.call, count: 5).flatMap { $0 }
        for client in clients { send(client, calls, calls.count, 0) }
        outlets.ear.turnEnd = LoopTime(nanoseconds: 0)
        for index in 0..<2 { outlets.handle(outlets.token(of: index), Self.readable, poller, second: 0) }
        outlets.listenOn(poller, second: 0)
        #expect(counters.map(\.messages) == [0, 0])
        var isBusy = outlets.ear.isBusy
        #expect(isBusy)
        // With time left, whoever waits gets a message each by turns.
        outlets.ear.turnEnd = LoopTime(nanoseconds: .max)
        outlets.listenOn(poller, second: 0)
        #expect(counters.map(\.messages) == [5, 5])
        isBusy = outlets.ear.isBusy
        #expect(!isBusy)
        outlets.closeAll()
        for client in clients { close(client) }
    }

    @Test func `what a stream begins with is owed to a client that takes nothing, and none is left out`() throws {
        var outlets = try outlets(1)
        let poller = try Poller()
        let events = (1...1_000).map { EventBoardTests.event("display-\($0)", order: UInt64($0)) }
        outlets.take(News(events, isEverything: false))
        let (ours, client) = pair()
        defer { close(client) }
        outlets.adopt(arrival(ours, Counter(answer: 1)), poller, second: 0)
        let waiting = outlets.backlogBytes
        #expect(waiting < Backlog.fill + 80_000)
        var text = ""
        for _ in 0..<10_000 where outlets.backlogBytes > 0 {
            text += String(decoding: received(client), as: UTF8.self)
            outlets.handle(outlets.token(of: 0), Self.writable, poller, second: 0)
        }
        text += String(decoding: received(client), as: UTF8.self)
        let orders = text.split(separator: "\"order\":").dropFirst().compactMap { Int($0.prefix { $0.isNumber }) }
        #expect(orders == Array(1...1_000))
        #expect(!text.contains("skipped"))
        outlets.closeAll()
    }

    @Test func `beyond the limit of all backlogs, the client that has the most to take is closed`() throws {
        var outlets = try outlets(2, limit: 120_000)
        let poller = try Poller()
        var clients: [Int32] = []
        for bytes in [100_000, 60_000] {
            let (ours, client) = pair()
            clients.append(client)
            outlets.adopt(arrival(ours, Counter(answer: bytes)), poller, second: 0)
        }
        for (index, client) in clients.enumerated() {
            send(client, Self.call, Self.call.count, 0)
            outlets.handle(outlets.token(of: index), Self.readable, poller, second: 0)
        }
        let (isOpen, waiting, report) = (outlets.outlets.map(\.isOpen), outlets.backlogBytes, outlets.report)
        #expect(isOpen == [false, true])
        #expect(waiting < 60_010)
        #expect(report.givenUp == 1)
        outlets.closeAll()
        let left = outlets.backlogBytes
        #expect(left == 0)
        for client in clients { close(client) }
    }

    @Test func `many silent streams get their comments in more than one turn`() throws {
        let count = 600
        var outlets = try outlets(count)
        let poller = try Poller()
        // Several streams share a socket: so many descriptors a process may not have.
        let pairs = (0..<10).map { _ in pair(sendBuffer: 1 << 17) }
        func received() -> Int { pairs.map { self.received($0.client).count }.reduce(0, +) }
        let stream = StreamRequest(filter: EventFilter())
        for index in 0..<count {
            let socket = dup(pairs[index % pairs.count].ours)
            outlets.adopt(Arrival(socket, of: .loopback, .plain, stream), poller, second: 0)
        }
        _ = received()
        outlets.tick(poller, second: 15)
        var isTicking = outlets.isTicking
        #expect(isTicking)
        let first = received()
        outlets.tick(poller, second: 15)
        isTicking = outlets.isTicking
        #expect(!isTicking)
        let comment = StreamFormats.json[.plain].keepAlive.count
        #expect(first < count * comment)
        #expect(first + received() == count * comment)
        outlets.closeAll()
        for pair in pairs {
            close(pair.ours)
            close(pair.client)
        }
    }
}
