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
    /// The index of the first unread byte.
    private var place = 0
    /// The message whose last frame has not come.
    private var begun: (opcode: Opcode, payload: [UInt8])?

    /// - Parameter longestMessage: Bytes.
    package init(longestMessage: Int) { self.longestMessage = longestMessage }

    package mutating func append(_ more: ArraySlice<UInt8>) {
        // Here, and not at each frame: it moves all unread bytes.
        bytes.removeFirst(place)
        place = 0
        bytes += more
    }

    /// Returns the next complete message; `nil` until there is one.
    package mutating func next() -> Message? {
        while !isInvalid, let (opcode, isLast, payload) = nextFrame() {
            if opcode.isControl {
                guard isLast, payload.count <= 125 else { return fail() }
                return Message(opcode: opcode, payload: payload)
            }
            guard (opcode == .continuation) == (begun != nil) else { return fail() }
            if begun == nil { begun = (opcode, payload) } else { begun?.payload += payload }
            guard let count = begun?.payload.count, count <= longestMessage else { return fail() }
            if isLast, let message = begun {
                begun = nil
                return Message(opcode: message.opcode, payload: message.payload)
            }
        }
        return nil
    }

    private mutating func nextFrame() -> (Opcode, isLast: Bool, [UInt8])? {
        guard bytes.count >= place + 2 else { return nil }
        let (first, second) = (bytes[place], bytes[place + 1])
        // Neither extensions nor masks come from a server.
        guard let opcode = Opcode(rawValue: first & 0x0F), first & 0x70 == 0, second & 0x80 == 0 else {
            isInvalid = true
            return nil
        }
        let start = place + (second == 126 ? 4 : second == 127 ? 10 : 2)
        guard bytes.count >= start else { return nil }
        let length = second < 126 ? UInt64(second) : bytes[place + 2..<start].reduce(0) { $0 << 8 | UInt64($1) }
        guard length <= longestMessage else {
            isInvalid = true
            return nil
        }
        let end = start + Int(length)
        guard bytes.count >= end else { return nil }
        place = end
        return (opcode, first & 0x80 != 0, Array(bytes[start..<end]))
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
