// SPDX-License-Identifier: Apache-2.0
import Support
import Testing

@testable import HTTPServer

@Suite struct FrameTests {
    @Test(
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]), (65_535, [0x81, 126, 0xFF, 0xFF]),
            (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])]
    )
    func `the payload length uses the shortest encoding`(count: Int, head: [UInt8]) {
        let payload = [UInt8](repeating: 0x61, count: count)
        #expect(Frame.encode(.text, payload) == head + payload)
    }

    @Test func `a close frame carries a code or nothing`() {
        #expect(Frame.close(.messageTooBig) == [0x88, 2, 0x03, 0xF1])
        #expect(Frame.close(nil) == [0x88, 0])
    }

    @Test func `the accept value of a key is the example's of RFC 6455`() {
        #expect(WebSocketKey(text: "dGhlIHNhbXBsZSBub25jZQ==").confirmation == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("dGhlIHNhbXBsZSBub25jZQ==", true), ("AAAAAAAAAAAAAAAAAAAAAA==", true), ("", false),
        ("dGhlIHNhbXBsZQ==", false),
        ("dGhlIHNhbXBsZSBub25jZR==", false), ("dGhlIHNhbXBsZSBub25jZQ=", false), ("dGhlIHNhbXBsZSBub25j-Q==", false),
        ("dGhlIHNhbXBsZSBub25jZSBub25jZQ==", false),
    ])
    func `a key is 16 bytes in base64`(key: String, isKey: Bool) {
        #expect((Base64.bytes(16, of: key) != nil) == isKey)
    }
}
