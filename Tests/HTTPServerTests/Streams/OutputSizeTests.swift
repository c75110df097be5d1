// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// The work and the memory of events count by their bytes.
@Suite struct OutputSizeTests {
    private static let writable: UInt32 = 0x004
    private let stream = StreamRequest(filter: EventFilter())

    /// The client's and the server's end.
    private func pair(sendBuffer: Int32) -> (ours: Int32, client: Int32) {
        var sockets: [Int32] = [0, 0]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        #expect(socketpair(AF_UNIX, kind, 0, &sockets) == 0)
        var size = sendBuffer
        setsockopt(sockets[0], SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        return (sockets[0], sockets[1])
    }

    private func received(_ client: Int32) -> String {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = recv(client, &buffer, buffer.count, 0)
            guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
            bytes += buffer.prefix(count)
        }
    }

    private func event(_ key: String, order: UInt64, bytes: Int) -> Event {
        let data = Array("{\"key\":\"\(key)\",\"order\":\(order),\"text\":\"".utf8)
        let rest = [UInt8](repeating: UInt8(ascii: "x"), count: max(bytes - data.count - 2, 0))
        return Event(
            key: key,
            name: "note",
            subject: nil,
            id: nil,
            order: order,
            data: data + rest + Array("\"}".utf8)
        )
    }

    /// Posts one event to 60 streams. Returns how many each call of `fanOut` has served.
    private func served(bytes: Int, turnEnd: LoopTime) throws -> [Int] {
        let streams = try StreamFixture(60)
        let pairs = (0..<60).map { _ in pair(sendBuffer: 1 << 17) }
        for pair in pairs {
            streams.adopt(AdoptedSocket(socket: pair.ours, client: .loopback, framing: .plain, request: stream))
        }
        streams.connections.turnEnd = turnEnd
        streams.connections.receive(EventBatch([event("a", order: 1, bytes: bytes)]))
        var calls: [Int] = []
        while streams.connections.isFanningOut {
            let before = streams.connections.counts.deliveries
            streams.connections.fanOut()
            calls.append(Int(streams.connections.counts.deliveries - before))
        }
        for pair in pairs {
            #expect(received(pair.client).contains("event: note\n"))
            close(pair.client)
        }
        streams.connections.closeAll()
        return calls
    }

    @Test func `once a turn is over, the delivery of large events stops after 64 KiB`() throws {
        let calls = try served(bytes: 16_384, turnEnd: LoopTime(nanoseconds: 0))
        #expect(calls.filter { $0 > 0 } == Array(repeating: 4, count: 15))
    }

    @Test func `a turn with time serves as many streams as their bytes allow`() throws {
        let calls = try served(bytes: 16_384, turnEnd: LoopTime(nanoseconds: .max))
        #expect(calls.reduce(0, +) == 60)
        #expect(calls.count > 1)
        #expect(try served(bytes: 100, turnEnd: LoopTime(nanoseconds: .max)) == [60])
    }

    @Test func `clients that have not read the rest of one message share its bytes`() throws {
        let streams = try StreamFixture(50, limit: 60_000)
        let pairs = (0..<50).map { _ in pair(sendBuffer: 4_096) }
        for pair in pairs {
            streams.adopt(AdoptedSocket(socket: pair.ours, client: .loopback, framing: .plain, request: stream))
        }
        streams.connections.receive(EventBatch([event("a", order: 1, bytes: 16_384)]))
        while streams.connections.isFanningOut { streams.connections.fanOut() }
        let (slow, waiting, evicted) = (
            streams.connections.pendingStreams, streams.connections.pendingBytes, streams.connections.report.evicted
        )
        #expect(slow == 50 && evicted == 0)
        // A message for each part of the delivery.
        #expect((16_384...3 * 17_000).contains(waiting))
        // One client reads all, and another leaves.
        while streams.connections.pendingStreams == 50 {
            _ = received(pairs[0].client)
            streams.handle(streams.token(of: 0), Self.writable)
        }
        streams.connections.close(1)
        let left = streams.connections.pendingBytes
        #expect((16_384...waiting).contains(left))
        streams.connections.closeAll()
        let end = streams.connections.pendingBytes
        #expect(end == 0)
        for pair in pairs { close(pair.client) }
    }

