// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Load

@Suite struct FrameReaderTests {
    private static let head =
        "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        + "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n"
    /// A short message, a ping, one whose length has 16 bits.
    private static let frames: [UInt8] =
        [0x81, 3] + Array("one".utf8) + [0x89, 0] + [0x81, 126, 0, 200] + [UInt8](repeating: 0x78, count: 200)

    /// The messages of a WebSocket that arrives in parts, and how often it was pinged.
    private static func read(_ parts: [[UInt8]]) throws -> (messages: [String], pings: Int) {
        var reader = FrameReader()
        var messages: [String] = []
        var pings = 0
        for part in parts {
            let isPinged = try part.withUnsafeBytes { bytes in
                try reader.read(bytes) { messages.append(String(decoding: $0, as: UTF8.self)) }
            }
            if isPinged { pings += 1 }
        }
        return (messages, pings)
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1_000])
    func `messages are whole wherever reads are cut`(size: Int) throws {
        let (messages, pings) = try Self.read((Array(Self.head.utf8) + Self.frames).chunks(of: size))
        #expect(messages == ["one", String(repeating: "x", count: 200)])
        #expect(pings == 1)
    }

    @Test(arguments: [
        Array("HTTP/1.1 426 Upgrade Required\r\n\r\n".utf8),
        Array("HTTP/1.1 101 Switching Protocols\r\nSec-WebSocket-Accept: wrong\r\n\r\n".utf8),
        Array(head.utf8) + [0x88, 2, 3, 0xE8],
    ])
    func `a response that is not an open WebSocket is rejected`(bytes: [UInt8]) {
        #expect(throws: LoadError.self) { try Self.read([bytes]) }
    }
}
