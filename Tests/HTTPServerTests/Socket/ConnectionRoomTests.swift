// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct ConnectionRoomTests {
    let start = LoopTime(nanoseconds: 1_000_000_000_000)
    let none = ClientLimit(.max)

    /// The same hash in every run, by which none of these tests' clients share a place.
    private func room(connections: ClientLimit, connects: ClientLimit) -> ConnectionRoom {
        ConnectionRoom(connections: connections, connects: connects, factor: 0x9E37_79B9_7F4A_7C15)
    }

    private func places(_ room: ConnectionRoom, _ count: Int, of host: String, at now: LoopTime) throws
        -> [ConnectionRoom.Place]
    {
        let client = try ClientAddress(host: host)
        return (0..<count).compactMap { _ in try? room.take(for: client, at: now) }
    }

    @Test func `one client's connections take nobody else's`() throws {
        let room = room(connections: ClientLimit(3), connects: none)
        let places = try places(room, 9, of: "192.0.2.1", at: start)
        #expect(places.count == 3)
        #expect(throws: ConnectionRoom.Rejection.tooManyConnections) {
            _ = try room.take(for: try ClientAddress(host: "192.0.2.1"), at: start)
        }
        #expect(try self.places(room, 9, of: "192.0.2.2", at: start).count == 3)
    }

    @Test func `the end of a connection makes room for one`() throws {
        let room = room(connections: ClientLimit(3), connects: none)
        for place in try places(room, 3, of: "192.0.2.1", at: start).dropFirst() { room.giveBack(place) }
        #expect(try places(room, 9, of: "192.0.2.1", at: start).count == 2)
    }

    @Test func `all addresses of an IPv6 network are one client`() throws {
        let room = room(connections: ClientLimit(2), connects: none)
        _ = try places(room, 1, of: "2001:db8:1:2::1", at: start)
        #expect(try places(room, 9, of: "2001:db8:1:2:ffff::9", at: start).count == 1)
        #expect(try places(room, 9, of: "2001:db8:1:3::1", at: start).count == 2)
    }

    @Test func `twice the connects of a second may come at once, then so many a second`() throws {
        let room = room(connections: none, connects: ClientLimit(10))
        func passes(_ milliseconds: Int) throws -> Int {
            try places(room, 100, of: "192.0.2.1", at: start + .milliseconds(milliseconds)).count
        }
        #expect(try passes(0) == 20)
        #expect(throws: ConnectionRoom.Rejection.tooManyConnects) {
            _ = try room.take(for: try ClientAddress(host: "192.0.2.1"), at: start)
        }
        #expect(try passes(99) == 0)
        #expect(try passes(100) == 1)
        #expect(try passes(1_100) == 10)
        #expect(try passes(60_000) == 20)
        #expect(try places(room, 100, of: "192.0.2.2", at: start).count == 20)
    }

    @Test func `loopback is spared unless it is told otherwise, and users of this machine are`() throws {
        let usual = room(connections: .usualConnections(ofShard: 2), connects: ClientLimit(1, sparesLoopback: true))
        for host in ["127.0.0.1", "127.0.0.2", "::1"] {
            #expect(try places(usual, 100, of: host, at: start).count == 100)
        }
        for _ in 0..<100 { #expect(throws: Never.self) { try usual.take(for: ClientAddress(user: 1_000), at: start) } }
        #expect(try places(usual, 100, of: "192.0.2.1", at: start).count == 1)
        let given = room(connections: ClientLimit(1), connects: none)
        #expect(try places(given, 100, of: "127.0.0.1", at: start).count == 1)
    }

    @Test(arguments: [(16_384, 1_024), (2_048, 1_024), (100, 50), (3, 1), (1, 1)])
    func `one client never has all that a shard can have, unless that is one`(connections: Int, limit: Int) {
        #expect(ClientLimit.usualConnections(ofShard: connections).count == limit)
    }

    @Test func `what is not counted is not given back to anybody`() throws {
        let room = room(connections: none, connects: none)
        let place = try room.take(for: try ClientAddress(host: "192.0.2.1"), at: start)
        room.giveBack(place)
        room.giveBack(.uncounted)
    }

    @Test func `shards that count at once count right`() async throws {
        let room = room(connections: ClientLimit(1_000), connects: none)
        let client = try ClientAddress(host: "192.0.2.1")
        let now = start
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2_500 {
                        guard let place = try? room.take(for: client, at: now) else { continue }
                        room.giveBack(place)
                    }
                }
            }
        }
        #expect(try places(room, 2_000, of: "192.0.2.1", at: start).count == 1_000)
    }
}