    private final class Silence: WebSocketHandler {
        let rules = MessageRules(longest: 100)

        func receive(_ message: Message) -> MessageOutcome { MessageOutcome(.none) }
    }

    @Test func `WebSockets that have not read one large answer share its bytes, and receive it in one frame`() throws {
        let size = 200_000
        let streams = try StreamFixture(50, limit: size + 50 * 4_096)
        let pairs = (0..<50).map { _ in pair(sendBuffer: 4_096) }
        for pair in pairs { streams.adopt(AdoptedSocket(pair.ours, in: Silence())) }
        var document = Response(status: 200, body: [UInt8](repeating: UInt8(ascii: "x"), count: size))
        document.share()
        // Two answers to each, and an event behind them.
        for number in 1...2 {
            for index in 0..<50 {
                let answer = document.enclosed(in: Array("\(number):".utf8), Array("for \(index)".utf8))
                streams.webSockets.send(answer, to: streams.token(of: index), in: &streams.connections)
            }
        }
        streams.connections.receive(EventBatch([event("a", order: 1, bytes: 100)]))
        while streams.connections.isFanningOut { streams.connections.fanOut() }
        let (slow, waiting, evicted) = (
            streams.connections.pendingStreams, streams.connections.pendingBytes, streams.connections.report.evicted
        )
        #expect(slow == 50 && evicted == 0)
        #expect((size..<size + 50 * 4_096).contains(waiting))
        for (index, pair) in pairs.enumerated() {
            var text = ""
            while streams.connections.all[index].pendingOutput != nil {
                text += received(pair.client)
                streams.handle(streams.token(of: index), Self.writable)
            }
            text += received(pair.client)
            let end = "for \(index)"
            #expect(text.hasPrefix("\u{FFFD}\u{7F}\0\0\0\0\0\u{3}"))
            for number in 1...2 {
                #expect(text.contains("\(number):" + String(repeating: "x", count: size) + end))
            }
            #expect(text.utf8.count > 2 * size && text.ranges(of: "\"key\":\"a\"").count == 1)
        }
        let left = streams.connections.pendingBytes
        #expect(left == 0)
        streams.connections.closeAll()
        for pair in pairs { close(pair.client) }
    }

    @Test func `the beginning of a stream ends with synced, whatever changes before it is read`() throws {
        let encoding = EventEncoding(resetData: Array("{}".utf8), syncedData: Array("{}".utf8))
        let streams = try StreamFixture(2, formats: StreamFormats(encoding))
        var events = (1...40).map { event("\($0)", order: UInt64($0), bytes: 2_000) }
        streams.connections.receive(EventBatch(events))
        let (ours, client) = pair(sendBuffer: 4_096)
        defer { close(client) }
        streams.adopt(AdoptedSocket(socket: ours, client: .loopback, framing: .plain, request: stream))
        var text = received(client)
        #expect(!text.contains("event: synced\n"))
        // The last of the beginning is replaced by a newer one.
        events = [event("40", order: 41, bytes: 2_000)]
        streams.connections.receive(EventBatch(events))
        while streams.connections.isFanningOut { streams.connections.fanOut() }
        while streams.connections.pendingStreams > 0 {
            streams.handle(streams.token(of: 0), Self.writable)
            text += received(client)
        }
        #expect(text.ranges(of: "event: note\n").count == 40)
        #expect(text.ranges(of: "event: synced\n").count == 1)
        #expect(text.contains("\"order\":41") && text.hasSuffix("event: synced\ndata: {}\n\n"))

        // A short beginning is one message with it.
        let (next, other) = pair(sendBuffer: 4_096)
        defer { close(other) }
        let none = StreamRequest(filter: EventFilter(types: ["reset", "synced"]))
        streams.adopt(AdoptedSocket(socket: next, client: .loopback, framing: .plain, request: none))
        #expect(received(other).hasSuffix("event: synced\ndata: {}\n\n"))
        streams.connections.closeAll()
    }
}
