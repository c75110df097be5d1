// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import CMicroHTTPD
import Glibc

/// The watches of one shard's connections, in places that do not move: libmicrohttpd keeps a pointer to each with its
/// connection. All of them are made at the start, so that a request costs no memory and no search.
final class ConnectionWatches {
    private let places: UnsafeMutableBufferPointer<ConnectionWatch>
    private var vacant: [Int] = []
    /// Places that were ever taken.
    private var used = 0
    private let limits: ConnectionLimits
    private let poller: Poller
    private let clock: LoopClock
    /// Bytes of large answers that clients have not taken yet.
    private var answers = 0
    /// Smaller answers are what a kernel takes at once.
    private static let largeAnswer = 16_384
    /// The response to overdue clients, where no answer has begun.
    private let refusal: [UInt8]
    /// Nothing can become overdue without an event before.
    private(set) var isResting = true

    /// - Parameter connections: How many there are at most.
    init(
        for connections: Int,
        limits: ConnectionLimits,
        refusing refusal: [UInt8],
        poller: Poller,
        clock: LoopClock
    ) {
        places = .allocate(capacity: connections)
        self.limits = limits
        self.poller = poller
        self.clock = clock
        self.refusal = refusal
    }

    deinit { places.deallocate() }

    // MARK: Called by libmicrohttpd

    /// - Returns: What libmicrohttpd is to keep with the connection.
    func begin(_ connection: OpaquePointer, in place: ConnectionRoom.Place) -> UnsafeMutableRawPointer? {
        let index = vacant.popLast() ?? used
        guard index < places.count else { return nil }
        used = max(used, index + 1)
        places.initializeElement(at: index, to: ConnectionWatch(cmhd_socket(connection), in: place, at: clock.second))
        isResting = false
        return UnsafeMutableRawPointer(places.baseAddress?.advanced(by: index))
    }

    /// - Returns: Where its client was counted.
    func end(_ watch: UnsafeMutableRawPointer?) -> ConnectionRoom.Place {
        guard let watch, let first = places.baseAddress else { return .uncounted }
        let place = watch.assumingMemoryBound(to: ConnectionWatch.self)
        place.pointee.enter(.left)
        forgetAnswer(place)
        vacant.append(place - first)
        return place.pointee.place
    }

    /// Counts what is about to be sent. While more waits for clients than may, the one with the most to take is closed.
    func beginAnswer(of bytes: Int, on connection: OpaquePointer) {
        guard bytes > Self.largeAnswer, let watch = cmhd_watch(connection) else { return }
        watch.assumingMemoryBound(to: ConnectionWatch.self).pointee.answer = UInt32(clamping: bytes)
        answers += Int(UInt32(clamping: bytes))
        while answers > limits.waitingBytes, let index = largestAnswer {
            places.baseAddress.map { forgetAnswer($0 + index) }
            end(index, isTold: false)
        }
    }

    /// The request is over, and the connection may have another.
    func endRequest(on connection: OpaquePointer) {
        guard let watch = cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self) else { return }
        watch.pointee.enter(.idle)
        forgetAnswer(watch)
    }

    private func forgetAnswer(_ watch: UnsafeMutablePointer<ConnectionWatch>) {
        answers -= Int(watch.pointee.answer)
        watch.pointee.answer = 0
    }

    private var largestAnswer: Int? {
        (0..<used).filter { places[$0].answer > 0 }.max { places[$0].answer < places[$1].answer }
    }

    static func enter(_ stage: ConnectionWatch.Stage, _ connection: OpaquePointer) {
        cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self).pointee.enter(stage)
    }

    /// Its socket is the shard's now.
    func leave(_ connection: OpaquePointer) {
        guard let watch = cmhd_watch(connection)?.assumingMemoryBound(to: ConnectionWatch.self) else { return }
        watch.pointee.enter(.left)
        if watch.pointee.isRegistered { poller.remove(watch.pointee.socket) }
    }

    // MARK: Called by the shard

    /// The upper half of a watch's token in epoll.
    private static let tokens: UInt64 = 1

    static func owns(_ token: UInt64) -> Bool { token >> 32 == tokens }

    /// Something has come to a connection that was listened for.
    func hear(_ token: UInt64) {
        places[Int(token & 0xFFFF_FFFF)].hear(at: clock.second)
        isResting = false
    }

    /// Requests are under way, also of connections whose first byte was taken before epoll could report it.
    func wake() { isResting = false }

    /// Ends what is overdue. Call it about once a second while it is not resting.
    func tick() {
        isResting = true
        for index in 0..<used {
            switch places[index].look(at: clock.second, limits) {
            case .atRest: continue
            case .underWay: break
            case .listen: listen(to: index)
            case .end(let isTold): end(index, isTold: isTold)
            }
            isResting = false
        }
    }

    private func listen(to index: Int) {
        let (socket, token) = (places[index].socket, Self.tokens << 32 | UInt64(index))
        if places[index].isRegistered {
            poller.change(socket, EPOLLIN | EPOLLONESHOT, token: token)
        } else {
            poller.add(socket, EPOLLIN | EPOLLONESHOT, token: token)
        }
        places[index].listen()
    }

    /// libmicrohttpd sees the end as if it were the client's.
    private func end(_ index: Int, isTold: Bool) {
        places[index].enter(.left)
        let socket = places[index].socket
        if isTold { _ = send(socket, refusal, refusal.count, TransferFlags.quietly | TransferFlags.atOnce) }
        shutdown(socket, Int32(SHUT_RDWR))
    }
}
