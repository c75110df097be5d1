// SPDX-License-Identifier: Apache-2.0
internal import CNettle

/// Returns the SHA-256 digest (FIPS 180-4): 32 bytes.
package func sha256(of bytes: [UInt8]) -> [UInt8] {
    var context = sha256_ctx()
    nettle_sha256_init(&context)
    nettle_sha256_update(&context, bytes.count, bytes)
    var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_SIZE))
    nettle_sha256_digest(&context, digest.count, &digest)
    return digest
}
