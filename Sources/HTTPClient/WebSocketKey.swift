// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// The key of a client's handshake, which the server has to confirm (RFC 6455, section 4).
package struct WebSocketKey: Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 bytes in Base64.
    package let text: String

    package init() { text = Self.base64((0..<16).map { _ in UInt8.random(in: 0...255) }) }

    package init(text: String) { self.text = text }

    /// The value of `Sec-WebSocket-Accept` that confirms the key.
    package var confirmation: String {
        Self.base64(Self.sha1(Array("\(text)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// Whether the head of an answer with the status 101 confirms the key.
    package func isConfirmed(by head: [UInt8]) -> Bool {
        let values = head.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line -> String? in
            let line = String(decoding: line, as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "sec-websocket-accept" else {
                return nil
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return String(value.prefix { !$0.isWhitespace })
        }
        return values == [confirmation]
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { base64 in
            base64.withMemoryRebound(to: CChar.self) { nettle_base64_encode_raw($0.baseAddress, bytes.count, bytes) }
            return count
        }
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
