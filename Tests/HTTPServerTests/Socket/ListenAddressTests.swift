// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct ListenAddressTests {
    @Test(arguments: [
        ("127.0.0.1:8787", "127.0.0.1:8787", true),
        ("localhost:80", "127.0.0.1:80", true),
        (":9000", "127.0.0.1:9000", true),
        ("0.0.0.0", "0.0.0.0:8787", false),
        ("[::1]:0", "[::1]:0", true),
        ("[::]:8787", "[::]:8787", false),
        ("::1", "[::1]:8787", true),
        ("192.168.1.7:8787", "192.168.1.7:8787", false),
    ])
    func `the parser reads listen addresses`(text: String, address: String, isLoopback: Bool) throws {
        let read = try #require(ListenAddress(text))
        #expect(read.description == address)
        #expect(read.isLoopback == isLoopback)
    }

    @Test(arguments: [
        "example.org:80", "127.0.0.1:", "127.0.0.1:65536", "127.0.0.1:-1", "[::1", "1.2.3", "a b", "[::1]x:1",
        "127.0.0.1\0.example.org:80",
    ])
    func `the parser rejects other texts`(text: String) {
        #expect(ListenAddress(text) == nil)
    }

    @Test func `a port that another process listens on is not shared`() async throws {
        let app = TestApplication()
        let server = try app.serve()
        #expect(throws: ServerError.addressInUse(server.address)) {
            try Server(Server.Configuration(address: server.address)) { _ in fatalError("must not start") }
        }
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [(20_000, 2), (1_024, 2), (256, 1), (64, 4)])
    func `the parts of the descriptor budget fit its total`(descriptors: Int, shards: Int) {
        let budget = DescriptorBudget(descriptors: descriptors, shards: shards)
        #expect(budget.connectionsPerShard >= 2)
        #expect(budget.streams >= 1)
        if descriptors > 200 { #expect(budget.connectionsPerShard * shards + budget.streams <= descriptors - 64) }
    }
}
