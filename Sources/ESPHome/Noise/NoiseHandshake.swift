// SPDX-License-Identifier: Apache-2.0
internal import CHogweed
import Support

/// The responder's side of `Noise_NNpsk0_25519_ChaChaPoly_SHA256`: two messages, and then both sides have fresh keys.
///
/// Rules only; the ephemeral secret is an argument. A client without the shared key costs a few digests and no
/// multiplication.
///
/// - SeeAlso: The Noise Protocol Framework, revision 34, sections 5 and 9
struct NoiseHandshake {
    static let name = "Noise_NNpsk0_25519_ChaChaPoly_SHA256"
    static let keyCount = 32

    private var digest: [UInt8]
    private var chainingKey: [UInt8]
    private var cipher: NoiseCipher
    private var remote: [UInt8] = []

    init(_ key: NoiseKey, prologue: [UInt8]) {
        // The name is longer than a digest.
        let name = sha256(of: Array(Self.name.utf8))
        let keys = Self.derive(3, from: key.bytes, name)
        digest = sha256(of: sha256(of: name + prologue) + keys[1])
        chainingKey = keys[0]
        cipher = NoiseCipher(key: keys[2])
    }

    /// Reads the initiator's message: `psk, e`, without a payload.
    ///
    /// - Returns: Whether it was made with the shared key.
    mutating func read(_ message: [UInt8]) -> Bool {
        guard message.count == Self.keyCount + NoiseCipher.tagCount else { return false }
        remote = Array(message.prefix(Self.keyCount))
        mixDigest(remote)
        mixKey(remote)
        let sealed = Array(message.dropFirst(Self.keyCount))
        guard cipher.decrypt(sealed, with: digest) != nil else { return false }
        mixDigest(sealed)
        return true
    }

    /// Writes the responder's message: `e, ee`, without a payload.
    ///
    /// - Parameter secret: 32 random bytes, used once.
    mutating func write(_ secret: [UInt8]) -> [UInt8] {
        let own = Self.multiply(secret)
        mixDigest(own)
        mixKey(own)
        mixKey(Self.multiply(secret, remote))
        let sealed = cipher.encrypt([], with: digest)
        mixDigest(sealed)
        return own + sealed
    }

    /// The ciphers of the connection, after both messages.
    var ciphers: (receiving: NoiseCipher, sending: NoiseCipher) {
        let keys = Self.derive(2, from: [], chainingKey)
        return (NoiseCipher(key: keys[0]), NoiseCipher(key: keys[1]))
    }

    private mutating func mixDigest(_ bytes: [UInt8]) { digest = sha256(of: digest + bytes) }

    private mutating func mixKey(_ input: [UInt8]) {
        let keys = Self.derive(2, from: input, chainingKey)
        chainingKey = keys[0]
        cipher = NoiseCipher(key: keys[1])
    }

    // MARK: Primitives

    private static func hmac(_ key: [UInt8], _ bytes: [UInt8]) -> [UInt8] {
        var context = hmac_sha256_ctx()
        nettle_hmac_sha256_set_key(&context, key.count, key)
        nettle_hmac_sha256_update(&context, bytes.count, bytes)
        var digest = [UInt8](repeating: 0, count: keyCount)
        nettle_hmac_sha256_digest(&context, digest.count, &digest)
        return digest
    }

    /// `HKDF`: as many keys from a chaining key and new material.
    private static func derive(_ count: UInt8, from input: [UInt8], _ chainingKey: [UInt8]) -> [[UInt8]] {
        let secret = hmac(chainingKey, input)
        return (1...count).reduce(into: []) { keys, number in
            keys.append(hmac(secret, (keys.last ?? []) + [number]))
        }
    }

    /// X25519 of a secret and a point; of the base point by default.
    static func multiply(_ secret: [UInt8], _ point: [UInt8]? = nil) -> [UInt8] {
        var product = [UInt8](repeating: 0, count: keyCount)
        if let point {
            nettle_curve25519_mul(&product, secret, point)
        } else {
            nettle_curve25519_mul_g(&product, secret)
        }
        return product
    }
}
