// SPDX-License-Identifier: Apache-2.0

/// A message of a client: its type, and its fields.
struct Frame: Equatable {
    let type: Int
    let body: [UInt8]

    /// The longest accepted message. Clients send commands and states of entities, which are far shorter.
    static let longest = 16_384
}

/// The input of a connection that is not parsed yet: less than one frame and one read.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var unread: ArraySlice<UInt8> { bytes[start...] }

    mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes.append(contentsOf: more)
    }

    mutating func skip(_ count: Int) { start += count }

    mutating func removeAll() { self = InputBuffer() }
}

/// The bytes of a client are not a frame, or are not accepted. The connection ends after `explanation`.
enum FrameFailure: Error, Equatable {
    /// The client does not encrypt, and the server requires it.
    case requiresEncryption
    /// The client encrypts, and the server has no key.
    case serverHasNoKey
    /// The client has another key.
    case wrongKey
    /// A frame is longer than `Frame.longest`.
    case tooLong
    /// A frame that cannot be read or decrypted: forged, repeated or out of order.
    case malformed

    /// The text for the client. Home Assistant knows some of them by heart.
    var explanation: String {
        switch self {
        case .requiresEncryption, .serverHasNoKey: "Bad indicator byte"
        case .wrongKey: "Handshake MAC failure"
        case .tooLong: "Packet too large"
        case .malformed: "Handshake error"
        }
    }
}

/// The plain form: `00`, the length, the type, the message.
enum PlainFrames {
    static let indicator: UInt8 = 0
    /// The bytes of the longest accepted length, and of the longest type.
    private static let longestNumber = 3

    /// Removes a frame from the input; `nil` while it is not complete.
    static func next(in input: inout InputBuffer) throws(FrameFailure) -> Frame? {
        let bytes = input.unread
        guard let first = bytes.first else { return nil }
        guard first == indicator else { throw first == NoiseFrames.indicator ? .serverHasNoKey : .malformed }
        guard let (count, countWidth) = Varint.read(bytes.dropFirst(), atMost: longestNumber) else { throw .tooLong }
        guard countWidth > 0 else { return nil }
        guard count <= Frame.longest else { throw .tooLong }
        guard let (type, typeWidth) = Varint.read(bytes.dropFirst(1 + countWidth), atMost: longestNumber) else {
            throw .malformed
        }
        let head = 1 + countWidth + typeWidth
        guard typeWidth > 0, bytes.count >= head + Int(count) else { return nil }
        let body = Array(bytes.dropFirst(head).prefix(Int(count)))
        input.skip(head + Int(count))
        return Frame(type: Int(type), body: body)
    }

    static func append(_ type: MessageType, _ body: [UInt8], to output: inout [UInt8]) {
        output.append(indicator)
        Varint.append(UInt64(body.count), to: &output)
        Varint.append(UInt64(type.rawValue), to: &output)
        output += body
    }
}

/// The encrypted form: `01`, the length as 16 bits, the encrypted bytes.
enum NoiseFrames {
    static let indicator: UInt8 = 1

    /// Removes a frame from the input; `nil` while it is not complete.
    static func next(in input: inout InputBuffer, longest: Int) throws(FrameFailure) -> [UInt8]? {
        let bytes = input.unread
        guard let first = bytes.first else { return nil }
        guard first == indicator else { throw first == PlainFrames.indicator ? .requiresEncryption : .malformed }
        guard bytes.count >= 3 else { return nil }
        let count = Int(bytes[bytes.startIndex + 1]) << 8 | Int(bytes[bytes.startIndex + 2])
        guard count <= longest else { throw .tooLong }
        guard bytes.count >= 3 + count else { return nil }
        defer { input.skip(3 + count) }
        return Array(bytes.dropFirst(3).prefix(count))
    }

    static func append(_ bytes: [UInt8], to output: inout [UInt8]) {
        output += [indicator, UInt8(truncatingIfNeeded: bytes.count >> 8), UInt8(truncatingIfNeeded: bytes.count)]
        output += bytes
    }
}
