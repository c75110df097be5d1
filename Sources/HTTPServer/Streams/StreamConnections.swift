// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
package import Metrics

/// The event streams and WebSockets of one shard: its table of adopted sockets.
///
/// One `send` per stream and event, of bytes that are the same for all. A client that does not keep up gets the newest
/// event of each key later, and holds up nobody. One that misses something that it cannot be sent later gets
/// the reset event and everything there is.
struct StreamConnections: ~Copyable {
    let poller: Poller
    let clock: LoopClock
    /// What reads from WebSockets.
    let input: any StreamInput
    private let room: StreamRoom
    var all: [StreamConnection] = []
    private var vacant: [Int] = []
    private(set) var count = 0
    var countByFraming = Framing.allCases.map { _ in 0 }
    private(set) var readerships = Readerships()
    var counts = StreamCounts()

    // Fan-out
    var retained: RetainedEvents
    var fanOuts = FanOuts()

    // Output
    /// How many of them have pending output.
    var slow = 0
    /// Bytes that wait for clients, and how many may.
    var pendingBytes = 0
    let pendingLimit: Int

    // Time
    /// The next stream of a tick under way; `nil` without one.
    var ticked: Int?

    /// - Parameter pendingLimit: Bytes that may wait for clients. Beyond it, the client that has the most to take is closed.
    init(
        in room: StreamRoom,
        formats: StreamFormats,
        readBy input: any StreamInput,
        poller: Poller,
        clock: LoopClock,
        pendingLimit: Int = .max
    ) {
        self.poller = poller
        self.clock = clock
        self.input = input
        self.room = room
        retained = RetainedEvents(formats)
        self.pendingLimit = pendingLimit
    }

    /// What was counted, and what there is now.
    var report: StreamCounts {
        var report = counts
        report.webSockets = countByFraming[Int(Framing.webSocket.rawValue)]
        report.eventStreams = count - report.webSockets
        return report
    }

    // MARK: Coming and going

    /// Takes over a socket, for which there is room. It gets everything retained it asked for, at once.
    ///
    /// - Returns: Its place. It may be closed again already.
    @discardableResult
    mutating func adopt(_ arrival: Arrival) -> Int {
        let (framing, request) = (arrival.framing, arrival.request)
        let index = vacant.popLast() ?? all.count
        if index == all.count { all.append(StreamConnection()) }
        all[index].socket = arrival.socket
        all[index].client = arrival.client
        all[index].framing = framing
        all[index].readership = readerships.join(Readership(filter: request.filter, permit: request.permit))
        all[index].companion = arrival.companion
        all[index].isOver = false
        all[index].joined = retained.version
        all[index].lastSent = clock.second
        count += 1
        counts.opened += 1
        countByFraming[Int(framing.rawValue)] += 1
        if poller.add(arrival.socket, interest(of: index), token: token(of: index)) {
            begin(index, with: retained.formats[framing].greeting, request.start)
        } else {
            close(index)
        }
        return index
    }

    /// Whether epoll reports that a client has sent something. The end of a connection is read after all that came before it.
    static func reportsInput(_ events: UInt32) -> Bool {
        events & EPOLLIN.rawValue != 0 && events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) == 0
    }

    /// What epoll reports of the connection behind `token`, apart from input.
    mutating func handle(_ token: UInt64, _ events: UInt32) {
        guard let index = index(of: token) else { return }
        if !Self.reportsInput(events), events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
            close(index)
        } else if events & EPOLLOUT.rawValue != 0 {
            flush(index)
        }
    }

    mutating func close(_ index: Int) {
        countByFraming[Int(all[index].framing.rawValue)] -= 1
        // First: a client that sees the end may have another stream at once.
        room.giveBack(of: all[index].client)
        Glibc.close(all[index].socket)
        all[index].socket = -1
        endPendingOutput(of: index)
        all[index].companion = nil
        all[index].generation &+= 1
        readerships.leave(all[index].readership)
        vacant.append(index)
        count -= 1
    }

    /// From now on the stream is of the readership with this filter.
    mutating func setFilter(_ filter: EventFilter, of index: Int) {
        var readership = readerships[all[index].readership]
        readership.filter = filter
        readerships.leave(all[index].readership)
        all[index].readership = readerships.join(readership)
    }

    /// 0 in the upper half is never used, it is that of the shard's own tokens.
    func token(of index: Int) -> UInt64 {
        (UInt64(all[index].generation & 0x7FFF_FFFF) + 2) << 32 | UInt64(index)
    }

    /// `nil` once its stream is closed.
    func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        return index < all.count && all[index].isOpen && self.token(of: index) == token ? index : nil
    }

    /// What epoll is to report. A client that does not take its answers is not listened to.
    func interest(of index: Int) -> EPOLL_EVENTS {
        let pendingOutput = all[index].pendingOutput
        var interest = EPOLLRDHUP
        if all[index].framing.isTwoWay, !(pendingOutput?.holdsAnswers ?? false) { interest = interest | EPOLLIN }
        return pendingOutput == nil ? interest : interest | EPOLLOUT
    }

    func renewInterest(_ index: Int) {
        poller.change(all[index].socket, interest(of: index), token: token(of: index))
    }
}

/// How many streams and WebSockets a shard has now, and what it has done for them since its start.
package struct StreamCounts: Sendable {
    package internal(set) var eventStreams = 0
    package internal(set) var webSockets = 0
    package internal(set) var opened: UInt64 = 0
    /// Closed because they took nothing for too long.
    package internal(set) var givenUp: UInt64 = 0
    /// Events handed to the kernel, one for each stream that got it.
    package internal(set) var deliveries: UInt64 = 0
    /// Events that a slow client missed, as it is notified.
    package internal(set) var skipped: UInt64 = 0
    /// From when the shard began to send an event to when all had it that keep up.
    package internal(set) var fanOut = Histogram(bounds: Histogram.defaultBounds)
}
