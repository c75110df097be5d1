// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import CMicroHTTPD
import Glibc

/// The watches of a shard's connections, at stable addresses.
///
/// libmicrohttpd keeps a pointer to each with its connection. All are allocated at the start, so a request needs
/// neither an allocation nor a search.
final class ConnectionWatches {
    private let watches: UnsafeMutableBufferPointer<ConnectionWatch>
    private var vacant: [Int] = []
    /// The number of watches that were ever used.
    private var used = 0
    private let limits: ConnectionLimits
    private let poller: Poller
    private let clock: LoopClock
    /// Bytes of large responses that clients have not read yet; a shared body counts once.
    private var unreadBytes = 0
    /// The bodies that connections share, by the indices of their watches, and the number of connections with each.
    private var sharedBodies: [Int: SharedBody] = [:]
    private var sharers: [ObjectIdentifier: Int] = [:]
    /// The response to overdue clients that have received nothing yet.
    private let refusal: [UInt8]
    /// Whether no connection can become overdue before the next event.
    private(set) var isResting = true

    /// - Parameter connections: The maximum number of connections.
    init(
        for connections: Int,
        limits: ConnectionLimits,
        refusing refusal: [UInt8],
        poller: Poller,
        clock: LoopClock
    ) {
        watches = .allocate(capacity: connections)
        self.limits = limits
        self.poller = poller
        self.clock = clock
        self.refusal = refusal
    }

    deinit { watches.deallocate() }

    // MARK: Called by libmicrohttpd

    /// Creates the watch of a new connection.
    ///
    /// - Returns: The pointer that libmicrohttpd keeps with the connection; `nil` beyond the capacity.
    func begin(_ connection: OpaquePointer, in slot: ConnectionLimiter.Slot) -> UnsafeMutableRawPointer? {
        let index = vacant.popLast() ?? used
        guard index < watches.count else { return nil }
        used = max(used, index + 1)
        watches.initializeElement(at: index, to: ConnectionWatch(cmhd_socket(connection), in: slot, at: clock.second))
        isResting = false
        return UnsafeMutableRawPointer(watches.baseAddress?.advanced(by: index))
    }

    /// Frees the watch of a closed connection.
    ///
    /// - Returns: The slot in which its client was counted.
    func end(_ watch: UnsafeMutableRawPointer?) -> ConnectionLimiter.Slot {
        guard let watch = watch?.assumingMemoryBound(to: ConnectionWatch.self), let first = watches.baseAddress
        else { return .uncounted }
        watch.pointee.enter(.left)
        forgetResponse(watch)
        vacant.append(watch - first)
        return watch.pointee.slot
    }

    /// Counts a response that is about to be sent; a body that connections share is counted once. Beyond the limit, the
    /// client with the most unread bytes is disconnected.
    func beginResponse(of bytes: Int, _ shared: SharedBody?, on connection: OpaquePointer) {
        guard bytes > Response.large, let first = watches.baseAddress,
            let watch = cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self)
        else { return }
        watch.pointee.unread = UInt32(clamping: bytes)
        if let shared {
            sharedBodies[watch - first] = shared
            sharers[ObjectIdentifier(shared), default: 0] += 1
        }
        if sharerCount(of: watch - first) == 1 { unreadBytes += Int(watch.pointee.unread) }
        while unreadBytes > limits.waitingBytes, let index = largestResponse {
            forgetResponse(first + index)
            disconnect(index, sendsResponse: false)
        }
    }

    /// Notes the end of a request. The connection may have another.
    func endRequest(on connection: OpaquePointer) {
        guard let watch = cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self) else { return }
        watch.pointee.enter(.idle)
        forgetResponse(watch)
    }

    private func forgetResponse(_ watch: UnsafeMutablePointer<ConnectionWatch>) {
        guard watch.pointee.unread > 0, let first = watches.baseAddress else { return }
        let index = watch - first
        let count = sharerCount(of: index)
        if count == 1 { unreadBytes -= Int(watch.pointee.unread) }
        if let shared = sharedBodies.removeValue(forKey: index) {
            sharers[ObjectIdentifier(shared)] = count > 1 ? count - 1 : nil
        }
        watch.pointee.unread = 0
    }

    /// The number of connections that have the body of this one's response.
    private func sharerCount(of index: Int) -> Int {
        sharedBodies[index].flatMap { sharers[ObjectIdentifier($0)] } ?? 1
    }

    private var largestResponse: Int? {
        func part(_ index: Int) -> Int { Int(watches[index].unread) / sharerCount(of: index) }
        return (0..<used).filter { watches[$0].unread > 0 }.max { part($0) < part($1) }
    }

    static func enter(_ stage: ConnectionWatch.Stage, _ connection: OpaquePointer) {
        cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self).pointee.enter(stage)
    }

    /// Stops watching a connection whose socket the shard has adopted.
    func leave(_ connection: OpaquePointer) {
        guard let watch = cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self) else { return }
        watch.pointee.enter(.left)
        if watch.pointee.isRegistered { poller.remove(watch.pointee.socket) }
    }

    // MARK: Called by the shard

    /// The upper half of a watch's token in epoll.
    private static let tokens: UInt64 = 1

    static func owns(_ token: UInt64) -> Bool { token >> 32 == tokens }

    /// Notes that epoll reported input on an armed connection.
    func received(_ token: UInt64) {
        watches[Int(token & 0xFFFF_FFFF)].receiveByte(at: clock.second)
        isResting = false
    }

    /// Resumes the checks: requests are active, also of connections whose first byte epoll did not report.
    func wake() { isResting = false }

    /// Closes overdue connections. Call it about once a second unless `isResting`.
    func tick() {
        isResting = true
        for index in 0..<used {
            switch watches[index].check(at: clock.second, limits) {
            case .atRest: continue
            case .underWay: break
            case .arm: arm(index)
            case .end(let sendsResponse): disconnect(index, sendsResponse: sendsResponse)
            }
            isResting = false
        }
    }

    /// Lets epoll report the first byte of a connection's next request, which libmicrohttpd does not report.
    private func arm(_ index: Int) {
        let (socket, token) = (watches[index].socket, Self.tokens << 32 | UInt64(index))
        // libmicrohttpd has read the bytes that came before, so epoll does not report them.
        if watches[index].isNew, hasReceived(socket) { return watches[index].receiveByte(at: clock.second) }
        if watches[index].isRegistered {
            poller.change(socket, EPOLLIN | EPOLLONESHOT, token: token)
        } else {
            poller.add(socket, EPOLLIN | EPOLLONESHOT, token: token)
        }
        watches[index].arm()
    }

    /// Whether a TCP connection has received a byte; `false` for other sockets.
    private func hasReceived(_ socket: Int32) -> Bool {
        // The kernel's `tcp_info` up to `tcpi_bytes_received` (Linux 4.1), which glibc's declaration lacks.
        var info = [UInt64](repeating: 0, count: 17)
        var length = socklen_t(info.count * MemoryLayout<UInt64>.stride)
        return getsockopt(socket, Int32(IPPROTO_TCP), TCP_INFO, &info, &length) == 0 && info[16] > 0
    }

    /// Shuts a socket down. libmicrohttpd treats it like a disconnect by the client.
    private func disconnect(_ index: Int, sendsResponse: Bool) {
        watches[index].enter(.left)
        let socket = watches[index].socket
        if sendsResponse { _ = send(socket, refusal, refusal.count, TransferFlags.quietly | TransferFlags.atOnce) }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
