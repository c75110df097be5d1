// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct RequestTests {
    let app = TestApplication()

    @Test func `a connection serves several requests, also pipelined`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        for _ in 0..<100 {
            client.get("/note")
            #expect(try client.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        }
        let request = "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 3\r\n\r\n"
        client.send(request + "one" + request + "two")
        let received = try client.receive(until: "two")
        #expect(received.contains("one"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body may arrive in chunks and in parts, and its connection ends`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        for piece in [
            "POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Enc", "oding: chunked\r\n\r\n3\r\nab", "c\r\n",
        ] {
            client.send(piece)
        }
        client.send("4\r\ndefg\r\n0\r\n\r\nGET /note HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = try client.receiveAll()
        #expect(received.hasPrefix("HTTP/1.1 200"))
        #expect(received.hasSuffix("abcdefg"), "a chunked request is the last of its connection")
        #expect(received.contains("\r\nConnection: close\r\n"))
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [
        ("Host: a\r\nHost: b\r\n", "more than one Host"),
        ("Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n", "more than one Content-Length"),
        ("Host: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n", "both"),
        // libmicrohttpd 1.0 rejects it by itself, in other words.
        ("Host: a\r\nTransfer-Encoding: gzip\r\n", "Transfer-Encoding"),
        ("Host: a\r\nbad(name: x\r\n", "not a token"),
    ])
    func `an ambiguous message is rejected and its connection closed`(
        fields: String,
        reason: String
    ) async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.send("POST /echo HTTP/1.1\r\n\(fields)\r\nGET /note HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = try client.receiveAll()
        #expect(received.hasPrefix("HTTP/1.1 400"))
        #expect(received.contains(reason))
        #expect(received.contains("\r\nConnection: close\r\n"))
        #expect(!received.contains("noted"))
        await server.stop(within: .seconds(5))
    }

    @Test(arguments: [
        (String(repeating: "a", count: 2_100), "", "longTarget"),
        ("note", "Cookie: " + String(repeating: "c", count: 8_200) + "\r\n", "largeHead"),
    ])
    func `a target, head or body over its limit is rejected`(path: String, field: String, fault: String) async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.send("GET /\(path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(field)\r\n")
        #expect(try client.receiveAll().contains(fault))
        await server.stop(within: .seconds(5))
    }

    @Test func `a body over the limit is discarded, and the connection continues`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        let body = String(repeating: "x", count: 1_000_000)
        client.send("POST /echo HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\n\r\n\(body)")
        #expect(try client.receive(until: "largeBody").hasPrefix("HTTP/1.1 400"))
        client.get("/note")
        #expect(try client.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a server full of idle connections accepts again when one is closed`() async throws {
        let server = try app.serve(descriptors: 84)
        let idle = try (0..<2).map { _ in try RawClient(server.address) }
        for client in idle {
            client.get("/note")
            _ = try client.receive(until: "noted")
        }
        let waiting = try RawClient(server.address)
        waiting.get("/note")
        idle[0].halfClose()
        #expect(try waiting.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
        withExtendedLifetime(idle) {}
    }

    /// libmicrohttpd aborts the process when it is stopped with a suspended connection.
    @Test(arguments: [Duration.zero, .seconds(5)])
    func `a stop answers a waiting request, also with no time left`(limit: Duration) async throws {
        let server = try app.serve()
        let waiting = try RawClient(server.address)
        waiting.get("/later")
        var arrivals = app.arrivals.makeAsyncIterator()
        let deferred = try #require(await arrivals.next())
        await server.stop(within: limit)
        #expect(try waiting.receiveAll().hasSuffix("gave up"))
        #expect(deferred.isComplete)
    }

    @Test func `a server that stopped accepting still serves open connections`() async throws {
        let server = try app.serve(shards: 2)
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        server.stopAccepting()
        _ = await server.counts()
        #expect(throws: (any Error).self) { try RawClient(server.address) }
        client.get("/note")
        #expect(try client.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `rejected connections stay counted after a server stopped accepting`() async throws {
        let server = try app.serve(clientConnections: ClientLimit(1))
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        let rejected = try RawClient(server.address)
        #expect(try rejected.receiveAll().contains("tooManyConnections"))
        server.stopAccepting()
        #expect(await server.counts().map(\.refused) == [1])
        await server.stop(within: .seconds(5))
        withExtendedLifetime(client) {}
    }

    @Test func `a deferred response delays only its own request`() async throws {
        let server = try app.serve()
        let waiting = try RawClient(server.address)
        waiting.get("/later")
        var arrivals = app.arrivals.makeAsyncIterator()
        let deferred = try #require(await arrivals.next())

        let other = try RawClient(server.address)
        other.get("/note")
        #expect(try other.receive(until: "noted").hasPrefix("HTTP/1.1 200"))

        deferred.complete(Response(status: 200, body: Array("at last".utf8)))
        deferred.complete(Response(status: 500, body: Array("too late".utf8)))
        #expect(try waiting.receive(until: "at last").hasPrefix("HTTP/1.1 200"))
        waiting.get("/note")
        #expect(try waiting.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a deferred response that is not completed times out`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.get("/soon")
        #expect(try client.receive(until: "gave up").hasPrefix("HTTP/1.1 202"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a shutdown answers waiting requests`() async throws {
        let server = try app.serve()
        let clients = try (0..<20).map { _ in try RawClient(server.address) }
        var arrivals = app.arrivals.makeAsyncIterator()
        for client in clients {
            client.get("/later")
            _ = await arrivals.next()
        }
        await server.stop(within: .seconds(5))
        for client in clients { #expect(try client.receiveAll().hasSuffix("gave up")) }
    }

    @Test func `a long turn postpones requests to the next turn, and all are answered`() async throws {
        let server = try app.serve()
        let clients = try (0..<20).map { _ in try RawClient(server.address) }
        for client in clients {
            client.get("/note")
            _ = try client.receive(until: "noted")
        }
        let quick = try RawClient(server.address)
        quick.get("/note")
        _ = try quick.receive(until: "noted")
        // All of them arrive during the first.
        app.holdSlowReplies(true)
        clients[0].get("/slow")
        while app.slow.all == 0 { try await Task.sleep(for: .milliseconds(1)) }
        for client in clients.dropFirst() { client.get("/slow") }
        quick.get("/note")
        app.holdSlowReplies(false)
        _ = try quick.receive(until: "noted")
        for client in clients { #expect(try client.receive(until: "at last").hasPrefix("HTTP/1.1 200")) }
        #expect(app.slow.mostInATurn == 1)
        #expect(app.slow.beforeNote <= 2)
        for client in clients { client.get("/slow") }
        _ = try clients[0].receive(until: "at last")
        await server.stop(within: .seconds(5))
        for client in clients.dropFirst() { #expect(try client.receiveAll().hasSuffix("at last")) }
    }

    @Test func `requests are answered however many events there are`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.get("/note")
        _ = try client.receive(until: "noted")
        app.postEndlessly(true)
        client.get("/note")
        _ = try client.receive(until: "noted")
        client.get("/slow")
        _ = try client.receive(until: "at last")
        app.postEndlessly(false)
        await server.stop(within: .seconds(5))
    }

    @Test func `HEAD has the head of GET and no body`() async throws {
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.send("HEAD /note HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        let received = try client.receiveAll()
        #expect(received.contains("\r\nContent-Length: 5\r\n"))
        #expect(received.hasSuffix("\r\n\r\n"))
        await server.stop(within: .seconds(5))
    }

    @Test func `HEAD of a stream returns only a head and needs no stream capacity`() async throws {
        let server = try app.serve(descriptors: 84)
        for _ in 0..<40 {
            let client = try RawClient(server.address)
            client.send("HEAD /events HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            let received = try client.receiveAll()
            #expect(received.hasPrefix("HTTP/1.1 200"))
            #expect(received.contains("Content-Type: text/event-stream"))
            #expect(received.hasSuffix("\r\n\r\n") && !received.hasSuffix("0\r\n\r\n"))
        }
        await server.stop(within: .seconds(5))
    }
}
