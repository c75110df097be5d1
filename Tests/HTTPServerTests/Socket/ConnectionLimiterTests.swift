// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct ConnectionLimiterTests {
    let start = LoopTime(nanoseconds: 1_000_000_000_000)
    let none = ClientLimit(.max)

    /// A limiter with the same hash in every run. These tests' clients share no slot.
    private func limiter(connections: ClientLimit, connects: ClientLimit) -> ConnectionLimiter {
        ConnectionLimiter(connections: connections, connects: connects, factor: 0x9E37_79B9_7F4A_7C15)
    }

    private func slots(_ limiter: ConnectionLimiter, _ count: Int, of host: String, at now: LoopTime) throws
        -> [ConnectionLimiter.Slot]
    {
        let client = try ClientAddress(host: host)
        return (0..<count).compactMap { _ in try? limiter.acquire(for: client, at: now) }
    }

    @Test func `the connections of one client do not count for another`() throws {
        let limiter = limiter(connections: ClientLimit(3), connects: none)
        let slots = try slots(limiter, 9, of: "192.0.2.1", at: start)
        #expect(slots.count == 3)
        #expect(throws: ConnectionLimiter.Rejection.tooManyConnections) {
            _ = try limiter.acquire(for: try ClientAddress(host: "192.0.2.1"), at: start)
        }
        #expect(try self.slots(limiter, 9, of: "192.0.2.2", at: start).count == 3)
    }

    @Test func `a released slot may be acquired again`() throws {
        let limiter = limiter(connections: ClientLimit(3), connects: none)
        for slot in try slots(limiter, 3, of: "192.0.2.1", at: start).dropFirst() { limiter.release(slot) }
        #expect(try slots(limiter, 9, of: "192.0.2.1", at: start).count == 2)
    }

    @Test func `all addresses of an IPv6 network count as one client`() throws {
        let limiter = limiter(connections: ClientLimit(2), connects: none)
        _ = try slots(limiter, 1, of: "2001:db8:1:2::1", at: start)
        #expect(try slots(limiter, 9, of: "2001:db8:1:2:ffff::9", at: start).count == 1)
        #expect(try slots(limiter, 9, of: "2001:db8:1:3::1", at: start).count == 2)
    }

    @Test func `a burst may have twice the connections of a second, then the rate applies`() throws {
        let limiter = limiter(connections: none, connects: ClientLimit(10))
        func passes(_ milliseconds: Int) throws -> Int {
            try slots(limiter, 100, of: "192.0.2.1", at: start + .milliseconds(milliseconds)).count
        }
        #expect(try passes(0) == 20)
        #expect(throws: ConnectionLimiter.Rejection.tooManyConnects) {
            _ = try limiter.acquire(for: try ClientAddress(host: "192.0.2.1"), at: start)
        }
        #expect(try passes(99) == 0)
        #expect(try passes(100) == 1)
        #expect(try passes(1_100) == 10)
        #expect(try passes(60_000) == 20)
        #expect(try slots(limiter, 100, of: "192.0.2.2", at: start).count == 20)
    }

    @Test func `loopback and local users are exempt unless the limit includes them`() throws {
        let usual = limiter(
            connections: .defaultConnections(ofShard: 2),
            connects: ClientLimit(1, sparesLoopback: true)
        )
        for host in ["127.0.0.1", "127.0.0.2", "::1"] {
            #expect(try slots(usual, 100, of: host, at: start).count == 100)
        }
        for _ in 0..<100 {
            #expect(throws: Never.self) { try usual.acquire(for: ClientAddress(user: 1_000), at: start) }
        }
        #expect(try slots(usual, 100, of: "192.0.2.1", at: start).count == 1)
        let given = limiter(connections: ClientLimit(1), connects: none)
        #expect(try slots(given, 100, of: "127.0.0.1", at: start).count == 1)
    }

    @Test(arguments: [(16_384, 1_024), (2_048, 1_024), (100, 50), (3, 1), (1, 1)])
    func `the default limit of one client is below a shard's capacity, unless that is one`(connections: Int, limit: Int)
    {
        #expect(ClientLimit.defaultConnections(ofShard: connections).count == limit)
    }

    @Test func `releasing an uncounted slot changes no counter`() throws {
        let limiter = limiter(connections: none, connects: none)
        let slot = try limiter.acquire(for: try ClientAddress(host: "192.0.2.1"), at: start)
        limiter.release(slot)
        limiter.release(.uncounted)
    }

    @Test func `concurrent shards count correctly`() async throws {
        let limiter = limiter(connections: ClientLimit(1_000), connects: none)
        let client = try ClientAddress(host: "192.0.2.1")
        let now = start
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<2_500 {
                        guard let slot = try? limiter.acquire(for: client, at: now) else { continue }
                        limiter.release(slot)
                    }
                }
            }
        }
        #expect(try slots(limiter, 2_000, of: "192.0.2.1", at: start).count == 1_000)
    }
}
