// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import Support
import Testing

@Suite struct WebSocketKeyTests {
    private let key = WebSocketKey(text: "dGhlIHNhbXBsZSBub25jZQ==")

    /// The second is from RFC 6455, section 1.3.
    @Test(arguments: [
        ("", "Kfh9QIsMVZcl6xEPYxPHzW8SZ8w="),
        ("dGhlIHNhbXBsZSBub25jZQ==", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
        ("a key that makes two blocks", "lyEyvwQgZlrC2JYsXLYFGgeEi3Q="),
    ])
    func `a key has one confirmation`(text: String, confirmation: String) {
        #expect(WebSocketKey(text: text).confirmation == confirmation)
    }

    @Test func `a key is 16 bytes in Base64, and another each time`() {
        let keys = (0..<20).map { _ in WebSocketKey().text }
        #expect(Set(keys).count == 20)
        #expect(
            keys.allSatisfy { $0.count == 24 && $0.hasSuffix("==") && $0.dropLast(2).last.map("AQgw".contains) == true }
        )
    }

    @Test(arguments: [
        ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", true),
        ("sec-websocket-accept:s3pPLMBiTxaQ9kYGzzhZRbK+xOo= ", true),
        ("Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOO=", false),
        ("Sec-WebSocket-Accept: S3PPLMBITXAQ9KYGZZHZRBK+XOO=", false),
        ("Sec-WebSocket-Accept:", false),
        ("X: Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", false),
        ("Upgrade: websocket", false),
        ("Sec-WebSocket-Accept: a\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=", false),
    ])
    func `an answer without the confirmation is not one`(field: String, isRight: Bool) {
        let head = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n\(field)\r\n\r\n"
        #expect(key.isConfirmed(by: Array(head.utf8)) == isRight)
    }
}
