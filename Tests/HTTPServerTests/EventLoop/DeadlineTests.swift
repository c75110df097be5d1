// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import TestSupport
import Testing

/// Slow clients of a server that waits a second for a body and an answer, and six for a head, since a busy machine may
/// pause a client between its connection and its request.
@Suite(.timeLimit(.minutes(10))) struct DeadlineTests {
    let app = TestApplication()

    private func serve(head: UInt32 = 6, descriptors: Int? = nil) throws -> Server {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.response) = (head, 1, 1)
        return try app.serve(descriptors: descriptors, connectionLimits: limits)
    }

    /// Returns once the server has disconnected the client, so after more than its limits of a body and an answer.
    private func stall(_ client: RawClient) throws {
        client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300\r\n\r\nx")
        #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
    }

    private let slowField = "GET /note HTTP/1.1\r\nX-Slow: " + String(repeating: "x", count: 300)

    @Test func `a connection without a request is closed`() async throws {
        let server = try serve(head: 3)
        #expect(try RawClient(server.address).receiveAll() == "")
        await server.stop(within: .seconds(5))
    }

    @Test func `a head that arrives byte by byte is answered with 408`() async throws {
        let server = try serve()
        let answer = try RawClient(server.address).trickle(slowField)
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.hasSuffix("too slow"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a head that stalls after its first bytes is answered with 408`() async throws {
        let server = try serve()
        let client = try RawClient(server.address)
        client.send("GET /note HTTP/1.1\r\nX-Slow: ")
        #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `a later head that arrives byte by byte is answered with 408`() async throws {
        let server = try serve()
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        #expect(try client.trickle(slowField).hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body that arrives byte by byte is answered with 408`() async throws {
        let server = try serve(head: 600)
        let client = try RawClient(server.address)
        client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300\r\n\r\n")
        #expect(try client.trickle(String(repeating: "x", count: 299)).hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body that stalls is answered with 408, also on a connection that was idle`() async throws {
        let server = try serve(head: 600)
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        for client in [try RawClient(server.address), client] { try stall(client) }
        await server.stop(within: .seconds(5))
    }

    @Test func `a connection whose response is not read is closed and frees its capacity`() async throws {
        let server = try serve(head: 600, descriptors: 84)
        let slow = try (0..<2).map { _ in try RawClient(server.address, receiveBuffer: 2_048) }
        for client in slow {
            client.get("/large")
            _ = try client.receive(until: "\r\n\r\n")
        }
        // The capacity is two connections.
        while true {
            let other = try RawClient(server.address)
            other.send("GET /note HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            if try other.receiveAll().hasPrefix("HTTP/1.1 200") { break }
        }
        #expect(try slow.contains { try $0.receiveAll().utf8.count < TestApplication.large / 2 })
        await server.stop(within: .seconds(5))
    }

    @Test func `beyond the limit of unread bytes, clients that read nothing are disconnected`() async throws {
        var limits = ConnectionLimits.patient
        limits.waitingBytes = 3 * TestApplication.large / 2
        let server = try app.serve(connectionLimits: limits)
        let slow = try (0..<3).map { _ in try RawClient(server.address, receiveBuffer: 2_048) }
        for client in slow {
            client.get("/large")
            client.halfClose()
        }
        // All have a head or are closed: the outcome is decided.
        for client in slow { _ = try? client.receive(until: "\r\n\r\n") }
        let lengths = try slow.map { try $0.receiveAll().utf8.count }
        #expect(lengths.filter { $0 > TestApplication.large / 2 }.count == 1)
        let other = try RawClient(server.address)
        other.get("/note")
        #expect(try other.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `connections that wait for a response, stream or use a WebSocket are not closed`() async throws {
        let server = try serve(head: 600)
        let waiting = try RawClient(server.address)
        waiting.get("/later")
        var arrivals = app.arrivals.makeAsyncIterator()
        let deferred = try #require(await arrivals.next())
        let stream = try RawClient(server.address)
        stream.get("/events")
        _ = try stream.receive(until: "retry:")
        let socket = try RawClient(server.address)
        socket.upgrade()
        _ = try socket.receive(until: "\r\n\r\n")
        for _ in 0..<2 { try stall(RawClient(server.address)) }

        deferred.complete(Response(status: 200, body: Array("at last".utf8)))
        #expect(try waiting.receive(until: "at last").hasPrefix("HTTP/1.1 200"))
        app.post("still here")
        #expect(try stream.receive(until: "still here").contains("event: note"))
        #expect(try socket.receive(until: "still here").contains("jsonrpc"))
        await server.stop(within: .seconds(5))
    }
}
