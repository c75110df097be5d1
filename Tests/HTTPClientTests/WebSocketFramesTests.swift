// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import Testing

@Suite struct WebSocketFramesTests {
    private func read(_ pieces: [[UInt8]], limit: Int = 1_000) -> (messages: [WebSocketFrames.Message], isInvalid: Bool)
    {
        var frames = WebSocketFrames(longestMessage: limit)
        var messages: [WebSocketFrames.Message] = []
        for piece in pieces {
            frames.append(piece[...])
            while let message = frames.next() { messages.append(message) }
        }
        return (messages, frames.isInvalid)
    }

    @Test func `a client's frame has a mask`() {
        let bytes = WebSocketFrames.frame(.text, Array("Hello".utf8), mask: [0x37, 0xFA, 0x21, 0x3D])
        #expect(bytes == [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58])
        #expect(WebSocketFrames.frame(.text, [UInt8](repeating: 0, count: 126)).prefix(4) == [0x81, 0xFE, 0, 126])
        let long = WebSocketFrames.frame(.text, [UInt8](repeating: 0, count: 65_536))
        #expect(long.prefix(10) == [0x81, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0])
    }

    @Test func `messages are complete in any pieces, with a ping between the frames of one`() {
        let bytes: [UInt8] = [0x01, 2, 0x61, 0x62, 0x89, 1, 0x70, 0x80, 1, 0x63, 0x81, 0]
        let expected: [WebSocketFrames.Message] = [
            .init(opcode: .ping, payload: [0x70]), .init(opcode: .text, payload: Array("abc".utf8)),
            .init(opcode: .text, payload: []),
        ]
        #expect(read([bytes]).messages == expected)
        #expect(read(bytes.map { [$0] }).messages == expected)
    }

    @Test(
        arguments: [
            [0x81, 0x80, 0, 0, 0, 0], [0xC1, 0], [0x83, 0], [0x80, 0], [0x01, 0, 0x81, 0], [0x09, 0],
            [0x89, 126, 0, 126], [0x81, 127, 0, 0, 0, 1, 0, 0, 0, 0],
            [0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255], [0x81, 126, 0x03, 0xE9],
        ] as [[UInt8]]
    )
    func `what breaks the protocol, or is too long, is not read`(bytes: [UInt8]) {
        let (messages, isInvalid) = read([bytes + [UInt8](repeating: 0, count: 126)])
        #expect(isInvalid)
        #expect(messages.isEmpty)
    }
}
