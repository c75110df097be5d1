// SPDX-License-Identifier: Apache-2.0

@testable import HTTPServer

/// Bytes of a WebSocket. The first byte is the size of the parts in which the others arrive.
enum WebSocketInput {
    private static let rules = MessageRules(longest: 300)

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let whole = read(input, by: max(1, input.count)).0
        let (pieces, isIdle) = read(input, by: 1 + Int(first) % 17)
        try require(whole == pieces, "the same bytes in pieces mean \(pieces), and at once \(whole)")
        let slow = read(input, by: 1 + Int(first) % 17, oneAtATime: true)
        try require(slow == (pieces, isIdle), "the same bytes mean \(slow.0) one at a time, and at once \(whole)")
        for incoming in whole {
            switch incoming {
            case .message(.text(let text)):
                try require(String(validating: text, as: UTF8.self) != nil, "a text is not UTF-8")
                try require(text.count <= rules.longest, "a message is longer than the limit")
            case .message(.binary): throw BrokenFact(description: "a binary message was taken")
            case .ping(let payload): try require(payload.count <= 125, "a ping is too long")
            case .close(let code?): try require(code.maySend, "a client closed with \(code.rawValue)")
            case .close(nil), .pong, .fault: break
            }
        }
        let ends = whole.dropLast().contains {
            switch $0 {
            case .close, .fault: true
            default: false
            }
        }
        try require(!ends, "something was read behind the end")
        try compare(whole, isIdle, with: StrictFrames(input))
    }

    /// - Parameter oneAtATime: Elements are taken on request, like those of a client that has to wait.
    private static func read(
        _ bytes: [UInt8],
        by step: Int,
        oneAtATime: Bool = false
    ) -> ([MessageReader.Incoming], isIdle: Bool) {
        let reader = MessageReader()
        var incoming: [MessageReader.Incoming] = []
        var rest = bytes[...]
        var isPaused = false
        while !rest.isEmpty || isPaused {
            isPaused = false
            rest.prefix(step).withUnsafeBytes { bytes in
                reader.read(bytes, under: rules) { one in
                    incoming.append(one)
                    isPaused = oneAtATime
                    return !oneAtATime
                }
            }
            rest = rest.dropFirst(step)
            switch incoming.last {
            case .close, .fault: return (incoming, false)
            default: continue
            }
        }
        return (incoming, reader.isIdle)
    }

    /// Complete frames are read by the specification.
    private static func compare(
        _ incoming: [MessageReader.Incoming],
        _ isIdle: Bool,
        with frames: StrictFrames
    ) throws {
        var expected: [MessageReader.Incoming] = []
        var text: [UInt8]?
        for frame in frames.all {
            switch frame.head & 0x0F {
            case 0x1: text = frame.payload
            case 0x0: text = (text ?? []) + frame.payload
            case 0x9: expected.append(.ping(frame.payload))
            case 0xA: expected.append(.pong)
            // Close payloads and invalid frames are judged only by the reader.
            default: return try require(agree(incoming, expected), "\(expected) was taken for \(incoming)")
            }
            if frame.head & 0x8F == 0x81 || frame.head & 0x8F == 0x80, let whole = text {
                expected.append(.message(.text(whole)))
                text = nil
            }
        }
        guard !isFault(incoming.last) else {
            return try require(agree(incoming, expected), "\(expected) was taken for \(incoming)")
        }
        try require(incoming == expected, "\(expected) was taken for \(incoming)")
        try require(isIdle == (frames.isWhole && text == nil), "idle, or not, in the middle of a message")
    }
}

/// The elements begin as expected; before a fault there may be fewer.
private func agree(_ incoming: [MessageReader.Incoming], _ expected: [MessageReader.Incoming]) -> Bool {
    isFault(incoming.last) ? expected.starts(with: incoming.dropLast()) : incoming.starts(with: expected)
}

private func isFault(_ incoming: MessageReader.Incoming?) -> Bool {
    if case .fault = incoming { true } else { false }
}

/// A strict parser of a client's frames (RFC 6455, section 5.2), independent of the daemon's code.
struct StrictFrames {
    private(set) var all: [(head: UInt8, payload: [UInt8])] = []
    /// Whether the bytes end with a complete frame.
    private(set) var isWhole = false

    init(_ bytes: [UInt8]) {
        var rest = bytes[...]
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        while !rest.isEmpty {
            guard rest.count >= 2, let head = rest.popFirst(), let second = rest.popFirst() else { return }
            let extra = [126: 2, 127: 8][second & 0x7F] ?? 0
            guard rest.count >= extra else { return }
            let length = extra == 0 ? UInt64(second & 0x7F) : number(rest.prefix(extra))
            rest = rest.dropFirst(extra)
            let mask = second & 0x80 != 0 ? Array(rest.prefix(4)) : [0, 0, 0, 0]
            guard mask.count == 4 else { return }
            rest = rest.dropFirst(second & 0x80 != 0 ? 4 : 0)
            guard UInt64(rest.count) >= length else { return }
            all.append((head, rest.prefix(Int(length)).enumerated().map { $1 ^ mask[$0 % 4] }))
            rest = rest.dropFirst(Int(length))
        }
        isWhole = true
    }
}
