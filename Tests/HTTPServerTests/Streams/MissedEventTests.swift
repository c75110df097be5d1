// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// Delivery of events that end a subject: all of them to clients that keep up, otherwise `reset` and the retained
/// events.
@Suite(.timeLimit(.minutes(10))) final class MissedEventTests {
    /// A client of a stream on a pair of sockets.
    private final class Client {
        private(set) var text = ""
        let socket: Int32
        /// The server's end.
        let other: Int32

        init() {
            var sockets: [Int32] = [0, 0]
            #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
            (other, socket) = (sockets[0], sockets[1])
            var size: Int32 = 4_096
            setsockopt(other, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
        }

        deinit { close(socket) }

        /// Reads all available bytes.
        func read() {
            var buffer = [UInt8](repeating: 0, count: 65_536)
            while case let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
                text += String(decoding: buffer.prefix(count), as: UTF8.self)
            }
        }

        /// The names and orders of the events so far, such as `lease 7`.
        var events: [String] {
            let blocks = text.split(separator: "event: ")
            return blocks.dropFirst(text.hasPrefix("event: ") ? 0 : 1).map { block in
                let order = block.split(separator: "\"order\":").dropFirst().first?.prefix { $0.isNumber } ?? ""
                return block.prefix { $0 != "\n" } + (order.isEmpty ? "" : " \(order)")
            }
        }

        func forget() { text = "" }
    }

    private let streams: StreamFixture

    init() throws { streams = try StreamFixture(of: 16) }

    private func open(
        _ start: StreamStart = .everything,
        framing: Framing = .plain,
        _ filter: EventFilter = EventFilter()
    ) throws -> Client {
        try streams.limiter.acquire(for: .loopback)
        let client = Client()
        var request = StreamRequest(filter: filter, start: start)
        request.companion = framing == .webSocket ? WebSocket(Silence()) : nil
        streams.adopt(AdoptedSocket(socket: client.other, client: .loopback, framing: framing, request: request))
        client.read()
        return client
    }

    private final class Silence: WebSocketHandler {
        let rules = MessageRules(longest: 100)

        func receive(_ message: Message) -> MessageOutcome { MessageOutcome(.none) }
    }

    /// Runs until everything is sent. Clients read whenever there is something to read.
    private func settle(_ clients: Client...) {
        for client in clients { client.read() }
        var before = -1
        while streams.connections.isFanningOut || clients.reduce(0, { $0 + $1.text.utf8.count }) != before {
            before = clients.reduce(0) { $0 + $1.text.utf8.count }
            streams.connections.fanOut()
            for index in streams.connections.all.indices where streams.connections.all[index].isOpen {
                streams.handle(streams.token(of: index), 0x004)
            }
            for client in clients { client.read() }
        }
    }

    private func post(_ events: [Event]) { streams.connections.receive(EventBatch(events)) }

    private func lease(_ number: Int, isOver: Bool = false) -> Event {
        RetainedEventsTests.event(
            "lease-\(number)",
            order: UInt64(isOver ? 100_000 + number : number),
            name: "lease",
            hasID: false,
            isRetained: !isOver
        )
    }

    private func state(_ order: UInt64) -> Event { RetainedEventsTests.event("state", order: order, name: "state") }

    private func leases(_ numbers: Range<Int>, areOver: Bool = false) -> [Event] {
        numbers.map { lease($0, isOver: areOver) }
    }

    @Test(arguments: [257, 1_400, RetainedEvents.passingLimit], [Framing.plain, .chunked, .webSocket])
    func `a client that keeps up receives every end of a batch`(count: Int, framing: Framing) throws {
        post(leases(0..<count))
        let client = try open(framing: framing)
        settle(client)
        client.forget()
        post(leases(0..<count, areOver: true))
        settle(client)
        let name = framing == .webSocket ? "\"method\":\"lease\"" : "event: lease"
        #expect(client.text.ranges(of: name).count == count)
        #expect(!client.text.contains("reset"))
        streams.connections.closeAll()
    }

    @Test func `a slow client receives every available end, and the newest state once`() throws {
        post([state(1)] + leases(2..<102))
        let slow = try open(), fast = try open()
        settle(slow, fast)
        slow.forget()
        // More than the kernel buffers for it.
        for order in 1_000..<1_200 {
            post([state(UInt64(order))])
            settle(fast)
        }
        post(leases(2..<102, areOver: true))
        settle(fast)
        settle(slow)
        #expect(slow.events.suffix(101) == ["state 1199"] + (2..<102).map { "lease \(100_000 + $0)" })
        #expect(slow.text.contains("skipped") && !slow.text.contains("reset"))
        streams.connections.closeAll()
    }

    @Test func `a slow client that missed a forgotten end receives the reset event`() throws {
        let count = RetainedEvents.passingLimit + 1
        post([state(1)] + leases(2..<count + 3))
        let slow = try open(), fast = try open()
        settle(slow, fast)
        slow.forget()
        for order in 1_000..<1_200 {
            post([state(UInt64(order))])
            settle(fast)
        }
        for number in 2..<count + 2 {
            post([lease(number, isOver: true)])
            settle(fast)
        }
        settle(slow)
        #expect(slow.events.suffix(3) == ["reset", "lease \(count + 2)", "state 1199"])
        #expect(!fast.text.contains("reset"))
        // From here on it receives events as usual.
        post([lease(count + 2, isOver: true)])
        settle(slow, fast)
        #expect(slow.events.last == "lease \(100_000 + count + 2)")
        streams.connections.closeAll()
    }

    @Test(arguments: [false, true])
    func `a slow client whose pending events are over receives the next one, or the farewell`(isDraining: Bool) throws {
        func state(_ order: UInt64, of subject: String) -> Event {
            RetainedEventsTests.event("state/\(subject)", order: order, name: "state", of: subject)
        }
        let slow = try open(.everything, EventFilter(types: ["state"]))
        slow.forget()
        // More than the kernel buffers for it.
        for order in 1...200 {
            post([state(UInt64(order), of: "a")])
            settle()
        }
        post([RetainedEventsTests.event("a", order: 201, name: "display", isRetained: false, endsSubject: true)])
        settle()
        var pendingStreams = streams.connections.pendingStreams
        #expect(pendingStreams == 1)
        if isDraining { streams.connections.drain() }
        // An endless flush ends here.
        streams.connections.turnEnd = .now.after(milliseconds: 50)
        settle(slow)
        pendingStreams = streams.connections.pendingStreams
        #expect(pendingStreams == 0)
        #expect(slow.text.contains("retry:") == isDraining)
        #expect(slow.events.allSatisfy { $0.hasPrefix("state ") })
        post([state(300, of: "b")])
        settle(slow)
        #expect((slow.events.last == "state 300") == !isDraining)
        streams.connections.closeAll()
    }

    @Test func `after a lost batch every client receives the reset event`() throws {
        post([state(1), lease(2), lease(3)])
        let one = try open(), other = try open(framing: .chunked)
        settle(one, other)
        for client in [one, other] { client.forget() }
        streams.connections.receive(
            EventBatch(events: [lease(3, isOver: true), state(5), lease(4)], replacesAll: true, endsKnownSince: 4)
        )
        settle(one, other)
        for client in [one, other] { #expect(client.events == ["reset", "lease 4", "state 5"]) }
        #expect(try open(.after(5)).events == ["lease 100003"])
        #expect(try open(.after(1)).events == ["reset", "lease 4", "state 5"])
        streams.connections.closeAll()
    }

    @Test func `a beginning in several batches reaches clients when it is whole`() throws {
        post([state(1), lease(2)])
        let client = try open()
        settle(client)
        client.forget()
        streams.connections.receive(
            EventBatch(events: [state(5)], replacesAll: true, endsKnownSince: 4, isFollowed: true)
        )
        streams.connections.receive(EventBatch([lease(4)], isFollowed: true))
        settle(client)
        #expect(client.events == [])
        streams.connections.receive(EventBatch([lease(3)]))
        settle(client)
        #expect(client.events == ["reset", "lease 3", "lease 4", "state 5"])
        client.forget()
        post([state(6)])
        settle(client)
        #expect(client.events == ["state 6"])
        streams.connections.closeAll()
    }

    @Test func `a complete batch without open streams resets no later stream`() throws {
        streams.connections.receive(EventBatch(events: [state(1)], replacesAll: true))
        let client = try open()
        settle(client)
        #expect(client.events == ["state 1"])
        streams.connections.closeAll()
    }

    @Test func `a complete batch without an event for a stream sends it nothing, and keeps nothing pending`() throws {
        let client = try open(.everything, EventFilter(types: ["state"]))
        client.forget()
        // An endless flush ends here.
        streams.connections.turnEnd = .now.after(milliseconds: 50)
        streams.connections.receive(EventBatch(events: [], replacesAll: true))
        settle(client)
        let pendingStreams = streams.connections.pendingStreams
        #expect(pendingStreams == 0)
        post([state(1)])
        settle(client)
        #expect(client.events == ["state 1"])
        streams.connections.closeAll()
    }

    @Test func `a withdrawn event reaches no slow and no later stream, and takes no place among the ends`() throws {
        func room(_ order: UInt64) -> Event {
            RetainedEventsTests.event("room", order: order, name: "room", hasID: false)
        }
        post([lease(7), room(8)])
        let slow = try open(), fast = try open()
        #expect(slow.events == ["lease 7", "room 8"])
        for client in [slow, fast] { client.forget() }
        // More than the kernel buffers for it.
        for order in 1_000..<1_200 {
            post([state(UInt64(order))])
            settle(fast)
        }
        fast.forget()
        post([lease(7, isOver: true), room(9)])
        settle(fast)
        #expect(fast.events == ["lease 100007", "room 9"])
        fast.forget()
        let withdrawal = Event(key: "room", name: "room", isWithdrawal: true)
        post(Array(repeating: withdrawal, count: 2 * RetainedEvents.passingKept))
        settle(fast)
        #expect(fast.text.isEmpty)
        #expect(try open().events == ["state 1199"])
        #expect(try open(.after(1_199)).events == ["lease 100007"])
        settle(slow)
        #expect(slow.events.suffix(2) == ["state 1199", "lease 100007"])
        #expect(!slow.text.contains("room") && !slow.text.contains("reset"))
        streams.connections.closeAll()
    }

    @Test func `an end forgotten during its fan-out resets the clients not yet reached`() throws {
        let client = try open()
        post(leases(0..<RetainedEvents.passingLimit + 1, areOver: true) + [state(1)])
        settle(client)
        #expect(client.events == ["reset", "state 1"])
        streams.connections.closeAll()
    }

    @Test func `a client that changes its subscription receives the ends being sent`() throws {
        post([state(1), lease(2)])
        let client = try open(framing: .webSocket)
        settle(client)
        client.forget()
        post([lease(2, isOver: true), state(3)])
        let filter = EventFilter(types: ["lease", "state"])
        streams.webSockets.subscribe(streams.token(of: 0), to: .init(filter: filter), in: &streams.connections)
        settle(client)
        #expect(client.text.ranges(of: "\"order\":100002").count == 1)
        #expect(client.text.ranges(of: "\"order\":3").count == 1)
        streams.connections.closeAll()
    }

    @Test func `a stream whose filter a subject enters receives its older events first, and others nothing twice`()
        throws
    {
        func state(_ order: UInt64, _ labels: [String]) -> Event {
            RetainedEventsTests.event("state", order: order, name: "state", of: "panel", labels: labels)
        }
        func lease(_ order: UInt64) -> Event {
            RetainedEventsTests.event("lease-\(order)", order: order, name: "lease", hasID: false, of: "panel")
        }
        post([lease(1), lease(2), state(2, ["lobby"])])
        let hall = try open(.everything, EventFilter(subjects: [SubjectSet(labels: ["hall"])]))
        let lobby = try open(.everything, EventFilter(subjects: [SubjectSet(labels: ["lobby"])]))
        let all = try open()
        let leases = try open(.everything, EventFilter(types: ["lease"], subjects: [SubjectSet(labels: ["hall"])]))
        let others = try open(.everything, EventFilter(types: ["other"], subjects: [SubjectSet(labels: ["hall"])]))
        settle(hall, lobby, all, leases, others)
        #expect(hall.events == [])
        for client in [hall, lobby, all, leases, others] { client.forget() }
        post([state(3, ["hall"])])
        settle(hall, lobby, all, leases, others)
        #expect(hall.events == ["lease 1", "lease 2", "state 3"])
        #expect(leases.events == ["lease 1", "lease 2"])
        #expect(others.text.isEmpty)
        #expect(lobby.events == ["state 3"])
        #expect(all.events == ["state 3"])
        post([state(4, ["hall"])])
        settle(hall, lobby, all, leases, others)
        #expect(hall.events.last == "state 4")
        #expect(leases.events == ["lease 1", "lease 2"])
        #expect(lobby.events == ["state 3"])
        streams.connections.closeAll()
    }
}
