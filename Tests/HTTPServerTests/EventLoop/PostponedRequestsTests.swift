// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct PostponedRequestsTests {
    private var postponed = PostponedRequests()
    private let clients: [ClientAddress]

    init() throws { clients = try (1...3).map { try ClientAddress(host: "192.0.2.\($0)") } }

    /// A connection that is never looked at.
    private func connection(_ number: Int) throws -> OpaquePointer {
        try #require(OpaquePointer(bitPattern: 4_096 * number))
    }

    private mutating func postpone(_ number: Int, of client: Int) throws {
        postponed.postpone(try connection(number), of: clients[client])
    }

    private mutating func resume(_ count: Int) -> [Int] {
        postponed.resume(atMost: count).map { Int(bitPattern: $0) / 4_096 }
    }

    @Test mutating func `clients take turns, and each one's requests keep their order`() throws {
        for number in 1...5 { try postpone(number, of: 0) }
        try postpone(6, of: 1)
        try postpone(7, of: 2)
        try postpone(8, of: 2)
        #expect(resume(4) == [1, 6, 7, 2])
        #expect(resume(.max) == [8, 3, 4, 5])
        #expect(postponed.isEmpty)
        #expect(resume(1) == [])
    }

    @Test mutating func `a request that was resumed in vain comes first again`() throws {
        for number in 1...3 { try postpone(number, of: 0) }
        try postpone(4, of: 1)
        #expect(resume(2) == [1, 4])
        #expect(postponed.isResumed(try connection(1)))
        postponed.remove(try connection(4))
        try postpone(1, of: 0)
        #expect(!postponed.isResumed(try connection(1)))
        #expect(resume(.max) == [1, 2, 3])
    }

    @Test mutating func `the last request of a client comes first again, too`() throws {
        try postpone(1, of: 0)
        #expect(resume(1) == [1])
        try postpone(2, of: 1)
        try postpone(1, of: 0)
        #expect(resume(.max) == [1, 2])
    }
}
