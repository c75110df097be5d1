// SPDX-License-Identifier: Apache-2.0

/// The key of a client's handshake, which the server has to confirm (RFC 6455, section 4).
package struct WebSocketKey: Sendable {
    /// The value of `Sec-WebSocket-Key`: 16 bytes in Base64.
    package let text: String

    package init() { text = Self.base64((0..<16).map { _ in UInt8.random(in: 0...255) }) }

    package init(text: String) { self.text = text }

    /// The value of `Sec-WebSocket-Accept` that confirms the key.
    package var confirmation: String {
        Self.base64(Self.sha1(Array("\(text)258EAFA5-E914-47DA-95CA-C5AB0DC85B11".utf8)))
    }

    /// Whether the head of an answer with the status 101 confirms the key.
    package func isConfirmed(by head: [UInt8]) -> Bool {
        let values = head.split(separator: UInt8(ascii: "\n")).dropFirst().compactMap { line -> String? in
            let line = String(decoding: line, as: UTF8.self)
            guard let colon = line.firstIndex(of: ":"), line[..<colon].lowercased() == "sec-websocket-accept" else {
                return nil
            }
            let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            return String(value.prefix { !$0.isWhitespace })
        }
        return values == [confirmation]
    }

    private static func base64(_ bytes: [UInt8]) -> String {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let part = bytes[start..<min(start + 3, bytes.count)]
            let bits = (0..<3).reduce(0) { $0 << 8 | (start + $1 < part.endIndex ? Int(bytes[start + $1]) : 0) }
            let count = part.count + 1
            for place in 0..<4 { text.append(place < count ? letters[bits >> (18 - 6 * place) & 63] : "=") }
        }
        return text
    }

    /// The digest by FIPS 180-4. Here it protects from nothing but servers that do not know WebSockets.
    private static func sha1(_ message: [UInt8]) -> [UInt8] {
        var bytes = message + [0x80]
        bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
        bytes += (0..<8).map { UInt8(truncatingIfNeeded: (message.count * 8) >> (56 - 8 * $0)) }
        func turn(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
        var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for block in stride(from: 0, to: bytes.count, by: 64) {
            var words = (0..<16).map { word in
                (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[block + 4 * word + $1]) }
            }
            for place in 16..<80 {
                words.append(turn(words[place - 3] ^ words[place - 8] ^ words[place - 14] ^ words[place - 16], 1))
            }
            var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
            for (place, word) in words.enumerated() {
                let (mix, constant): (UInt32, UInt32) =
                    switch place {
                    case ..<20: (b & c | ~b & d, 0x5A82_7999)
                    case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
                    case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
                    default: (b ^ c ^ d, 0xCA62_C1D6)
                    }
                (a, b, c, d, e) = (turn(a, 5) &+ mix &+ e &+ constant &+ word, a, turn(b, 30), c, d)
            }
            for (place, value) in [a, b, c, d, e].enumerated() { hash[place] = hash[place] &+ value }
        }
        return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> (24 - 8 * $0)) } }
    }
}
