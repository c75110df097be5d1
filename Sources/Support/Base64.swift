// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// Base64 with padding (RFC 4648, section 4).
package enum Base64 {
    package static func text(of bytes: [UInt8]) -> String {
        let count = (bytes.count + 2) / 3 * 4
        return String(unsafeUninitializedCapacity: count) { base64 in
            base64.withMemoryRebound(to: CChar.self) { nettle_base64_encode_raw($0.baseAddress, bytes.count, bytes) }
            return count
        }
    }

    /// Returns `nil` for anything but this many bytes in Base64, without white space.
    package static func bytes(_ count: Int, of text: String) -> [UInt8]? {
        guard text.utf8.count == (count + 2) / 3 * 4 else { return nil }
        var context = base64_decode_ctx()
        nettle_base64_decode_init(&context)
        // The length of the buffer, and then that of the bytes in it.
        var length = (text.utf8.count + 1) * 6 / 8
        var bytes = [UInt8](repeating: 0, count: length)
        guard nettle_base64_decode_update(&context, &length, &bytes, text.utf8.count, text) == 1,
            nettle_base64_decode_final(&context) == 1, length == count
        else { return nil }
        return Array(bytes.prefix(count))
    }
}
