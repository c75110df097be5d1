// SPDX-License-Identifier: Apache-2.0
import HTTPServer
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WebSocketTests {
    let app = TestApplication()

    /// Returns a text frame of a client, with a mask of zeros.
    private func frame(_ text: String) -> [UInt8] {
        [0x81, 0x80 | UInt8(text.utf8.count), 0, 0, 0, 0] + Array(text.utf8)
    }

    /// Opens a WebSocket that has sent a message and received its echo.
    private func open(_ server: Server) throws -> RawClient {
        let client = try RawClient(server.address)
        client.upgrade(early: frame("hello"))
        _ = try client.receive(until: "hello")
        return client
    }

    @Test func `a WebSocket begins with the accepted key, then retained events, then answers`() async throws {
        app.post("first")
        let server = try app.serve()
        let client = try RawClient(server.address)
        client.upgrade(early: frame("hello"))
        let received = try client.receive(until: "hello")
        #expect(received.hasPrefix("HTTP/1.1 101 Switching Protocols\r\n"))
        #expect(received.contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n"))
        #expect(received.lowercased().ranges(of: "connection: ").count == 1)
        let order = ["\r\n\r\n", "\"method\":\"note\"", "hello"].compactMap { received.firstRange(of: $0)?.lowerBound }
        #expect(order.count == 3 && order == order.sorted())
        client.send(frame("more"))
        #expect(try client.receive(until: "more").count == 6)
        await server.stop(within: .seconds(5))
    }

    /// The capacity is two connections, of which an idle one, older than all WebSockets, needs one.
    @Test func `libmicrohttpd frees the connections of WebSockets, also while an older connection is idle`()
        async throws
    {
        let server = try app.serve(descriptors: 84)
        let plain = try RawClient(server.address)
        plain.get("/note")
        #expect(try plain.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        for _ in 0..<10 {
            let clients = try (0..<18).map { _ in try open(server) }
            app.post("to all")
            for client in clients { _ = try client.receive(until: "\"to all\"") }
            for client in clients {
                client.halfClose()
                _ = try client.receiveAll()
            }
        }
        plain.get("/note")
        #expect(try plain.receive(until: "noted").hasPrefix("HTTP/1.1 200"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a WebSocket over the capacity is rejected like a stream`() async throws {
        let server = try app.serve(descriptors: 84)
        var clients = try (0..<18).map { _ in try open(server) }
        let refused = try RawClient(server.address)
        refused.upgrade()
        #expect(try refused.receive(until: "full").hasPrefix("HTTP/1.1 503"))
        let leaving = clients.removeFirst()
        leaving.halfClose()
        _ = try leaving.receiveAll()
        refused.upgrade()
        #expect(try refused.receive(until: "\r\n\r\n").hasPrefix("HTTP/1.1 101"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a deferred answer delays nothing else`() async throws {
        let server = try app.serve()
        let client = try open(server)
        client.send(frame("later") + frame("at once"))
        #expect(try !client.receive(until: "at once").contains("at last"))
        var arrivals = app.arrivals.makeAsyncIterator()
        let deferred = try #require(await arrivals.next())
        deferred.complete(Response(status: 200, body: Array("at last".utf8)))
        #expect(try client.receive(until: "at last").count == 9)
        await server.stop(within: .seconds(5))
    }

    @Test func `a shutdown sends pending events, then closes with 1001`() async throws {
        let server = try app.serve()
        let client = try open(server)
        // The answer to the second message shows that the first one waits. The test's task does not, since a WebSocket
        // whose client answers no ping for ten seconds is closed with 1011.
        client.send(frame("later") + frame("at once"))
        _ = try client.receive(until: "at once")
        app.post("the last")
        server.drain(within: .seconds(30))
        let received = try client.receiveAll()
        #expect(received.contains("\"the last\"") && received.contains("gave up"))
        // 1001 is 0x03E9; invalid UTF-8 is decoded as U+FFFD.
        #expect(received.hasSuffix("\u{FFFD}\u{2}\u{3}\u{FFFD}"))
        client.halfClose()
        await server.stop(within: .seconds(5))
    }

    @Test func `a changed subscription begins with its retained events`() async throws {
        app.post("theirs", key: "theirs")
        app.post("mine", key: "mine")
        let server = try app.serve()
        let client = try open(server)
        client.send(frame("only mine"))
        #expect(try !client.receive(until: "\"mine\"").contains("theirs"))
        app.post("theirs again", key: "theirs")
        app.post("mine again", key: "mine")
        #expect(try !client.receive(until: "mine again").contains("theirs"))
        await server.stop(within: .seconds(5))
    }

    @Test func `a slow client receives the newest event in whole frames`() async throws {
        let server = try app.serve()
        let slow = try RawClient(server.address, receiveBuffer: 4_096)
        slow.upgrade()
        let fast = try open(server)
        // Far more than the kernel's buffers, and before the time of a pong is over.
        for number in 1...100 {
            app.post("change \(number)", padding: 40_000)
            _ = try fast.receive(until: "change \(number)\"")
        }
        slow.send([0x89, 0x83, 0, 0, 0, 0] + Array("abc".utf8))
        app.post("the end")
        let received = try slow.receive(until: "\"the end\"")
        #expect(received.contains("\"skipped\":"))
        #expect(received.ranges(of: "{\"jsonrpc\":\"2.0\"").count < 100)
        // The pong is between two messages.
        let pong = try #require(received.firstRange(of: "\u{FFFD}\u{3}abc"))
        #expect(received[..<pong.lowerBound].hasSuffix("}}"))
        await server.stop(within: .seconds(5))
    }

    /// Mainly for the Thread Sanitizer: several threads post while WebSockets open, send and close.
    @Test func `WebSockets open and close while threads post`() async throws {
        let server = try app.serve(shards: 2)
        await withThrowingTaskGroup(of: Void.self) { group in
            for worker in 0..<3 {
                group.addTask {
                    for number in 0..<500 { app.post("\(worker)-\(number)", key: "key-\(number % 5)") }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    for _ in 0..<60 { _ = try open(server) }
                }
            }
            group.addTask {
                for _ in 0..<60 {
                    let client = try open(server)
                    client.send(frame("elsewhere"))
                    _ = try client.receive(until: "at last")
                }
            }
        }
        app.post("the end")
        let client = try RawClient(server.address)
        client.upgrade()
        #expect(try client.receive(until: "\"the end\"").contains("note"))
        await server.stop(within: .seconds(5))
    }
}
