// SPDX-License-Identifier: Apache-2.0
import Glibc
import Testing

@testable import HTTPServer

@Suite struct StreamRoomTests {
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
    func `these are one client`(one: String, other: String, areOne: Bool) throws {
        #expect(try (Self.client(one) == Self.client(other)) == areOne)
    }

    @Test(arguments: [
        ("127.0.0.1", true), ("127.255.3.2", true), ("::1", true), ("::ffff:127.0.0.1", true),
        ("192.0.2.127", false), ("126.0.0.1", false), ("2001:db8::1", false), ("fe80::1", false),
        ("::ffff:192.0.2.1", false),
    ])
    func `this is the same machine`(host: String, isLoopback: Bool) throws {
        #expect(try Self.client(host).isLoopback == isLoopback)
    }

    @Test func `one client's streams take nobody else's places`() throws {
        let room = StreamRoom(for: 5, limit: ClientLimit(2))
        let (one, other) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.2"))
        for client in [one, one, other, other] { try room.take(for: client) }
        #expect(throws: RequestFault.tooManyStreams) { try room.take(for: one) }
        room.giveBack(of: one)
        try room.take(for: one)
        #expect(throws: RequestFault.tooManyStreams) { try room.take(for: one) }
    }

    @Test func `a refusal for want of room counts for nobody`() throws {
        let room = StreamRoom(for: 1, limit: ClientLimit(1))
        let (one, other) = (try Self.client("192.0.2.1"), try Self.client("192.0.2.2"))
        try room.take(for: one)
        #expect(throws: RequestFault.noRoom) { try room.take(for: other) }
        room.giveBack(of: one)
        try room.take(for: other)
    }

    @Test func `loopback may be spared`() throws {
        let room = StreamRoom(for: 9, limit: ClientLimit(1, sparesLoopback: true))
        for _ in 0..<4 { try room.take(for: try Self.client("127.0.0.1")) }
        for _ in 0..<4 { try room.take(for: .loopback) }
        try room.take(for: try Self.client("192.0.2.1"))
        #expect(throws: RequestFault.tooManyStreams) { try room.take(for: try Self.client("192.0.2.1")) }
    }
}
