// SPDX-License-Identifier: Apache-2.0
internal import CHogweed

/// ChaCha20-Poly1305 with a counter as the nonce: one direction of a connection, or a step of the handshake.
///
/// - SeeAlso: The Noise Protocol Framework, revision 34, sections 5.1 and 12.3
struct NoiseCipher {
    static let tagCount = 16

    private let key: [UInt8]
    /// A frame that is repeated, left out or out of order does not have the expected one.
    private var nonce: UInt64 = 0

    init(key: [UInt8]) { self.key = key }

    mutating func encrypt(_ text: [UInt8], with header: [UInt8] = []) -> [UInt8] {
        var context = context(header)
        var output = [UInt8](repeating: 0, count: text.count + Self.tagCount)
        output.withUnsafeMutableBufferPointer { output in
            guard let start = output.baseAddress else { return }
            nettle_chacha_poly1305_encrypt(&context, text.count, start, text)
            nettle_chacha_poly1305_digest(&context, Self.tagCount, start + text.count)
        }
        nonce += 1
        return output
    }

    /// Returns `nil` if the bytes were not encrypted by the other side as its next ones.
    mutating func decrypt(_ bytes: [UInt8], with header: [UInt8] = []) -> [UInt8]? {
        let count = bytes.count - Self.tagCount
        guard count >= 0 else { return nil }
        var context = context(header)
        var text = [UInt8](repeating: 0, count: count)
        var tag = [UInt8](repeating: 0, count: Self.tagCount)
        nettle_chacha_poly1305_decrypt(&context, count, &text, bytes)
        nettle_chacha_poly1305_digest(&context, tag.count, &tag)
        // In constant time.
        let difference = zip(tag, bytes[count...]).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) }
        guard difference == 0 else { return nil }
        nonce += 1
        return text
    }

    private func context(_ header: [UInt8]) -> chacha_poly1305_ctx {
        var context = chacha_poly1305_ctx()
        nettle_chacha_poly1305_set_key(&context, key)
        let counter = (0..<8).map { UInt8(truncatingIfNeeded: nonce >> UInt64(8 * $0)) }
        nettle_chacha_poly1305_set_nonce(&context, [0, 0, 0, 0] + counter)
        nettle_chacha_poly1305_update(&context, header.count, header)
        return context
    }
}
