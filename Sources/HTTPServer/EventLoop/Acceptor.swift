// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Accepts the connections of a shard, up to its capacity and up to the limit of each client.
final class Acceptor {
    /// The token of the listening sockets in the shard's epoll set.
    static let token: UInt64 = 2

    private enum State: Equatable {
        case open
        /// The shard is full: new connections wait in the kernel's queue.
        case shut(since: LoopTime)
        /// The shard was full for too long: new connections are rejected.
        case rejecting
    }

    /// The time that new connections wait without a response.
    ///
    /// Thousands of clients reconnect at once when a server restarts. There is capacity for them within a moment.
    private static let shutTimeout = Duration.seconds(1)

    private let limiter: ConnectionLimiter
    /// The responses for clients over their limits of connections and of new connections per second.
    private let tooMany, tooOften: [UInt8]
    private let poller: Poller
    private let clock: LoopClock
    @exclusivity(unchecked) private var listener: AcceptingSockets?
    @exclusivity(unchecked) private var state = State.open
    /// Whether a client may wait to be accepted.
    @exclusivity(unchecked) private(set) var isPending = false
    /// The slots of the sockets that libmicrohttpd has been given and whose connection has not begun.
    ///
    /// 0.9.75 begins a connection while it is added, 1.0 in its next round.
    private var newcomers: [Int32: ConnectionLimiter.Slot] = [:]

    /// - Parameter sockets: The listening sockets. The acceptor owns them from this call on.
    init(
        listeningOn sockets: [Int32],
        limiter: ConnectionLimiter,
        refusing application: any Application,
        poller: Poller,
        clock: LoopClock
    ) {
        self.limiter = limiter
        self.poller = poller
        self.clock = clock
        tooMany = application.refusal(of: .tooManyConnections(limit: limiter.connections.count)).bytesOfLastResponse
        tooOften = application.refusal(of: .tooManyConnects(perSecond: limiter.connects.count)).bytesOfLastResponse
        for socket in sockets { poller.add(socket, EPOLLIN, token: Self.token) }
        let refusal = application.refusal(of: .noConnectionCapacity).bytesOfLastResponse
        listener = AcceptingSockets(sockets, refusing: refusal)
    }

    /// The number of rejected connections.
    var refused: UInt64 { listener?.refused ?? refusedUntilStop }
    private var refusedUntilStop: UInt64 = 0

    /// When `runDeadlines` or `updateState` must be called next; `nil` without a deadline.
    var nextDeadline: LoopTime? {
        let end = listener?.lingerDeadline
        guard case .shut(let since) = state else { return end }
        return min(end ?? since + Self.shutTimeout, since + Self.shutTimeout)
    }

    /// Notes that epoll reported a listening socket.
    func wake() { isPending = true }

    /// Whether `updateState` is due in this turn: connections wait, or new ones are held or rejected.
    var mayChange: Bool { isPending || state != .open }

    /// Accepts a group of new connections, or rejects it.
    ///
    /// - Parameters:
    ///   - capacity: Remaining connection capacity of libmicrohttpd.
    ///   - add: Hands a socket to libmicrohttpd, and returns whether libmicrohttpd accepts it. Then the connection
    ///     begins during the call or later (`takeNewcomer`).
    func accept(atMost capacity: @autoclosure () -> Int, _ add: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool) {
        guard isPending else { return }
        let capacity = capacity()
        if state == .rejecting {
            isPending = listener?.rejectGroups() ?? false
        } else if capacity > 0 {
            isPending =
                listener?.accept(atMost: capacity, at: clock.now) { accept($0, from: $1, length: $2, add) } ?? false
        }
    }

    /// - Returns: The rejection for a client over its limit; `nil` if the socket was handed on.
    private func accept(
        _ socket: Int32,
        from address: UnsafePointer<sockaddr>,
        length: socklen_t,
        _ add: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> [UInt8]? {
        do throws(ConnectionLimiter.Rejection) {
            let slot = try limiter.acquire(for: address, on: socket, at: clock.now)
            // A connection that libmicrohttpd gave up before it began: its descriptor is in use again.
            if let left = newcomers.updateValue(slot, forKey: socket) { limiter.release(left) }
        } catch {
            switch error {
            case .tooManyConnects: return tooOften
            case .tooManyConnections: return tooMany
            }
        }
        if !add(socket, address, length), let slot = takeNewcomer(on: socket) { limiter.release(slot) }
        return nil
    }

    /// Takes the slot of the connection that has just begun on a socket. The caller must release it.
    func takeNewcomer(on socket: Int32) -> ConnectionLimiter.Slot? { newcomers.removeValue(forKey: socket) }

    func release(_ slot: ConnectionLimiter.Slot) { limiter.release(slot) }

    /// Updates whether connections are accepted, held or rejected. Call it once per turn.
    func updateState(capacity: Int) {
        isPending = false
        if case .open = state, capacity > 0 { return }
        guard let sockets = listener?.descriptors else { return }
        let before = state
        if capacity > 0 {
            state = .open
        } else if state == .open {
            state = .shut(since: clock.now)
        } else if case .shut(let since) = state, clock.now >= since + Self.shutTimeout {
            state = .rejecting
        }
        guard state != before else { return }
        var interest = EPOLLIN
        if case .shut = state { interest = EPOLL_EVENTS(rawValue: 0) }
        for socket in sockets { poller.change(socket, interest, token: Self.token) }
    }

    /// Closes the sockets of rejected clients when their linger time is over.
    func runDeadlines() {
        if let end = listener?.lingerDeadline, end <= clock.now { listener?.closeLingering() }
    }

    /// Closes the listening sockets.
    func stop() {
        refusedUntilStop = refused
        listener = nil
        state = .open
    }
}
