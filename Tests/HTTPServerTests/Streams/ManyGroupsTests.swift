// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

/// Streams with more different filters than one turn of a shard can serve.
@Suite(.timeLimit(.minutes(10))) final class ManyGroupsTests {
    private static let many = 20_000

    /// The client's ends of the streams that read.
    private var clients: [Int32] = []
    private let unused: (ours: Int32, client: Int32)
    private let streams: StreamFixture

    init() throws {
        streams = try StreamFixture(of: 16)
        unused = Self.pair()
    }

    deinit { for socket in clients + [unused.ours, unused.client] { close(socket) } }

    private static func pair() -> (ours: Int32, client: Int32) {
        var sockets: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, &sockets) == 0)
        return (sockets[0], sockets[1])
    }

    private static func filter(_ subject: String) -> EventFilter {
        EventFilter(subjects: [SubjectSet(names: [subject])])
    }

    /// Opens a stream of one subject. The result is its client's socket.
    private func open(_ filter: EventFilter) throws -> Int32 {
        try streams.limiter.acquire(for: .loopback)
        let (ours, client) = Self.pair()
        clients.append(client)
        streams.adopt(
            AdoptedSocket(socket: ours, client: .loopback, framing: .plain, request: StreamRequest(filter: filter))
        )
        _ = received(client)
        return client
    }

    private func received(_ client: Int32) -> String {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        while case let count = recv(client, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
            text += String(decoding: buffer.prefix(count), as: UTF8.self)
        }
        return text
    }

    /// Has streams of many filters come and go.
    private func joinAndLeave(_ count: Int) {
        let groups = (0..<count).map { SubscriberGroup(filter: Self.filter("\($0)"), authorization: nil) }
        let numbers = groups.map { streams.connections.groups.join($0) }
        for number in numbers { streams.connections.groups.leave(number) }
    }

    /// Adds streams of filters that include no event of a test. They share a socket, which is never used.
    private func addStreams(_ count: Int) {
        for number in 0..<count {
            let group = SubscriberGroup(filter: Self.filter("\(number)"), authorization: nil)
            var stream = StreamConnection()
            stream.socket = unused.ours
            stream.group = streams.connections.groups.join(group)
            streams.connections.all.append(stream)
        }
    }

    private func removeAddedStreams() {
        for index in streams.connections.all.indices where streams.connections.all[index].socket == unused.ours {
            streams.connections.all[index].socket = -1
        }
    }

    private func post(_ subject: String, order: UInt64) {
        let event = RetainedEventsTests.event(subject, order: order, of: subject)
        streams.connections.receive(EventBatch([event]))
    }

    @Test func `a group ends with its last stream, and its number is used again`() {
        var groups = SubscriberGroups()
        func group(_ number: Int) -> SubscriberGroup {
            SubscriberGroup(filter: Self.filter("\(number)"), authorization: nil)
        }
        let numbers = (0..<Self.many).map { groups.join(group($0)) }
        #expect(groups.count == Self.many)
        #expect(groups.join(group(7)) == numbers[7])
        for number in numbers { groups.leave(number) }
        #expect(groups.count == 1)
        #expect(groups.filter(of: numbers[7]) == Self.filter("7"))
        #expect(!groups.filter(of: numbers[8]).includes(RetainedEventsTests.event("8", order: 1)))
        #expect(numbers.contains(groups.join(group(8))))
        #expect(groups.limit == Self.many)
    }

    @Test func `groups of closed streams do not delay an event`() throws {
        joinAndLeave(Self.many)
        let client = try open(Self.filter("a"))
        post("a", order: 1)
        streams.connections.fanOut()
        let isBusy = streams.connections.isFanningOut
        #expect(!isBusy)
        #expect(received(client).contains("\"order\":1"))
        streams.connections.closeAll()
    }

    @Test func `an event reaches its streams among 20,000 of other filters, and so does the end of the shard`() throws {
        let first = try open(Self.filter("a"))
        addStreams(Self.many)
        let last = try open(Self.filter("a"))
        post("a", order: 1)
        post("a", order: 2)
        post("b", order: 3)
        var turns = 0
        while streams.connections.isFanningOut, turns < 1_000 {
            streams.connections.fanOut()
            turns += 1
        }
        #expect(turns < 100)
        for client in [first, last] { #expect(received(client).contains("\"order\":2")) }
        removeAddedStreams()
        post("a", order: 4)
        streams.connections.drain()
        for client in [first, last] {
            let end = received(client)
            #expect(end.contains("\"order\":4") && end.contains("retry: "))
        }
        streams.connections.closeAll()
    }
}
