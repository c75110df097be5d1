// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

@Suite struct StreamLimiterTests {
    private static func client(_ host: String) throws -> ClientAddress { try ClientAddress(host: host) }

    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1", true),
        ("192.0.2.1", "192.0.2.2", false),
        ("2001:db8:1:2::1", "2001:db8:1:2:ffff::9", true),
        ("2001:db8:1:2::1", "2001:db8:1:3::1", false),
        ("127.0.0.1", "127.0.0.2", false),
        ("192.0.2.1", "::ffff:192.0.2.1", true),
        ("::ffff:192.0.2.1", "::ffff:192.0.2.2", false),
    ])
    func `two addresses count as one client or two`(one: String, other: String, areOne: Bool) throws {
        #expect(try (Self.client(one) == Self.client(other)) == areOne)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.2", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("192.0.2.127", false), ("126.0.0.1", false), ("2001:db8::1", false), ("fe80::1", false),
        ("::ffff:192.0.2.1", false),
    ])
    func `an address is recognized as this machine`(host: String, isLoopback: Bool) throws {
        #expect(try Self.client(host).isLoopback == isLoopback)
    }

    @Test func `the streams of one client do not count for another`() throws {
        let limiter = StreamLimiter(for: 5, limit: ClientLimit(2))
        let (one, other) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.2"))
        for client in [one, one, other, other] { try limiter.acquire(for: client) }
        #expect(throws: RequestError.tooManyStreams(limit: 2)) { try limiter.acquire(for: one) }
        limiter.release(for: one)
        try limiter.acquire(for: one)
        #expect(throws: RequestError.tooManyStreams(limit: 2)) { try limiter.acquire(for: one) }
    }

    @Test func `a stream rejected for lack of capacity does not count for its client`() throws {
        let limiter = StreamLimiter(for: 1, limit: ClientLimit(1))
        let (one, other) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.2"))
        try limiter.acquire(for: one)
        #expect(throws: RequestError.noStreamCapacity) { try limiter.acquire(for: other) }
        limiter.release(for: one)
        try limiter.acquire(for: other)
    }

    @Test func `loopback may be exempt`() throws {
        let limiter = StreamLimiter(for: 9, limit: ClientLimit(1, sparesLoopback: true))
        for _ in 0..<4 { try limiter.acquire(for: try Self.client("127.0.0.1")) }
        for _ in 0..<4 { try limiter.acquire(for: .loopback) }
        try limiter.acquire(for: try Self.client("192.0.2.1"))
        #expect(throws: RequestError.tooManyStreams(limit: 1)) {
            try limiter.acquire(for: try Self.client("192.0.2.1"))
        }
    }
}
