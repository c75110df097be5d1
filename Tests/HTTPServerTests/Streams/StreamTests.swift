// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct StreamTests {
    let app = TestApplication()

    /// A stream whose head and greeting have been read.
    private func stream(_ server: Server, _ path: String = "/events", mark: String = "\n\n\r\n") throws -> RawClient {
        let client = try RawClient(server.address)
        client.get(path)
        _ = try client.receive(until: mark)
        return client
    }

    /// Posts this many changes, each after this reader has received the previous one, so that none is conflated.
    private func post(_ changes: Int, in reader: RawClient, padding: Int) throws {
        for number in 1...changes {
            app.post("change \(number)", padding: padding)
            #expect(try !reader.receiveEvent(containing: "change \(number)\"").contains("skipped"))
        }
    }

    @Test func `a stream begins with its head, then the retained events`() async throws {
        app.post("first")
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.get("/events")
        let greeting = try client.receive(until: "\"first\"")
        #expect(greeting.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(greeting.contains("\r\nContent-Type: text/event-stream\r\n"))
        #expect(greeting.contains("\r\nCache-Control: no-cache, no-transform\r\n"))
        #expect(greeting.contains("\r\nTransfer-Encoding: chunked\r\n"))
        #expect(greeting.contains("\nid: e-1\n"))
        await server.stop(within: .seconds(5))
    }

    /// The design depends on this: libmicrohttpd forgets a stream's connection, and the stream stays open. The capacity
    /// is two connections, of which an idle one needs one. Otherwise eighteen streams would block the server.
    @Test func `a stream outlives libmicrohttpd's connection`() async throws {
        let server = try app.serve(descriptors: 84)
        let plain = try RawClient(server.address)
        plain.get("/note")
        #expect(try plain.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        let clients = try (0..<18).map { _ in try stream(server) }
        plain.get("/note")
        #expect(try plain.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        app.post("to all")
        for client in clients { #expect(try client.receive(until: "\"to all\"").contains("event: note\n")) }
        await server.stop(within: .seconds(5))
    }

    @Test func `a stream over the capacity is rejected, and accepted when another has ended`() async throws {
        let server = try app.serve(descriptors: 84)
        var clients = try (0..<18).map { _ in try stream(server) }
        let refused = try RawClient(server.address)
        refused.get("/events")
        #expect(try refused.receive(until: "full").hasPrefix("HTTP/1.1 503"))

        let leaving = clients.removeFirst()
        leaving.halfClose()
        // The server has closed its end, so the slot is free.
        _ = try leaving.receiveAll()
        refused.get("/events")
        #expect(try refused.receive(until: "retry: ").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    /// Independent of the shards, among which the kernel spreads connections.
    @Test func `a client is limited to its streams, and may open another when one has ended`() async throws {
        let server = try app.serve(shards: 2, clientLimit: ClientLimit(8))
        var clients = try (0..<8).map { _ in try stream(server) }
        let refused = try RawClient(server.address)
        refused.get("/events")
        let refusal = try refused.receive(until: "enough")
        #expect(refusal.hasPrefix("HTTP/1.1 429") && refusal.contains("\r\nRetry-After: 10\r\n"))
        refused.get("/note")
        #expect(try refused.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        let webSocket = try RawClient(server.address)
        webSocket.upgrade()
        #expect(try webSocket.receive(until: "enough").hasPrefix("HTTP/1.1 429"))

        let leaving = clients.removeFirst()
        leaving.halfClose()
        _ = try leaving.receiveAll()
        webSocket.upgrade()
        #expect(try webSocket.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a stream that is refused to a chunked request ends its connection`() async throws {
        let server = try app.serve(clientLimit: ClientLimit(1))
        let open = try stream(server)
        let refused = try RawClient(server.address)
        let chunked = "GET /events HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
        refused.send(chunked + "GET /note HTTP/1.1\r\nHost: a\r\n\r\n")
        let received = try refused.receiveAll()
        #expect(received.hasPrefix("HTTP/1.1 429") && received.contains("\r\nConnection: close\r\n"))
        #expect(!received.contains("noted"))
        await server.stop(within: .seconds(5))
        withExtendedLifetime(open) {}
    }

    /// New streams in the places of earlier ones are not closed when epoll reports the end of those.
    @Test func `the end of one stream does not end another`() async throws {
        let server = try app.serve()
        var clients = try (0..<8).map { _ in try stream(server) }
        for round in 0..<5 {
            for index in stride(from: round % 2, to: clients.count, by: 2) {
                let leaving = clients[index]
                leaving.halfClose()
                _ = try leaving.receiveAll()
                clients[index] = try stream(server)
            }
            app.post("round \(round)")
            for client in clients { #expect(try client.receive(until: "\"round \(round)\"").contains("event: note")) }
        }
        await server.stop(within: .seconds(5))
    }

    @Test func `HTTP/1.0 receives the event stream without chunks`() async throws {
        app.post("plain")
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.get("/events", version: "1.0")
        let head = try client.receive(until: "\"plain\",\"pad\":\"\"}\n\n")
        #expect(!head.contains("Transfer-Encoding"))
        app.post("news")
        #expect(try client.receive(until: "\n\n") == "event: note\nid: e-2\ndata: {\"text\":\"news\",\"pad\":\"\"}\n\n")
        await server.stop(within: .seconds(5))
        let end = try client.receiveAll()
        #expect(end.hasPrefix("retry: ") && end.hasSuffix("\n\n"))
    }

    @Test func `a filter excludes other subjects`() async throws {
        let server = try app.serve()
        let client = try stream(server, "/events?key=mine")
        app.post("not for you", key: "theirs")
        app.post("for you", key: "mine")
        let received = try client.receive(until: "for you")
        #expect(!received.contains("not for you"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a client that has the newest event does not receive it again`() async throws {
        app.post("old")
        let server = try app.serve()
        let client = try stream(server, "/events?after=1")
        app.post("new")
        let received = try client.receive(until: "\"new\"")
        #expect(!received.contains("\"old\""))
        await server.stop(within: .seconds(5))
    }

    /// The kernel buffers some hundred kilobytes. The rest of forty megabytes must not be queued anywhere.
    @Test func `a slow reader receives the newest event and the number of skipped ones`() async throws {
        let server = try app.serve()
        let slow = try RawClient(server.address, receiveBuffer: 4_096)
        slow.get("/events")
        let fast = try stream(server)
        try post(10_000, in: fast, padding: 4_000)
        let received = try slow.receiveEvent(containing: "change 10000\"")
        let events = received.components(between: "{\"text\":\"change ", "\"").compactMap { Int($0) }
        #expect(events.last == 10_000)
        #expect(events == events.sorted())
        #expect(events.count < 1_000)
        let skipped = received.components(between: "\"skipped\":", "}").compactMap { Int($0) }
        #expect(skipped.reduce(0, +) + events.count == 10_000)
        await server.stop(within: .seconds(5))
    }

    @Test func `a shutdown ends every stream with a retry and the end of the body`() async throws {
        let server = try app.serve(shards: 2)
        let clients = try (0..<50).map { _ in try stream(server) }
        await server.stop(within: .seconds(5))
        for client in clients {
            let end = try client.receiveAll()
            let retry = try #require(end.components(between: "retry: ", "\n").first.flatMap { Int($0) })
            #expect((1_000...5_000).contains(retry))
            #expect(end.hasSuffix("\r\n0\r\n\r\n"))
        }
    }

    @Test func `a slow client receives the newest event before the end at a shutdown`() async throws {
        let server = try app.serve()
        let slow = try RawClient(server.address, receiveBuffer: 4_096)
        slow.get("/events")
        let fast = try stream(server)
        try post(300, in: fast, padding: 4_000)
        server.drain(within: .seconds(9))
        #expect(try fast.receiveAll().hasSuffix("\r\n0\r\n\r\n"))
        let received = try slow.receiveAll()
        #expect(received.contains("change 300\""))
        #expect(received.contains("\"skipped\":"))
        #expect(received.hasSuffix("\r\n0\r\n\r\n"))
        #expect(received.ranges(of: "\r\n0\r\n\r\n").count == 1)
        await server.stop(within: .seconds(9))
    }

    @Test func `a shutdown does not wait for clients that read nothing`() async throws {
        let server = try app.serve()
        let stalled = try RawClient(server.address, receiveBuffer: 4_096)
        stalled.get("/events")
        let reader = try stream(server)
        try post(100, in: reader, padding: 16_000)
        await server.stop(within: .milliseconds(300))
        #expect(try reader.receiveAll().hasSuffix("\r\n0\r\n\r\n"))
        withExtendedLifetime(stalled) {}
    }

    /// A thousand changes per second, while clients of both kinds disconnect at random moments in every way.
    @Test(arguments: [1, 2, 3]) func `clients that go at random leave nothing`(seed: UInt64) async throws {
        let places = 18
        let server = try app.serve(shards: 1, descriptors: 84)
        await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                for number in 0..<500 {
                    app.post("change \(number)", key: "key-\(number % 3)", padding: 500)
                    try await Task.sleep(for: .milliseconds(1))
                }
            }
            for worker in 0..<4 {
                group.addTask {
                    var random = SplitMix(seed: seed &* 97 &+ UInt64(worker))
                    for _ in 0..<60 {
                        let client = try RawClient(server.address)
                        if Bool.random(using: &random) { client.get("/events") } else { client.upgrade() }
                        switch Int.random(in: 0..<4, using: &random) {
                        case 0: break
                        case 1: _ = try client.receive(until: "\r\n\r\n")
                        case 2: client.halfClose()
                        default:
                            _ = try client.receive(until: "\r\n\r\n")
                            client.halfClose()
                            _ = try client.receiveAll()
                        }
                    }
                }
            }
        }
        // Every slot is free again when the last end has been noticed.
        var clients: [RawClient] = []
        for _ in 0..<100_000 where clients.count < places {
            let client = try RawClient(server.address)
            client.get("/events")
            if try client.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 200") { clients.append(client) }
        }
        #expect(clients.count == places)
        await server.stop(within: .seconds(5))
    }

    /// Mainly for the Thread Sanitizer: several threads post while streams open and close.
    @Test func `streams open and close while threads post`() async throws {
        let server = try app.serve(shards: 2)
        await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    for number in 0..<500 { app.post("\(worker)-\(number)", key: "key-\(number % 5)") }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<60 { _ = try stream(server) }
                }
            }
        }
        app.post("the end")
        let client = try RawClient(server.address)
        client.get("/events")
        #expect(try client.receive(until: "\"the end\"").contains("event: note"))
        await server.stop(within: .seconds(5))
    }
}

extension String {
    /// The texts between each `start` and the next `end`.
    fileprivate func components(between start: String, _ end: String) -> [String] {
        ranges(of: start).compactMap { range in
            self[range.upperBound...].firstRange(of: end).map { String(self[range.upperBound..<$0.lowerBound]) }
        }
    }
}
