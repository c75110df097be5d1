// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Load

@Suite struct EventReaderTests {
    private static let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let stream =
        head + "d\r\nretry: 2000\n\n\r\n" + "14\r\nid: 1\ndata: one\n\nid:\r\nb\r\n 2\ndata: 2\n\r\n1\r\n\n\r\n"

    /// The events of a stream that arrives in parts.
    private static func events(_ parts: [[UInt8]]) throws -> [String] {
        var reader = EventReader()
        var events: [String] = []
        for part in parts {
            var part = part
            try part.withUnsafeMutableBytes {
                try reader.read($0) { events.append(String(decoding: $0, as: UTF8.self)) }
            }
        }
        return events
    }

    @Test(arguments: 1...stream.utf8.count)
    func `events are whole wherever reads and chunks are cut`(size: Int) throws {
        let events = try Self.events(Array(Self.stream.utf8).chunks(of: size))
        #expect(events == ["retry: 2000", "id: 1\ndata: one", "id: 2\ndata: 2"])
    }

    @Test func `a stream may have no chunks`() throws {
        let bytes = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n: hi\n\nid: 1\ndata: one\n\nid: 2"
        #expect(try Self.events([Array(bytes.utf8)]) == [": hi", "id: 1\ndata: one"])
    }

    @Test(arguments: [
        "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
        head + "0\r\n\r\n",
    ])
    func `a response that is not an endless stream is rejected`(answer: String) {
        #expect(throws: LoadError.self) { try Self.events([Array(answer.utf8)]) }
    }
}
