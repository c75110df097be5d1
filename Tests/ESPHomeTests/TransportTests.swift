// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import ESPHome

/// The bytes of connections. The encrypted ones were made with the client library's Noise implementation.
@Suite struct TransportTests {
    private static let key = NoiseKey(bytes: Array(0..<32))!
    private static let identity = Identity(machine: "lobby", id: "0123")
    private static let hello: [UInt8] = [1, 0, 0]
    /// The initiator's message, with an ephemeral secret of 32 times 1.
    private static let handshake = frame(
        [0] + bytes("a4e09292b651c278b9772c569f5fa9bb13d906b46ab68c9df9dc2b4409f8a209f0c00e96458473006479a4a6d2f4c0b6")
    )
    /// Two pings, and a request for the list of entities.
    private static let messages = [
        "0cedf1e0b1433263967ca9d07a9739dbfcc3329f", "0d84ced53d358cb984d9ad1b228a8c99e02e9076",
        "840af2bfb81dbfb214ea6d08544b4d6bcc812781",
    ].map { frame(bytes($0)) }

    private static func bytes(_ digits: String) -> [UInt8] {
        let digits = digits.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }

    private static func frame(_ bytes: [UInt8]) -> [UInt8] { [1, 0, UInt8(bytes.count)] + bytes }

    private func encrypted() -> Transport {
        Transport(.key(Self.key), Self.identity) { [UInt8](repeating: 2, count: 32) }
    }

    private func greeted() throws -> Transport {
        var transport = encrypted()
        transport.receive(Self.hello + Self.handshake)
        #expect(try transport.next() == nil)
        transport.output = []
        return transport
    }

    private func failure(_ transport: inout Transport, _ bytes: [UInt8]) -> FrameFailure? {
        transport.receive(bytes)
        do throws(FrameFailure) {
            while try transport.next() != nil {}
            return nil
        } catch {
            return error
        }
    }

    // MARK: Plain

    @Test func `plain messages have a length and a type`() throws {
        var transport = Transport(.local, Self.identity)
        transport.receive([0, 2, 0x21, 0xAA, 0xBB, 0, 0, 7])
        #expect(try transport.next() == Frame(type: 33, body: [0xAA, 0xBB]))
        #expect(try transport.next() == Frame(type: 7, body: []))
        #expect(try transport.next() == nil)
        transport.send(.pong)
        #expect(transport.output == [0, 0, 8])
    }

    @Test func `a message may arrive byte by byte`() throws {
        var transport = Transport(.local, Self.identity)
        for byte in [0, 2, 0x80, 0x01, 0xAA] as [UInt8] {
            transport.receive([byte])
            #expect(try transport.next() == nil)
        }
        transport.receive([0xBB])
        #expect(try transport.next() == Frame(type: 128, body: [0xAA, 0xBB]))
    }

    @Test(
        arguments: [
            // 2³¹ bytes, a length and a type without an end, one byte too many.
            ([0, 0x80, 0x80, 0x80, 0x80, 0x08, 7], .tooLong), ([0, 0xFF, 0xFF, 0xFF], .tooLong),
            ([0, 0, 0xFF, 0xFF, 0xFF], .malformed), ([0, 0x81, 0x80, 0x01, 7], .tooLong), ([0x47], .malformed),
            ([1, 0, 0], .serverHasNoKey),
        ] as [([UInt8], FrameFailure)]
    )
    func `plain bytes are rejected before they cost anything`(bytes: [UInt8], expected: FrameFailure) {
        var transport = Transport(.local, Self.identity)
        #expect(failure(&transport, bytes) == expected)
    }

    @Test func `a client that encrypts learns that the server does not`() {
        var transport = Transport(.local, Self.identity)
        #expect(failure(&transport, Self.hello) == .serverHasNoKey)
        #expect(transport.output.first == 0)
    }

    // MARK: The window

    @Test func `in the window a client may encrypt with the key that everybody knows, or not at all`() throws {
        var plain = Transport(.window(isLocal: false), Self.identity)
        #expect(try plain.next() == nil)
        plain.receive([0, 0, 7])
        #expect(try plain.next() == Frame(type: 7, body: []))
        plain.send(.pong)
        #expect(plain.output == [0, 0, 8])
        var encrypted = Transport(.window(isLocal: false), Self.identity)
        encrypted.receive(Self.hello)
        #expect(try encrypted.next() == nil)
        #expect(encrypted.output == Self.frame([1] + Array("lobby\0\(Self.identity.mac)\0".utf8)))
        // Made with another key.
        #expect(failure(&encrypted, Self.handshake) == .wrongKey)
    }

