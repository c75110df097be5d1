// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// A short name for the content of a document: the beginning of its SHA-256 digest.
package struct ContentDigest {
    /// 16 hexadecimal digits.
    package let text: String

    package init(of bytes: [UInt8]) {
        var context = sha256_ctx()
        nettle_sha256_init(&context)
        nettle_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
        nettle_sha256_digest(&context, digest.count, &digest)
        text = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
