// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPClient

@Suite struct ServerEventTests {
    private static let wire = """
        retry: 1855

        event: brightness
        id: 7f3a-1
        data: {"id":"DP-2"}

        : keep-alive

        event: display
        data: {
        data: }


        """
    private static let events = [
        ServerEvent(name: "brightness", id: "7f3a-1", data: #"{"id":"DP-2"}"#),
        ServerEvent(name: "display", id: "7f3a-1", data: "{\n}"),
    ]

    @Test(arguments: [1, 2, 3, 7, 1_000], ["\n", "\r\n"])
    func `the events do not depend on how the bytes are split`(length: Int, lineEnd: String) {
        let bytes = Array(Self.wire.replacing("\n", with: lineEnd).utf8)
        var parser = ServerEventParser()
        var events: [ServerEvent] = []
        for start in stride(from: 0, to: bytes.count, by: length) {
            events += parser.read(Array(bytes[start..<min(start + length, bytes.count)]))
        }
        #expect(events == Self.events)
        #expect(parser.retry == 1_855)
    }

    @Test(arguments: [("-1", 0), ("99999999999999", nil), ("soon", nil), ("0", 0)] as [(String, Int?)])
    func `a negative retry is 0, and an invalid or too large one is ignored`(text: String, milliseconds: Int?) {
        var parser = ServerEventParser()
        _ = parser.read(Array("retry: \(text)\n\n".utf8))
        #expect(parser.retry == milliseconds)
    }

    @Test(arguments: ["x", "data: x\n"])
    func `parsing stops for good at a line or an event that is too long`(piece: String) {
        var parser = ServerEventParser()
        let bytes = Array(String(repeating: piece, count: 65_536 / piece.utf8.count).utf8)
        for _ in 0..<32 where !parser.isTooLong { #expect(parser.read(bytes) == []) }
        #expect(parser.isTooLong)
        #expect(parser.read(Array("\n\ndata: {}\n\n".utf8)) == [])
    }

    @Test func `the length limit counts one event, not all of them`() {
        var parser = ServerEventParser()
        let bytes = Array(String(repeating: "data: {}\n\n", count: 1_000).utf8)
        for _ in 0..<200 { #expect(parser.read(bytes).count == 1_000) }
        #expect(!parser.isTooLong)
    }

    @Test func `an event is complete at its empty line, and one without data is ignored`() {
        var parser = ServerEventParser()
        #expect(parser.read(Array("data: {}\n".utf8)) == [])
        #expect(parser.read(Array("\n".utf8)) == [ServerEvent(name: "message", data: "{}")])
        #expect(parser.read(Array("event: empty\n\n".utf8)) == [])
    }
}
