// SPDX-License-Identifier: Apache-2.0
internal import CWslay

/// A parser of a client's messages: libwslay parses frames, this class applies the rules between frames (RFC 6455,
/// section 5.4).
///
/// About 4.5 KiB. A WebSocket has one only while it receives a message. A reader that `isIdle` may serve any client.
final class MessageReader {
    /// A parsed element, in order. After `close` and `fault` nothing is read.
    enum Incoming: Equatable {
        case message(Message)
        case ping([UInt8])
        case pong
        /// The client closes the WebSocket.
        case close(CloseCode?)
        /// The client violates the protocol.
        case fault(CloseCode)
    }

    private let context: OpaquePointer
    /// The bytes that libwslay reads next.
    private let input: UnsafeMutablePointer<UnsafeRawBufferPointer>

    /// Bytes received minus the bytes of complete frames: the size of the partial frame.
    private var unfinished: UInt64 = 0
    /// Payload bytes of the current frame that are missing; `nil` between frames.
    private var payloadLeft: UInt64?
    private var control: [UInt8] = []
    private var kind: Frame.Opcode?
    private var message: [UInt8] = []
    private var text = UTF8Validator()
    /// Bytes that were received but not parsed.
    private var rest: [UInt8] = []

    init() {
        input = .allocate(capacity: 1)
        input.initialize(to: UnsafeRawBufferPointer(start: nil, count: 0))
        var callbacks = wslay_frame_callbacks(send_callback: nil, recv_callback: Self.takeInput, genmask_callback: nil)
        var context: OpaquePointer?
        // Fails only when memory is exhausted, which Swift does not survive either.
        guard wslay_frame_context_init(&context, &callbacks, input) == 0, let context else {
            preconditionFailure("no memory for a frame")
        }
        self.context = context
    }

    deinit {
        wslay_frame_context_free(context)
        input.deallocate()
    }

    /// Whether no message is in progress, so that the next byte may be any client's.
    var isIdle: Bool { unfinished == 0 && payloadLeft == nil && kind == nil }

    /// Parses bytes, after those left from earlier calls. After `close` or `fault` the reader must not be used again.
    ///
    /// - Parameter handle: Handles an element. If it returns `false`, the remaining bytes are kept.
    func read(_ bytes: UnsafeRawBufferPointer, under rules: MessageRules, _ handle: (Incoming) -> Bool) {
        unfinished += UInt64(bytes.count)
        if rest.isEmpty { return readOn(bytes, under: rules, handle) }
        let all = rest + bytes
        rest = []
        all.withUnsafeBytes { readOn($0, under: rules, handle) }
    }

    private func readOn(_ bytes: UnsafeRawBufferPointer, under rules: MessageRules, _ handle: (Incoming) -> Bool) {
        input.pointee = bytes
        defer {
            rest = Array(input.pointee)
            input.pointee = UnsafeRawBufferPointer(start: nil, count: 0)
        }
        do throws(CloseCode) {
            while let piece = try nextPiece() {
                guard let complete = try receive(piece, under: rules) else { continue }
                if case .close = complete {
                    _ = handle(complete)
                    return
                }
                guard handle(complete) else { return }
            }
        } catch {
            _ = handle(.fault(error))
        }
    }

    private static let takeInput: wslay_frame_recv_callback = { buffer, space, _, context in
        guard let buffer, let input = context?.assumingMemoryBound(to: UnsafeRawBufferPointer.self) else { return -1 }
        let count = min(space, input.pointee.count)
        guard count > 0 else { return -1 }
        UnsafeMutableRawBufferPointer(start: buffer, count: count).copyMemory(
            from: .init(rebasing: input.pointee[..<count])
        )
        input.pointee = UnsafeRawBufferPointer(rebasing: input.pointee[count...])
        return count
    }

    /// Returns a part of a frame's payload with its head; `nil` if more bytes are needed.
    private func nextPiece() throws(CloseCode) -> wslay_frame_iocb? {
        var piece = wslay_frame_iocb()
        while true {
            let hadInput = !input.pointee.isEmpty
            let size = wslay_frame_recv(context, &piece)
            if size >= 0 { return piece }
            guard size == Int(WSLAY_ERR_WANT_READ.rawValue) else { throw .protocolError }
            // libwslay may need more than it read at once.
            if !hadInput { return nil }
        }
    }

