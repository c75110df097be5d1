// SPDX-License-Identifier: Apache-2.0

/// The framing of one connection: bytes of the client in, messages out, and back. Rules only, without a socket.
///
/// ```
///   plain       00 length type message ↔
///   encrypted   01 00 00, 01 length 00 e →   ← 01 length 01 name 00 MAC 00, 01 length 00 e ee   then frames ↔
/// ```
struct Transport {
    private enum State {
        /// The first byte decides.
        case undecided
        case plain
        case hello(NoiseKey)
        case handshake(NoiseHandshake)
        case encrypted(receiving: NoiseCipher, sending: NoiseCipher)
    }

    /// The longest hello or handshake. Clients send 0 and 49 bytes.
    private static let longestHandshake = 128
    /// The type and the length of an encrypted message.
    private static let headCount = 4

    private var state: State
    private let identity: Identity
    private let makeSecret: () -> [UInt8]
    private var input = InputBuffer()
    /// The bytes for the client. The caller removes what it has sent.
    var output: [UInt8] = []

    /// - Parameters:
    ///   - admission: In the window a client may encrypt with the key that everybody knows.
    ///   - makeSecret: Returns 32 random bytes.
    init(_ admission: Admission, _ identity: Identity, makeSecret: @escaping () -> [UInt8] = Self.randomSecret) {
        state =
            switch admission {
            case .key(let key): .hello(key)
            case .local: .plain
            case .window: .undecided
            }
        self.identity = identity
        self.makeSecret = makeSecret
    }

    static func randomSecret() -> [UInt8] { (0..<NoiseHandshake.keyCount).map { _ in .random(in: 0 ... .max) } }

    mutating func receive(_ bytes: some Sequence<UInt8>) { input.append(bytes) }

    /// Returns the next message; `nil` if it is not complete.
    ///
    /// - Throws: The reason for which the connection ends, after `output` was sent.
    mutating func next() throws(FrameFailure) -> Frame? {
        do throws(FrameFailure) {
            while true {
                switch state {
                case .undecided:
                    guard let first = input.unread.first else { return nil }
                    state = first == NoiseFrames.indicator ? .hello(.zero) : .plain
                case .plain: return try PlainFrames.next(in: &input)
                case .hello(let key):
                    guard let hello = try NoiseFrames.next(in: &input, longest: Self.longestHandshake) else {
                        return nil
                    }
                    let prologue = Array("NoiseAPIInit".utf8) + [0, UInt8(hello.count)] + hello
                    state = .handshake(NoiseHandshake(key, prologue: prologue))
                    NoiseFrames.append(identity.serverHello, to: &output)
                case .handshake(var handshake):
                    guard let message = try NoiseFrames.next(in: &input, longest: Self.longestHandshake) else {
                        return nil
                    }
                    guard message.first == 0 else { throw .malformed }
                    guard handshake.read(Array(message.dropFirst())) else { throw .wrongKey }
                    NoiseFrames.append([0] + handshake.write(makeSecret()), to: &output)
                    let ciphers = handshake.ciphers
                    state = .encrypted(receiving: ciphers.receiving, sending: ciphers.sending)
                case .encrypted(var receiving, let sending):
                    let longest = Frame.longest + Self.headCount + NoiseCipher.tagCount
                    guard let frame = try NoiseFrames.next(in: &input, longest: longest) else { return nil }
                    guard let bytes = receiving.decrypt(frame), bytes.count >= Self.headCount else { throw .malformed }
                    state = .encrypted(receiving: receiving, sending: sending)
                    // Clients ignore the length, too: the frame has it.
                    return Frame(type: Int(bytes[0]) << 8 | Int(bytes[1]), body: Array(bytes.dropFirst(Self.headCount)))
                }
            }
        } catch {
            input.removeAll()
            explain(error)
            throw error
        }
    }

    /// Sends the client the reason for which the connection ends. An established one just ends.
    private mutating func explain(_ failure: FrameFailure) {
        let text = Array(failure.explanation.utf8)
        switch state {
        case .hello, .handshake: NoiseFrames.append([1] + text, to: &output)
        case .plain: if failure == .serverHasNoKey { output += [PlainFrames.indicator] + text }
        case .encrypted, .undecided: break
        }
    }

    /// Appends a message to `output`. Before the end of the handshake there is nobody to send one to.
    mutating func send(_ message: OutgoingMessage) {
        switch state {
        case .plain: PlainFrames.append(message.type, message.body, to: &output)
        case .encrypted(let receiving, var sending):
            let (type, count) = (message.type.rawValue, message.body.count)
            let head = [type >> 8, type, count >> 8, count].map { UInt8(truncatingIfNeeded: $0) }
            NoiseFrames.append(sending.encrypt(head + message.body), to: &output)
            state = .encrypted(receiving: receiving, sending: sending)
        case .hello, .handshake, .undecided: break
        }
    }
}