    // MARK: Encrypted

    @Test func `the handshake has the bytes of the client library`() throws {
        var transport = encrypted()
        transport.receive(Self.hello)
        #expect(try transport.next() == nil)
        #expect(transport.output == Self.frame([1] + Array("lobby\0\(Self.identity.mac)\0".utf8)))
        transport.output = []
        transport.receive(Self.handshake)
        #expect(try transport.next() == nil)
        let answer = "ce8d3ad1ccb633ec7b70c17814a5c76ecd029685050d344745ba05870e587d596861a524ec5a0c60694277c72b6e7035"
        #expect(transport.output == Self.frame([0] + Self.bytes(answer)))
        transport.output = []
        transport.receive(Self.messages.joined())
        #expect(try transport.next() == Frame(type: 7, body: []))
        #expect(try transport.next() == Frame(type: 7, body: []))
        #expect(try transport.next() == Frame(type: 11, body: []))
        transport.send(.pong)
        transport.send(.pong)
        let pongs = ["d87d80c6310af420ad1446f9138c9a86e7c7a75c", "5d24d221f5eb3a0aa6bc4144e88e22c221e45129"]
        #expect(transport.output == pongs.flatMap { Self.frame(Self.bytes($0)) })
    }

    @Test func `a client with another key learns that the key is wrong`() throws {
        let other = try #require(NoiseKey(bytes: [UInt8](repeating: 9, count: 32)))
        var transport = Transport(.key(other), Self.identity)
        #expect(failure(&transport, Self.hello + Self.handshake) == .wrongKey)
        #expect(transport.output.suffix(22) == [1] + Array("Handshake MAC failure".utf8))
    }

    @Test func `a plain client learns that the server encrypts`() {
        var transport = encrypted()
        #expect(failure(&transport, [0, 0, 1]) == .requiresEncryption)
        #expect(transport.output == Self.frame([1] + Array("Bad indicator byte".utf8)))
    }

    @Test func `repeated, reordered and changed frames end the connection`() throws {
        var transport = try greeted()
        #expect(failure(&transport, Self.messages[0]) == nil)
        #expect(failure(&transport, Self.messages[0]) == .malformed)
        transport = try greeted()
        #expect(failure(&transport, Self.messages[1]) == .malformed)
        transport = try greeted()
        var changed = Self.messages[0]
        changed[4] ^= 1
        #expect(failure(&transport, changed) == .malformed)
        #expect(transport.output == [])
    }

    @Test(
        arguments: [
            [1, 0xFF, 0xFF], [1, 0, 129], [1, 0, 0, 1, 0, 0], [1, 0, 0, 1, 0, 2, 1, 1], [2],
        ] as [[UInt8]]
    )
    func `bytes that are no handshake end the connection`(bytes: [UInt8]) {
        var transport = encrypted()
        #expect(failure(&transport, bytes) != nil)
    }

    @Test func `an encrypted frame over the limit is not waited for`() throws {
        var transport = try greeted()
        #expect(failure(&transport, [1, 0x40, 0x15]) == .tooLong)
    }

    // MARK: Names

    @Test(arguments: [
        ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", true), ("", false), ("AAECAwQ=", false),
        ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", false), ("!AECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", false),
        ("AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=\n", false),
    ])
    func `a key is 32 bytes in base64`(text: String, isKey: Bool) {
        #expect((NoiseKey(base64: text) == Self.key) == isKey)
    }

    @Test(arguments: [
        ("Lobby_2.example.org", "lobby-2"), ("", "brightnessd"),
        ("abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz01234"),
    ])
    func `the name of a machine has at most 31 plain characters`(machine: String, name: String) {
        #expect(Identity(machine: machine, id: nil).name == name)
    }

    @Test func `the address is made up and always the same`() {
        let address = Identity(machine: "lobby", id: "0123").address
        #expect(address.hasPrefix("02:") && address.count == 17)
        #expect(address == Identity(machine: "other", id: "0123").address)
        #expect(address != Identity(machine: "lobby", id: "0124").address)
    }
}
