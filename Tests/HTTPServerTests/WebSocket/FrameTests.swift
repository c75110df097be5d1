// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

@Suite struct FrameTests {
    @Test(
        arguments: [
            (0, [0x81, 0]), (125, [0x81, 125]), (126, [0x81, 126, 0, 126]), (65_535, [0x81, 126, 0xFF, 0xFF]),
            (65_536, [0x81, 127, 0, 0, 0, 0, 0, 1, 0, 0]),
        ] as [(Int, [UInt8])]
    )
    func `the length takes as few bytes as it can`(count: Int, head: [UInt8]) {
        let payload = [UInt8](repeating: 0x61, count: count)
        #expect(Frame.encode(.text, payload) == head + payload)
    }

    @Test func `a close frame carries a code or nothing`() {
        #expect(Frame.close(.messageTooBig) == [0x88, 2, 0x03, 0xF1])
        #expect(Frame.close(nil) == [0x88, 0])
    }

    @Test(arguments: [
        ("abc", "a9993e364706816aba3e25717850c26c9cd0d89d"),
        ("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", "84983e441c3bd26ebaae4aa1f95129e5e54670f1"),
        (String(repeating: "a", count: 1_000_000), "34aa973cd4c4daa4f61eeb2bdbad27316534016f"),
        (
            String(repeating: "01234567", count: 80),
            "dea356a2cddd90c7a7ecedc5ebb563934f460452"
        ),
        ("", "da39a3ee5e6b4b0d3255bfef95601890afd80709"),
    ])
    func `SHA-1 gives the digests of RFC 3174`(text: String, digest: String) {
        let hexadecimal = SHA1.digest(Array(text.utf8)).map { byte in
            String(repeating: "0", count: byte < 16 ? 1 : 0) + String(byte, radix: 16)
        }
        #expect(hexadecimal.joined() == digest)
    }

    @Test(arguments: ["", "f", "fo", "foo", "foob", "fooba", "foobar"])
    func `base64 is that of RFC 4648`(text: String) {
        let expected = [
            "": "", "f": "Zg==", "fo": "Zm8=", "foo": "Zm9v", "foob": "Zm9vYg==", "fooba": "Zm9vYmE=",
            "foobar": "Zm9vYmFy",
        ]
        #expect(Base64.encode(Array(text.utf8)) == expected[text])
    }

    @Test func `a key is accepted as RFC 6455 has it`() {
        #expect(Handshake.accept("dGhlIHNhbXBsZSBub25jZQ==") == "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=")
    }

    @Test(arguments: [
        ("dGhlIHNhbXBsZSBub25jZQ==", true), ("AAAAAAAAAAAAAAAAAAAAAA==", true), ("", false),
        ("dGhlIHNhbXBsZQ==", false),
        ("dGhlIHNhbXBsZSBub25jZR==", false), ("dGhlIHNhbXBsZSBub25jZQ=", false), ("dGhlIHNhbXBsZSBub25j-Q==", false),
        ("dGhlIHNhbXBsZSBub25jZSBub25jZQ==", false),
    ])
    func `a key is 16 bytes in base64`(key: String, isKey: Bool) {
        #expect(Base64.is16Bytes(key) == isKey)
    }
}
