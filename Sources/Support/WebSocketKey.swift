// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// The key of a WebSocket handshake, which a client sends and a server confirms (RFC 6455, section 1.3).
package struct WebSocketKey: Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 bytes in Base64.
    package let text: String

    package init() { text = Base64.text(of: (0..<16).map { _ in UInt8.random(in: 0...255) }) }

    /// - Parameter text: The value of `Sec-WebSocket-Key`.
    package init(text: String) { self.text = text }

    /// The value of `Sec-WebSocket-Accept` that confirms the key: the SHA-1 of the key and a constant, in Base64.
    package var confirmation: String {
        Base64.text(of: Self.sha1(Array("\(text)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    private static func sha1(_ message: [UInt8]) -> [UInt8] {
        var context = sha1_ctx()
        nettle_sha1_init(&context)
        nettle_sha1_update(&context, message.count, message)
        var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
        nettle_sha1_digest(&context, digest.count, &digest)
        return digest
    }
}
