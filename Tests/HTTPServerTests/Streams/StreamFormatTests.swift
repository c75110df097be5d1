// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct StreamFormatTests {
    private let formats = StreamFormats.json

    @Test(arguments: [
        (Framing.chunked, "29\r\nevent: brightness\nid: e-1\ndata: {\"a\":1}\n\n\r\n"),
        (.plain, "event: brightness\nid: e-1\ndata: {\"a\":1}\n\n"),
        (.webSocket, "\u{1}8{\"jsonrpc\":\"2.0\",\"method\":\"brightness\",\"params\":{\"a\":1}}"),
    ])
    func `an event is framed by the rules of its protocol`(framing: Framing, wire: String) {
        let bytes = formats.encode(EventStreamFormatTests.event(id: "e-1", "{\"a\":1}"), as: framing)
        // The first byte of a frame is not text.
        #expect(String(decoding: bytes.map { $0 & 0x7F }, as: UTF8.self) == wire)
        #expect((bytes[0] == 0x81) == (framing == .webSocket))
    }

    @Test func `a WebSocket is notified of missed events like an event stream`() {
        let event = EventStreamFormatTests.event(id: "e-1", "{\"a\":1}")
        let text = String(decoding: formats.encode(event, as: .webSocket, skipped: 9).dropFirst(2), as: UTF8.self)
        #expect(text == "{\"jsonrpc\":\"2.0\",\"method\":\"brightness\",\"params\":{\"a\":1,\"skipped\":9}}")
    }

    @Test func `a silent stream is kept open and ended cleanly`() {
        #expect(String(decoding: formats[.chunked].keepAlive, as: UTF8.self) == "e\r\n: keep-alive\n\n\r\n")
        #expect(String(decoding: formats[.plain].keepAlive, as: UTF8.self) == ": keep-alive\n\n")
        #expect(formats[.webSocket].keepAlive == [0x89, 0x00])
        #expect(String(decoding: formats[.chunked].farewell, as: UTF8.self).hasSuffix("\n\n\r\n0\r\n\r\n"))
        #expect(String(decoding: formats[.plain].farewell, as: UTF8.self).hasPrefix("retry: "))
        #expect(formats[.webSocket].farewell == [0x88, 0x02, 0x03, 0xE9])
        #expect(formats[.webSocket].revocation == [0x88, 0x02, 0x03, 0xF0])
    }
}
