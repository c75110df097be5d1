// SPDX-License-Identifier: Apache-2.0

/// The frames that a server sends: whole, unmasked, without extensions (RFC 6455, section 5.2).
enum Frame {
    enum Opcode: UInt8 {
        case continuation = 0x0
        case text = 0x1
        case binary = 0x2
        case close = 0x8
        case ping = 0x9
        case pong = 0xA

        var isControl: Bool { rawValue & 0x8 != 0 }
    }

    static func encode(_ opcode: Opcode, _ payload: [UInt8] = []) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(payload.count + 10)
        appendHead(opcode, of: payload.count, to: &bytes)
        return bytes + payload
    }

    /// Appends the bytes before a payload.
    static func appendHead(_ opcode: Opcode, of count: Int, to bytes: inout [UInt8]) {
        bytes.append(0x80 | opcode.rawValue)
        switch count {
        case 0..<126:
            bytes.append(UInt8(count))
        case 126..<65_536:
            bytes.append(126)
            append(UInt16(count), to: &bytes)
        default:
            bytes.append(127)
            append(UInt64(count), to: &bytes)
        }
    }

    /// - Parameter code: The close code; `nil` answers a close frame without a code.
    static func close(_ code: CloseCode?) -> [UInt8] {
        var payload: [UInt8] = []
        if let code { append(code.rawValue, to: &payload) }
        return encode(.close, payload)
    }

    private static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}

/// The close code of a WebSocket (RFC 6455, section 7.4).
struct CloseCode: RawRepresentable, Hashable, Error {
    let rawValue: UInt16

    static let goingAway = CloseCode(rawValue: 1001)
    static let protocolError = CloseCode(rawValue: 1002)
    static let unsupportedData = CloseCode(rawValue: 1003)
    static let invalidText = CloseCode(rawValue: 1007)
    static let policyViolation = CloseCode(rawValue: 1008)
    static let messageTooBig = CloseCode(rawValue: 1009)
    static let internalError = CloseCode(rawValue: 1011)

    /// Whether a close frame may carry it: the codes of the IANA registry, and those of applications.
    var maySend: Bool {
        switch rawValue {
        case 1000...1003, 1007...1014, 3000...4999: true
        default: false
        }
    }
}

/// The format of events over a WebSocket: each is one text frame.
struct WebSocketFormat: StreamFormat {
    let encoding: EventEncoding

    func encode(_ event: Event, _ data: [UInt8]) -> [UInt8] { Frame.encode(.text, encoding.message(event, data)) }

    var greeting: [UInt8] { [] }

    var keepAlive: [UInt8] { Frame.encode(.ping) }

    var farewell: [UInt8] { Frame.close(.goingAway) }

    var revocation: [UInt8] { Frame.close(.policyViolation) }
}

extension StreamFormats {
    init(_ encoding: EventEncoding) { self.init(encoding, webSocket: WebSocketFormat(encoding: encoding)) }
}
