// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import Testing

/// Connections whose clients are slow, to a server that gives them a second or three.
@Suite(.timeLimit(.minutes(1))) struct DeadlineTests {
    let board = Noticeboard()

    private func serve(head: UInt32 = 3, descriptors: Int? = nil) throws -> Server {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.answer) = (head, 1, 1)
        return try board.serve(descriptors: descriptors, connectionLimits: limits)
    }

    private let slowField = "GET /note HTTP/1.1\r\nX-Slow: " + String(repeating: "x", count: 300)

    @Test func `a connection that never asks ends`() async throws {
        let server = try serve()
        #expect(try RawClient(server.address).receiveAll() == "")
        await server.stop(within: .seconds(5))
    }

    @Test func `a head that comes byte by byte ends in 408`() async throws {
        let server = try serve()
        let answer = try RawClient(server.address).trickle(slowField)
        #expect(answer.hasPrefix("HTTP/1.1 408 ") && answer.hasSuffix("too slow"))
        await server.stop(within: .seconds(5))
    }

    @Test func `so does one on a connection that has asked before`() async throws {
        let server = try serve()
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        #expect(try client.trickle(slowField).hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body that comes byte by byte ends in 408`() async throws {
        let server = try serve()
        let client = try RawClient(server.address)
        client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300\r\n\r\n")
        #expect(try client.trickle(String(repeating: "x", count: 299)).hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body that does not go on ends in 408, also after a rest`() async throws {
        let server = try serve(head: 600)
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        try await Task.sleep(for: .seconds(4))
        client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 300\r\n\r\nx")
        #expect(try client.receiveAll().hasPrefix("HTTP/1.1 408 "))
        await server.stop(within: .seconds(5))
    }

    @Test func `an answer that is not taken ends, and makes room for others`() async throws {
        let server = try serve(descriptors: 84)
        let slow = try (0..<2).map { _ in try RawClient(server.address, receiveBuffer: 2_048) }
        for client in slow {
            client.get("/large")
            _ = try client.receive(until: "\r\n\r\n")
        }
        // There is room for two.
        while true {
            let other = try RawClient(server.address)
            other.send("GET /note HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
            if try other.receiveAll().hasPrefix("HTTP/1.1 200") { break }
        }
        #expect(try slow.contains { try $0.receiveAll().utf8.count < Noticeboard.large / 2 })
        await server.stop(within: .seconds(5))
    }

    @Test func `beyond the limit of waiting bytes, clients that take nothing are closed`() async throws {
        var limits = ConnectionLimits.patient
        limits.waitingBytes = 3 * Noticeboard.large / 2
        let server = try board.serve(connectionLimits: limits)
        let slow = try (0..<3).map { _ in try RawClient(server.address, receiveBuffer: 2_048) }
        for client in slow {
            client.get("/large")
            client.halfClose()
        }
        // All have a head or are closed: from now on nothing is decided any more.
        for client in slow { _ = try? client.receive(until: "\r\n\r\n") }
        let lengths = try slow.map { try $0.receiveAll().utf8.count }
        #expect(lengths.filter { $0 > Noticeboard.large / 2 }.count == 1)
        let other = try RawClient(server.address)
        other.get("/note")
        #expect(try other.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `who waits for us, listens or talks is not ended`() async throws {
        let server = try serve(head: 600)
        let waiting = try RawClient(server.address)
        waiting.get("/later")
        var arrivals = board.arrivals.makeAsyncIterator()
        let deferred = try #require(await arrivals.next())
        let stream = try RawClient(server.address)
        stream.get("/events")
        _ = try stream.receive(until: "retry:")
        let socket = try RawClient(server.address)
        socket.upgrade()
        _ = try socket.receive(until: "\r\n\r\n")
        try await Task.sleep(for: .seconds(4))

        deferred.complete(Response(status: 200, body: Array("at last".utf8)))
        #expect(try waiting.receive(until: "at last").hasPrefix("HTTP/1.1 200"))
        board.post("still here")
        #expect(try stream.receive(until: "still here").contains("event: note"))
        #expect(try socket.receive(until: "still here").contains("jsonrpc"))
        await server.stop(within: .seconds(5))
    }
}
