// SPDX-License-Identifier: Apache-2.0

/// Reads the frames of a server (RFC 6455, section 5) from bytes that come in any pieces, and writes a client's.
package struct WebSocketFrames {
    package enum Opcode: UInt8, Sendable {
        case continuation = 0
        case text = 1
        case binary = 2
        case close = 8
        case ping = 9
        case pong = 10

        fileprivate var isControl: Bool { rawValue >= 8 }
    }

    /// A message, or a control frame.
    package struct Message: Equatable, Sendable {
        package let opcode: Opcode
        package let payload: [UInt8]

        package init(opcode: Opcode, payload: [UInt8]) { (self.opcode, self.payload) = (opcode, payload) }
    }

    /// Whether the server broke the protocol, or sent too much. Nothing more is read then.
    package private(set) var isInvalid = false
    private let longestMessage: Int
    private var bytes: [UInt8] = []
    /// The message whose last frame has not come.
    private var begun: (opcode: Opcode, payload: [UInt8])?

    /// - Parameter longestMessage: Bytes.
    package init(longestMessage: Int) { self.longestMessage = longestMessage }

    package mutating func append(_ more: ArraySlice<UInt8>) { bytes += more }

    /// Returns the next complete message; `nil` until there is one.
    package mutating func next() -> Message? {
        while !isInvalid, let (opcode, isLast, payload) = nextFrame() {
            if opcode.isControl {
                guard isLast, payload.count <= 125 else { return fail() }
                return Message(opcode: opcode, payload: payload)
            }
            guard (opcode == .continuation) == (begun != nil) else { return fail() }
            let message = (begun?.opcode ?? opcode, (begun?.payload ?? []) + payload)
            guard message.1.count <= longestMessage else { return fail() }
            begun = isLast ? nil : message
            if isLast { return Message(opcode: message.0, payload: message.1) }
        }
        return nil
    }

    private mutating func nextFrame() -> (Opcode, isLast: Bool, [UInt8])? {
        guard bytes.count >= 2 else { return nil }
        // Neither extensions nor masks come from a server.
        guard let opcode = Opcode(rawValue: bytes[0] & 0x0F), bytes[0] & 0x70 == 0, bytes[1] & 0x80 == 0 else {
            isInvalid = true
            return nil
        }
        let extra = [126: 2, 127: 8][bytes[1]] ?? 0
        guard bytes.count >= 2 + extra else { return nil }
        let length = extra == 0 ? UInt64(bytes[1]) : bytes[2..<2 + extra].reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= longestMessage else {
            isInvalid = true
            return nil
        }
        let end = 2 + extra + Int(length)
        guard bytes.count >= end else { return nil }
        defer { bytes.removeFirst(end) }
        return (opcode, bytes[0] & 0x80 != 0, Array(bytes[(2 + extra)..<end]))
    }

    private mutating func fail() -> Message? {
        isInvalid = true
        return nil
    }

    /// The bytes of a client's frame, which has a mask.
    package static func frame(
        _ opcode: Opcode,
        _ payload: [UInt8],
        mask: [UInt8] = (0..<4).map { _ in UInt8.random(in: 0...255) }
    ) -> [UInt8] {
        var head = [0x80 | opcode.rawValue]
        switch payload.count {
        case ...125: head.append(0x80 | UInt8(payload.count))
        case ...65_535:
            head.append(0x80 | 126)
            withUnsafeBytes(of: UInt16(payload.count).bigEndian) { head += $0 }
        default:
            head.append(0x80 | 127)
            withUnsafeBytes(of: UInt64(payload.count).bigEndian) { head += $0 }
        }
        head += mask
        for (index, byte) in payload.enumerated() { head.append(byte ^ mask[index % 4]) }
        return head
    }
}
