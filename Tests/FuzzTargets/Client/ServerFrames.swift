// SPDX-License-Identifier: Apache-2.0
import HTTPClient
import Support

/// The bytes of a server over a WebSocket of the client, from its answer to the handshake on.
///
/// The first byte says into pieces of how many bytes the others are cut.
enum ServerFrames {
    private static let longest = 300

    private struct Read: Equatable {
        var messages: [WebSocketFrames.Message] = []
        var isInvalid = false
    }

    static func check(_ bytes: [UInt8]) throws {
        guard let first = bytes.first else { return }
        let input = Array(bytes.dropFirst())
        let whole = read(input, by: max(input.count, 1))
        let pieces = read(input, by: 1 + Int(first) % 17)
        try require(whole == pieces, "the same bytes in pieces are \(pieces), and at once \(whole)")
        for message in whole.messages {
            switch message.opcode {
            case .text, .binary: try require(message.payload.count <= longest, "a message is longer than the limit")
            case .close, .ping, .pong: try require(message.payload.count <= 125, "a control frame is too long")
            case .continuation: throw BrokenFact(description: "a part was taken for a message")
            }
            // A server's frame is a client's without its mask.
            let sent = unmasked(WebSocketFrames.frame(message.opcode, message.payload, mask: [first, 0, 0xFF, 1]))
            try require(
                read(sent, by: sent.count) == Read(messages: [message]),
                "\(message) is another when it is sent"
            )
        }
        let key = WebSocketKey(text: "dGhlIHNhbXBsZSBub25jZQ==")
        if key.isConfirmed(by: input) {
            try require(input.text.contains(key.confirmation), "another answer confirms the key")
        }
    }

    private static func read(_ bytes: [UInt8], by step: Int) -> Read {
        var (frames, result) = (WebSocketFrames(longestMessage: longest), Read())
        for start in stride(from: 0, to: bytes.count, by: step) {
            frames.append(bytes[start..<min(start + step, bytes.count)])
            while let message = frames.next() { result.messages.append(message) }
        }
        result.isInvalid = frames.isInvalid
        return result
    }

    private static func unmasked(_ frame: [UInt8]) -> [UInt8] {
        let extra = [126: 2, 127: 8][frame[1] & 0x7F] ?? 0
        let mask = Array(frame[(2 + extra)..<(6 + extra)])
        let payload = frame[(6 + extra)...].enumerated().map { $0.element ^ mask[$0.offset % 4] }
        return [frame[0], frame[1] & 0x7F] + frame[2..<(2 + extra)] + payload
    }
}
