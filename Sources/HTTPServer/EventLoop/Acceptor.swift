// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// Accepts a shard's connections: as many as it has room for, and as many as each client may have.
final class Acceptor {
    /// The token of the listening sockets in the shard's epoll set.
    static let token: UInt64 = 2

    private enum State: Equatable {
        case open
        /// There is no room for the moment: newcomers wait in the kernel's queue.
        case shut(since: LoopTime)
        /// That went on for too long: newcomers are rejected.
        case refusing
    }

    /// Responses for clients over their connection limit.
    private struct Rejections {
        let tooMany: [UInt8]
        let tooOften: [UInt8]
    }

    /// How long newcomers wait without a word. Thousands come back at once when a server starts again; there is room for
    /// them within a moment.
    private static let shutTimeout = Duration.seconds(1)

    private let clients: ConnectionRoom
    private let rejections: Rejections
    private let poller: Poller
    private let clock: LoopClock
    private var listener: AcceptingSockets?
    private var state = State.open
    /// A client waits to be accepted.
    private(set) var isPending = false
    /// Where the connection is counted that libmicrohttpd is about to take.
    private var newcomer: ConnectionRoom.Place?

    /// - Parameter sockets: Owned from then on.
    init(
        listeningOn sockets: [Int32],
        clients: ConnectionRoom,
        refusing application: any Application,
        poller: Poller,
        clock: LoopClock
    ) {
        self.clients = clients
        self.poller = poller
        self.clock = clock
        rejections = Rejections(
            tooMany: application.refusal(of: .tooManyConnections).bytesOfLastAnswer,
            tooOften: application.refusal(of: .tooManyConnects).bytesOfLastAnswer
        )
        for socket in sockets { poller.add(socket, EPOLLIN, token: Self.token) }
        listener = AcceptingSockets(sockets, refusing: application.refusal(of: .noConnection).bytesOfLastAnswer)
    }

    /// Connections that were rejected.
    var refused: UInt64 { listener?.refused ?? 0 }

    /// When there is something to do without an event; `nil` if there is nothing.
    var nextDeadline: LoopTime? {
        let end = listener?.endOfLeaving
        guard case .shut(let since) = state else { return end }
        return min(end ?? since + Self.shutTimeout, since + Self.shutTimeout)
    }

    /// epoll has reported a listening socket.
    func wake() { isPending = true }

    /// Accepts a group of newcomers, or rejects it.
    ///
    /// - Parameters:
    ///   - room: How many connections more libmicrohttpd can have.
    ///   - add: Hands a socket to libmicrohttpd. If that takes it, the connection begins during the call (`takeNewcomer`).
    func accept(atMost room: Int, _ add: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void) {
        guard isPending else { return }
        if state == .refusing {
            isPending = listener?.refuse() ?? false
        } else if room > 0 {
            isPending =
                listener?.accept(atMost: room, at: clock.now) { accept($0, from: $1, length: $2, add) } ?? false
        }
    }

    /// - Returns: `nil`, or the response to a client that may not have another connection.
    private func accept(
        _ socket: Int32,
        from address: UnsafePointer<sockaddr>,
        length: socklen_t,
        _ add: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Void
    ) -> [UInt8]? {
        do throws(ConnectionRoom.Rejection) {
            newcomer = try clients.take(for: address, on: socket, at: clock.now)
        } catch {
            switch error {
            case .tooManyConnects: return rejections.tooOften
            case .tooManyConnections: return rejections.tooMany
            }
        }
        add(socket, address, length)
        // libmicrohttpd did not take it.
        if let place = takeNewcomer() { clients.giveBack(place) }
        return nil
    }

    /// Where the connection is counted that has just begun; from then on the caller gives the place back.
    func takeNewcomer() -> ConnectionRoom.Place? {
        defer { newcomer = nil }
        return newcomer
    }

    func giveBack(_ place: ConnectionRoom.Place) { clients.giveBack(place) }

    /// Call it once a turn. Newcomers for whom there is no room wait a moment, and then are rejected.
    func updateState(room: Int) {
        isPending = false
        if case .open = state, room > 0 { return }
        guard let sockets = listener?.descriptors else { return }
        let before = state
        if room > 0 {
            state = .open
        } else if state == .open {
            state = .shut(since: clock.now)
        } else if case .shut(let since) = state, clock.now >= since + Self.shutTimeout {
            state = .refusing
        }
        guard state != before else { return }
        var interest = EPOLLIN
        if case .shut = state { interest = EPOLL_EVENTS(rawValue: 0) }
        for socket in sockets { poller.change(socket, interest, token: Self.token) }
    }

    /// Closes the sockets of rejected clients when it is time.
    func runDeadlines() {
        if let end = listener?.endOfLeaving, end <= clock.now { listener?.closeLeaving() }
    }

    /// Closes the listening sockets.
    func stop() {
        listener = nil
        state = .open
    }
}
