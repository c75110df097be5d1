// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
package import Support

/// The event streams and WebSockets of one shard: its table of adopted sockets.
///
/// Each event is one `send` per stream, with the same bytes for all. A client that does not keep up receives the newest
/// event of each key later, and delays no other client. A client that misses an event that cannot be sent later
/// receives the reset event and all retained events.
struct StreamConnections: ~Copyable {
    let poller: Poller
    let clock: LoopClock
    /// The reader of WebSockets.
    let input: any StreamInput
    private let limiter: StreamLimiter
    var all: [StreamConnection] = []
    private var vacant: [Int] = []
    private(set) var count = 0
    var countByFraming = Framing.allCases.map { _ in 0 }
    var groups = SubscriberGroups()
    var counts = StreamCounts()

    // Fan-out
    var retained: RetainedEvents
    var fanOuts = FanOuts()
    /// How groups receive the event of the first fan-out, and that of the second.
    var deliveries = GroupDeliveries(), nextDeliveries = GroupDeliveries()

    // Output
    var pendingStreams = 0
    /// The bytes that wait for clients, and their limit.
    var pendingBytes = 0
    let pendingLimit: Int
    private var reportedEvictions: UInt64 = 0

    // Time
    /// The next stream of the tick in progress; `nil` without one.
    var tickCursor: Int?
    /// When this turn's time for events and for clients that fell behind is used.
    var turnEnd = LoopTime(nanoseconds: .max)
    var isTurnOver: Bool { LoopTime.now >= turnEnd }

    /// - Parameter pendingLimit: The limit of bytes that wait for clients. Beyond it, the client with the most pending
    ///   bytes is disconnected.
    init(
        limitedBy limiter: StreamLimiter,
        formats: StreamFormats,
        readBy input: any StreamInput,
        poller: Poller,
        clock: LoopClock,
        pendingLimit: Int = .max
    ) {
        self.poller = poller
        self.clock = clock
        self.input = input
        self.limiter = limiter
        retained = RetainedEvents(formats)
        self.pendingLimit = pendingLimit
    }

    /// The counters, and the current number of streams.
    var report: StreamCounts {
        var report = counts
        report.webSockets = countByFraming[Int(Framing.webSocket.rawValue)]
        report.eventStreams = count - report.webSockets
        return report
    }

    /// Whether `tick` or `takeEvicted` has work, also when the last stream was closed for its pending bytes.
    var needsTicks: Bool { count > 0 || reportedEvictions < counts.evicted }

    /// Returns the number of streams that were closed for their pending bytes since the last call.
    mutating func takeEvicted() -> UInt64 {
        defer { reportedEvictions = counts.evicted }
        return counts.evicted - reportedEvictions
    }

    // MARK: Coming and going

    /// Takes over a socket whose capacity was acquired, and sends the beginning of its stream.
    ///
    /// - Returns: Its index. The stream may already be closed again.
    @discardableResult
    mutating func adopt(_ adopted: AdoptedSocket) -> Int {
        let (framing, request) = (adopted.framing, adopted.request)
        let index = vacant.popLast() ?? all.count
        if index == all.count { all.append(StreamConnection()) }
        all[index].socket = adopted.socket
        all[index].client = adopted.client
        all[index].framing = framing
        all[index].group = groups.join(SubscriberGroup(filter: request.filter, authorization: request.authorization))
        all[index].companion = request.companion
        all[index].isEnding = false
        all[index].joined = retained.version
        all[index].lastSent = clock.second
        count += 1
        counts.opened += 1
        countByFraming[Int(framing.rawValue)] += 1
        if poller.add(adopted.socket, interest(of: index), token: token(of: index)) {
            begin(index, with: retained.formats[framing].greeting, request.start)
        } else {
            close(index)
        }
        return index
    }

    /// Whether epoll reports input. The end of a connection is handled after all input before it.
    static func reportsInput(_ events: UInt32) -> Bool {
        events & EPOLLIN.rawValue != 0 && events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) == 0
    }

    /// Whether epoll reports the end of a connection. Input may have arrived before it, also while none is reported
    /// because responses wait for the client.
    static func reportsEnd(_ events: UInt32) -> Bool {
        !reportsInput(events)
            && events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }

    /// Handles the events that epoll reports of the connection behind `token`, apart from input.
    mutating func handle(_ token: UInt64, _ events: UInt32) {
        guard let index = index(of: token) else { return }
        if Self.reportsEnd(events) {
            close(index)
        } else if events & EPOLLOUT.rawValue != 0 {
            flush(index)
        }
    }

    mutating func close(_ index: Int) {
        countByFraming[Int(all[index].framing.rawValue)] -= 1
        // First: a client that sees the end may open another stream at once.
        limiter.release(for: all[index].client)
        Glibc.close(all[index].socket)
        all[index].socket = -1
        endPendingOutput(of: index)
        all[index].companion = nil
        all[index].generation &+= 1
        groups.leave(all[index].group)
        vacant.append(index)
        count -= 1
    }

    /// Returns the epoll token of a stream. Its upper half is at least 2: 0 and 1 are the shard's own tokens.
    func token(of index: Int) -> UInt64 {
        (UInt64(all[index].generation & 0x7FFF_FFFF) + 2) << 32 | UInt64(index)
    }

    /// Returns the index of a stream; `nil` once it is closed.
    func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        return index < all.count && all[index].isOpen && self.token(of: index) == token ? index : nil
    }

    /// Returns the events that epoll must report. Input is not read while responses wait for the client.
    func interest(of index: Int) -> EPOLL_EVENTS {
        let pendingOutput = all[index].pendingOutput
        var interest = EPOLLRDHUP
        if all[index].framing.isTwoWay, !(pendingOutput?.holdsResponses ?? false) { interest = interest | EPOLLIN }
        return pendingOutput == nil ? interest : interest | EPOLLOUT
    }

    func renewInterest(_ index: Int) {
        poller.change(all[index].socket, interest(of: index), token: token(of: index))
    }
}

/// The current streams and WebSockets of a shard, and its counters for them since its start.
package struct StreamCounts: Sendable {
    package internal(set) var eventStreams = 0
    package internal(set) var webSockets = 0
    package internal(set) var opened: UInt64 = 0
    /// Streams closed because their client read nothing for too long.
    package internal(set) var givenUp: UInt64 = 0
    /// Streams closed because they had the most pending bytes when all streams had more than the limit.
    package internal(set) var evicted: UInt64 = 0
    /// Events handed to the kernel, counted once per stream.
    package internal(set) var deliveries: UInt64 = 0
    /// Events that slow clients missed, as reported to them.
    package internal(set) var skipped: UInt64 = 0
    /// The time from the first send of an event until every client that keeps up has it.
    package internal(set) var fanOut = Histogram(bounds: Histogram.defaultBounds)
}
