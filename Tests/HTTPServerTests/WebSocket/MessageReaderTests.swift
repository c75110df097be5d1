// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import HTTPServer

extension MessageReader {
    /// Returns the elements that these bytes complete.
    func read(_ bytes: UnsafeRawBufferPointer, under rules: MessageRules) -> [Incoming] {
        var incoming: [Incoming] = []
        read(bytes, under: rules) { one in
            incoming.append(one)
            return true
        }
        return incoming
    }
}

@Suite struct MessageReaderTests {
    /// Returns a masked frame, as clients send it.
    static func frame(_ head: UInt8, _ payload: [UInt8]) -> [UInt8] {
        let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
        let masked = payload.enumerated().map { $1 ^ mask[$0 % 4] }
        var bytes = Frame.encode(.text, payload)
        bytes.removeLast(payload.count)
        bytes[0] = head
        bytes[1] |= 0x80
        return bytes + mask + masked
    }

    static func frame(_ head: UInt8, _ text: String) -> [UInt8] { frame(head, Array(text.utf8)) }

    static func text(_ text: String) -> MessageReader.Incoming { .message(.text(Array(text.utf8))) }

    private func read(
        _ bytes: [UInt8],
        by step: Int = .max,
        _ rules: MessageRules = MessageRules(longest: 1_000)
    ) -> [MessageReader.Incoming] {
        let reader = MessageReader()
        var incoming: [MessageReader.Incoming] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            incoming += rest.prefix(step).withUnsafeBytes { reader.read($0, under: rules) }
            rest = rest.dropFirst(step)
        }
        return incoming
    }

    /// RFC 6455, section 5.7: "Hello", masked.
    @Test func `the reader reads the specification's example`() {
        let bytes: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(read(bytes) == [Self.text("Hello")])
        #expect(Self.frame(0x81, "Hello") == bytes)
    }

    @Test(arguments: [1, 2, 3, 7, 4_096, .max])
    func `the messages do not depend on how the bytes are split`(step: Int) {
        let long = String(repeating: "0123456789", count: 50)
        let bytes =
            Self.frame(0x81, "a") + Self.frame(0x01, "frag") + Self.frame(0x89, "hi") + Self.frame(0x00, "ment")
            + Self.frame(0x8A, "") + Self.frame(0x80, "ed \u{1F600}") + Self.frame(0x81, "") + Self.frame(0x81, long)
            + Self.frame(0x88, [0x03, 0xE8])
        let close = MessageReader.Incoming.close(CloseCode(rawValue: 1000))
        #expect(
            read(bytes, by: step) == [
                Self.text("a"), .ping(Array("hi".utf8)), .pong, Self.text("fragmented \u{1F600}"), Self.text(""),
                Self.text(long), close,
            ]
        )
    }

    @Test(
        arguments: [
            ([0x81, 0x01, 0x61], .protocolError),  // not masked
            (frame(0xC1, "a"), .protocolError),  // a reserved bit, without an extension
            (frame(0x83, "a"), .protocolError),  // a reserved opcode
            (frame(0x8B, "a"), .protocolError),
            (frame(0x80, "a"), .protocolError),  // goes on with nothing
            (frame(0x01, "a") + frame(0x81, "b"), .protocolError),  // a message within a message
            (frame(0x09, "a"), .protocolError),  // a fragment of a ping
            (frame(0x89, [UInt8](repeating: 0, count: 126)), .protocolError),
            ([0x81, 0xFE, 0x00, 0x05, 0, 0, 0, 0] + Array("Hello".utf8), .protocolError),  // a length in a long form
            (frame(0x88, [0x03]), .protocolError),
            (frame(0x88, [0x03, 0xED]), .protocolError),  // 1005 is never sent
            (frame(0x88, [0x03, 0xE8, 0xFF]), .invalidText),
            (frame(0x82, "a"), .unsupportedData),
            (frame(0x81, [0xC0, 0x80]), .invalidText),
            (frame(0x81, [0x61, 0xF0, 0x9F]), .invalidText),  // ends within a character
            (frame(0x01, [0xF0, 0x9F]) + frame(0x80, [0x61]), .invalidText),
            (frame(0x81, [UInt8](repeating: 0x61, count: 1_001)), .messageTooBig),
            (
                frame(0x01, [UInt8](repeating: 0x61, count: 600)) + frame(0x80, [UInt8](repeating: 0x61, count: 401)),
                .messageTooBig
            ),
        ] as [([UInt8], CloseCode)]
    )
    func `a protocol violation closes with its code`(bytes: [UInt8], code: CloseCode) {
        for step in [1, .max] { #expect(read(bytes, by: step).last == .fault(code)) }
    }

    @Test func `a character split between two frames is valid`() {
        let bytes = Self.frame(0x01, [0xF0, 0x9F]) + Self.frame(0x80, [0x98, 0x80])
        #expect(read(bytes) == [Self.text("\u{1F600}")])
    }

    @Test func `invalid text is rejected before its frame ends`() {
        let bytes = Self.frame(0x81, [0x61, 0xED, 0xA0, 0x80, 0x61, 0x61])
        #expect(read(Array(bytes.dropLast(3))) == [.fault(.invalidText)])
    }

    @Test func `a length over the limit is rejected before the payload arrives`() {
        let bytes: [UInt8] = [0x81, 0xFF, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0x61]
        #expect(read(bytes) == [.fault(.messageTooBig)])
    }

    @Test(arguments: [1, 3, 7, .max])
    func `bytes that were not taken are kept and come first`(step: Int) {
        let reader = MessageReader()
        let rules = MessageRules(longest: 10_000)
        let long = String(repeating: "x", count: 9_000)
        let texts = ["a", "b", long, "c", "", "d"]
        var (rest, incoming) = (texts.flatMap { Self.frame(0x81, $0) }[...], [MessageReader.Incoming]())
        func readOne(_ bytes: ArraySlice<UInt8>) {
            bytes.withUnsafeBytes { bytes in
                reader.read(bytes, under: rules) { one in
                    incoming.append(one)
                    return false
                }
            }
        }
        while !rest.isEmpty {
            readOne(rest.prefix(step))
            rest = rest.dropFirst(step)
        }
        for _ in texts where !reader.isIdle { readOne([]) }
        #expect(incoming == texts.map(Self.text))
        #expect(reader.isIdle)
    }

    @Test func `bytes after a close are not read`() {
        #expect(read(Self.frame(0x88, []) + Self.frame(0x81, "a")) == [.close(nil)])
    }

    @Test func `binary messages are accepted only if the rules allow them`() {
        let rules = MessageRules(longest: 10, takesBinary: true)
        #expect(read(Self.frame(0x82, [0xFF]), rules) == [.message(.binary([0xFF]))])
    }

    @Test func `a reader is idle only between messages`() {
        let reader = MessageReader()
        let rules = MessageRules(longest: 100)
        func isIdle(after bytes: [UInt8]) -> Bool {
            _ = bytes.withUnsafeBytes { reader.read($0, under: rules) }
            return reader.isIdle
        }
        let frame = Self.frame(0x81, "hello")
        #expect(reader.isIdle)
        #expect(isIdle(after: frame))
        for byte in frame.dropLast() { #expect(!isIdle(after: [byte])) }
        #expect(isIdle(after: frame.suffix(1)))
        #expect(!isIdle(after: Self.frame(0x01, "a")))
        #expect(!isIdle(after: Self.frame(0x89, "a")))
        #expect(isIdle(after: Self.frame(0x80, "a")))
    }

    /// Every invalid beginning of the table in RFC 3629, section 4.
    @Test(
        arguments: [
            [0x80], [0xC1], [0xF5], [0xFF], [0xE0, 0x9F], [0xED, 0xA0], [0xF0, 0x8F], [0xF4, 0x90], [0xC2, 0x7F],
            [0xE1, 0x80, 0xC0], [0xF1, 0x80, 0x80, 0x00],
        ] as [[UInt8]]
    )
    func `text that no continuation can make valid is rejected at once`(bytes: [UInt8]) {
        var check = UTF8Validator()
        let verdicts = bytes.map { byte in withUnsafeBytes(of: byte) { check.accepts($0) } }
        #expect(verdicts == bytes.dropLast().map { _ in true } + [false])
    }

    @Test(arguments: ["", "a", "é", "€", "\u{D7FF}\u{E000}\u{FFFF}", "\u{10000}\u{10FFFF}", "\0"])
    func `valid UTF-8 is accepted`(text: String) {
        var check = UTF8Validator()
        #expect(Array(text.utf8).withUnsafeBytes { check.accepts($0) } && check.isComplete)
    }
}