    private func receive(_ piece: wslay_frame_iocb, under rules: MessageRules) throws(CloseCode) -> Incoming? {
        guard let opcode = Frame.Opcode(rawValue: piece.opcode) else { throw .protocolError }
        if payloadLeft == nil { try begin(piece, opcode, under: rules) }
        let payload = UnsafeRawBufferPointer(start: piece.data, count: piece.data_length)
        if opcode.isControl {
            control += payload
        } else {
            message += payload
            if kind == .text, !text.accepts(payload) { throw .invalidText }
        }
        let left = (payloadLeft ?? 0) - UInt64(payload.count)
        payloadLeft = left
        guard left == 0 else { return nil }
        payloadLeft = nil
        unfinished -= Self.size(of: piece)
        return try opcode.isControl ? endControl(opcode) : endData(piece)
    }

    /// Checks the head of a frame. libwslay has checked that of a control frame.
    private func begin(_ piece: wslay_frame_iocb, _ opcode: Frame.Opcode, under rules: MessageRules) throws(CloseCode) {
        guard piece.mask == 1, piece.rsv == 0 else { throw .protocolError }
        payloadLeft = piece.payload_length
        if opcode.isControl { return }
        guard (opcode == .continuation) == (kind != nil) else { throw .protocolError }
        if opcode == .binary, !rules.takesBinary { throw .unsupportedData }
        if opcode != .continuation { kind = opcode }
        guard UInt64(message.count) + piece.payload_length <= UInt64(rules.longest) else { throw .messageTooBig }
    }

    private static func size(of piece: wslay_frame_iocb) -> UInt64 {
        let length: UInt64 =
            switch piece.payload_length {
            case ..<126: 0
            case ..<65_536: 2
            default: 8
            }
        return 2 + length + 4 + piece.payload_length
    }

    private func endControl(_ opcode: Frame.Opcode) throws(CloseCode) -> Incoming {
        let payload = control
        control = []
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong
        default: return .close(try Self.closeCode(payload))
        }
    }

    private static func closeCode(_ payload: [UInt8]) throws(CloseCode) -> CloseCode? {
        if payload.isEmpty { return nil }
        guard payload.count > 1 else { throw .protocolError }
        let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
        guard code.maySend else { throw .protocolError }
        var reason = UTF8Validator()
        let isText = payload.withUnsafeBytes { reason.accepts(UnsafeRawBufferPointer(rebasing: $0[2...])) }
        guard isText, reason.isComplete else { throw .invalidText }
        return code
    }

    private func endData(_ piece: wslay_frame_iocb) throws(CloseCode) -> Incoming? {
        guard piece.fin == 1 else { return nil }
        defer {
            kind = nil
            message = []
            text = UTF8Validator()
        }
        guard kind == .text else { return .message(.binary(message)) }
        guard text.isComplete else { throw .invalidText }
        return .message(.text(message))
    }
}

/// An incremental UTF-8 validator (RFC 3629). It rejects invalid text at its first impossible byte.
struct UTF8Validator {
    /// The number of missing bytes of the current character.
    private var missing = 0
    /// The valid range of the next byte. It is narrower for the second byte of some characters, which excludes overlong
    /// forms, surrogates, and code points beyond U+10FFFF.
    private var next: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the text ends with a whole character.
    var isComplete: Bool { missing == 0 }

    /// Returns `false` if no continuation can make the text valid.
    mutating func accepts(_ bytes: UnsafeRawBufferPointer) -> Bool {
        for byte in bytes {
            if missing > 0 {
                guard next.contains(byte) else { return false }
                missing -= 1
                next = 0x80...0xBF
                continue
            }
            switch byte {
            case 0x00...0x7F: continue
            case 0xC2...0xDF: missing = 1
            case 0xE0: (missing, next) = (2, 0xA0...0xBF)
            case 0xED: (missing, next) = (2, 0x80...0x9F)
            case 0xE1...0xEF: missing = 2
            case 0xF0: (missing, next) = (3, 0x90...0xBF)
            case 0xF1...0xF3: missing = 3
            case 0xF4: (missing, next) = (3, 0x80...0x8F)
            default: return false
            }
        }
        return true
    }
}
