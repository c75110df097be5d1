// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The connection of one client: a socket, its framing, its conversation, and its deadlines. On the server's thread.
final class Connection {
    /// The time for the handshake and the hello.
    static let greetingTime: Duration = .seconds(10)
    /// The silence after which a client is asked whether it is there, and the one after which it is gone.
    static let (pingTime, silenceTime) = (Duration.seconds(60), Duration.seconds(150))
    /// The time in which a client must read something.
    static let stallTime: Duration = .seconds(60)
    /// The time for the last bytes, and for the client to close.
    static let closingTime: Duration = .seconds(2)
    /// The unsent bytes up to which messages are prepared and read.
    private static let outputLimit = 16_384
    private static let readCount = 4_096

    private enum Phase {
        case open
        /// The last bytes are on their way. The client's are discarded, because a close with unread ones would be a
        /// reset, which may overtake them.
        case closing(until: Instant)
        case over
    }

    let socket: Int32
    private(set) var session: ClientSession
    let peer: PeerAddress
    /// Why the client was refused; `nil` for any other end.
    private(set) var refusal: FrameFailure?
    private var transport: Transport
    private var phase = Phase.open
    private var sent = 0
    /// Whether `process` stopped because of the limit, and goes on as soon as the client can be sent more.
    private var isInterrupted = false
    private let start: Instant
    private var lastInput: Instant
    private var isPinged = false
    /// When the client last read something, or had nothing to read.
    private var lastOutput: Instant

    /// - Parameter socket: Closed at the end of this object.
    init(_ socket: Int32, of peer: PeerAddress, _ session: ClientSession, _ transport: Transport, at now: Instant) {
        self.socket = socket
        self.peer = peer
        self.session = session
        self.transport = transport
        (start, lastInput, lastOutput) = (now, now, now)
    }

    deinit { close(socket) }

    var isOver: Bool { if case .over = phase { true } else { false } }

    var isOpen: Bool { if case .open = phase { true } else { false } }

    /// The events to wait for. Nothing is read while input waits for room in the output: it could grow without limit.
    var interest: Int32 { (isInterrupted ? 0 : POLLIN) | (unsent > 0 || isInterrupted ? POLLOUT : 0) }

    private var unsent: Int { transport.output.count - sent }

    private var hasRoom: Bool { unsent < Self.outputLimit }

    /// Reads what the client has sent, and acts on it.
    func read(_ bridge: ESPHomeBridge, at now: Instant) {
        withUnsafeTemporaryAllocation(byteCount: Self.readCount, alignment: 1) { buffer in
            let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 else {
                if count == 0 || (errno != EAGAIN && errno != EINTR) { phase = .over }
                return
            }
            guard isOpen else { return }
            (lastInput, isPinged) = (now, false)
            transport.receive(buffer[..<count])
        }
        process(bridge, at: now)
    }

    /// Prepares messages and acts on those of the client, as long as the client reads; then sends.
    func process(_ bridge: ESPHomeBridge, at now: Instant) {
        do {
            while isOpen, hasRoom {
                if let message = session.next(bridge) {
                    transport.send(message)
                } else if session.isOver {
                    end(at: now)
                } else if let frame = try transport.next() {
                    try session.receive(frame, bridge)
                } else {
                    break
                }
            }
        } catch {
            refusal = error as? FrameFailure ?? .malformed
            end(at: now)
        }
        isInterrupted = isOpen && !hasRoom
        flush(at: now)
    }

    private func end(at now: Instant) { phase = .closing(until: now + Self.closingTime) }

    private func flush(at now: Instant) {
        while unsent > 0, !isOver {
            let count = transport.output.withUnsafeBytes { bytes in
                send(socket, bytes.baseAddress! + sent, unsent, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count < 0 {
                if errno != EAGAIN && errno != EINTR { phase = .over }
                return
            }
            sent += count
            lastOutput = now
        }
        transport.output.removeAll(keepingCapacity: true)
        (sent, lastOutput) = (0, now)
        if case .closing = phase { shutdown(socket, Int32(SHUT_WR)) }
    }

    /// Changes the conversation. `process` must follow.
    func change(_ body: (inout ClientSession) -> Void) { body(&session) }

    /// When the connection ends, unless the client does something before.
    private var endDeadline: Instant {
        switch phase {
        case .over: lastInput
        case .closing(let end): end
        case .open where !session.isGreeted: start + Self.greetingTime
        case .open where unsent > 0: min(lastInput + Self.silenceTime, lastOutput + Self.stallTime)
        case .open: lastInput + Self.silenceTime
        }
    }

    /// When a silent client is sent a ping; `nil` if it has one.
    private var pingDeadline: Instant? {
        isOpen && session.isGreeted && !isPinged ? lastInput + Self.pingTime : nil
    }

    /// When `runDeadline` has something to do.
    var deadline: Instant { min(endDeadline, pingDeadline ?? endDeadline) }

    /// Ends a connection whose time is over, or sends a ping to a client that is only silent.
    func runDeadline(_ bridge: ESPHomeBridge, at now: Instant) {
        if endDeadline <= now { phase = .over }
        guard let pingDeadline, pingDeadline <= now else { return }
        isPinged = true
        session.ping()
        process(bridge, at: now)
    }
}
