// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// The key of a WebSocket handshake (RFC 6455, section 1.3).
enum HandshakeKey {
    private static let identifier = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

    /// What proves that the key was read: its SHA-1 together with a constant, in base64.
    static func accept(_ key: String) -> String {
        var context = sha1_ctx()
        nettle_sha1_init(&context)
        let text = Array((key + identifier).utf8)
        nettle_sha1_update(&context, text.count, text)
        var digest = [UInt8](repeating: 0, count: Int(SHA1_DIGEST_SIZE))
        nettle_sha1_digest(&context, digest.count, &digest)
        return String(unsafeUninitializedCapacity: 28) { base64 in
            base64.withMemoryRebound(to: CChar.self) { nettle_base64_encode_raw($0.baseAddress, digest.count, digest) }
            return 28
        }
    }

    /// Whether it is 16 bytes in base64, as the key of a handshake must be.
    static func is16Bytes(_ text: String) -> Bool {
        // 21 letters are 126 bits; the 22nd brings two more, and its other four are zero.
        let bytes = Array(text.utf8)
        return bytes.count == 24 && bytes.suffix(2) == Array("==".utf8)[...]
            && bytes.prefix(21).allSatisfy(letters.contains)
            && "AQgw".utf8.contains(bytes[21])
    }
}
