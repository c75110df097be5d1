// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc

/// The event streams of one shard: who they are, and getting events to them.
///
/// One `send` per outlet and event, of bytes that are the same for all. A client that does not keep up is owed the
/// newest event of each key, and holds up nobody.
struct Outlets: ~Copyable {
    /// Sends between two looks at everything else.
    private static let slice = 512
    /// Seconds without an event after which a comment is sent.
    private static let heartbeat: UInt32 = 15
    /// Seconds without a byte taken after which a client is given up.
    private static let patience: UInt32 = 30

    private var outlets: [Outlet] = []
    private var vacant: [Int] = []
    private var filters: [EventFilter] = []
    private var filterIndex: [EventFilter: UInt32] = [:]
    private var filterUses: [Int] = []
    private var board = EventBoard()
    private var sweeps = Sweeps()
    private(set) var count = 0
    private var plainCount = 0
    private let room: StreamRoom

    init(in room: StreamRoom) { self.room = room }

    var isSweeping: Bool { sweeps.first != nil }

    // MARK: Events

    /// Lets go of all that is retained but these.
    mutating func retain(only events: [Event]) { board.retain(only: Set(events.map(\.key))) }

    /// Nobody is told twice what is retained already.
    mutating func post(_ event: Event) {
        if board.retains(event) { return }
        let place = board.post(event)
        if count > 0 { sweeps.begin(place, version: board.version) }
    }

    /// Sends one slice of what is on its way.
    mutating func sweep(_ poller: borrowing Poller, second: UInt32) {
        var budget = Self.slice
        while budget > 0, var sweep = sweeps.first {
            if advance(&sweep, budget: &budget, poller, second) {
                sweeps.removeFirst()
            } else {
                sweeps.replaceFirst(with: sweep)
            }
        }
    }

    /// Returns whether all outlets have been served.
    private mutating func advance(
        _ sweep: inout Sweep,
        budget: inout Int,
        _ poller: borrowing Poller,
        _ second: UInt32
    ) -> Bool {
        guard let entry = board[sweep.place] else { return true }
        let isWanted = filters.map { $0.includes(entry.event) }
        let plain = plainCount > 0 ? ServerSentEvent.encode(entry.event) : []
        while budget > 0 {
            guard let index = sweep.next(of: outlets.count) else { return true }
            guard outlets[index].isOpen, outlets[index].joined < sweep.version, isWanted[Int(outlets[index].filter)]
            else { continue }
            if let backlog = outlets[index].backlog {
                backlog.owe(sweep.place, version: sweep.version)
                continue
            }
            budget -= 1
            send(outlets[index].framing == .chunked ? entry.chunk : plain, to: index, poller, second)
        }
        return false
    }

    // MARK: Coming and going

    /// Takes over a socket, for which there is room. It gets `retry:` and everything retained it asked for, at once.
    mutating func adopt(
        _ socket: Int32,
        _ framing: Framing,
        _ request: StreamRequest,
        _ poller: borrowing Poller,
        second: UInt32
    ) {
        let index = vacant.popLast() ?? outlets.count
        if index == outlets.count { outlets.append(Outlet()) }
        outlets[index].socket = socket
        outlets[index].framing = framing
        outlets[index].filter = intern(request.filter)
        outlets[index].companion = request.companion
        outlets[index].joined = board.version
        outlets[index].lastSent = second
        count += 1
        if framing == .plain { plainCount += 1 }
        guard poller.add(socket, EPOLLRDHUP, token: token(of: index)) else { return close(index) }
        // Spread by a quarter around two seconds, so that not all come back at the same moment.
        var greeting = framing.wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_500...2_500)))
        for event in board.retained(request.filter, after: request.after) {
            greeting += framing.wrap(ServerSentEvent.encode(event))
        }
        send(greeting, to: index, poller, second)
    }

    /// The descriptor behind `token` has something to say.
    mutating func handle(_ token: UInt64, _ events: UInt32, _ poller: borrowing Poller, second: UInt32) {
        let index = Int(token & 0xFFFF_FFFF)
        guard index < outlets.count, outlets[index].isOpen, self.token(of: index) == token else { return }
        if events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
            close(index)
        } else if events & EPOLLOUT.rawValue != 0 {
            flush(index, poller, second)
        }
    }

    private mutating func close(_ index: Int) {
        if outlets[index].framing == .plain { plainCount -= 1 }
        Glibc.close(outlets[index].socket)
        outlets[index].socket = -1
        outlets[index].backlog = nil
        outlets[index].companion = nil
        outlets[index].generation &+= 1
        filterUses[Int(outlets[index].filter)] -= 1
        vacant.append(index)
        count -= 1
        room.giveBack()
    }

    /// 0 and 1 in the upper half are never used, they are the shard's own tokens.
    private func token(of index: Int) -> UInt64 {
        (UInt64(outlets[index].generation & 0x7FFF_FFFF) + 2) << 32 | UInt64(index)
    }

    private mutating func intern(_ filter: EventFilter) -> UInt32 {
        if let index = filterIndex[filter] {
            filterUses[Int(index)] += 1
            return index
        }
        if let unused = filterUses.firstIndex(of: 0) {
            filterIndex[filters[unused]] = nil
            filters[unused] = filter
            filterUses[unused] = 1
            filterIndex[filter] = UInt32(unused)
            return UInt32(unused)
        }
        filters.append(filter)
        filterUses.append(1)
        filterIndex[filter] = UInt32(filters.count - 1)
        return UInt32(filters.count - 1)
    }

    // MARK: Bytes

    private mutating func send(_ bytes: [UInt8], to index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        let sent = transmit(bytes[...], on: outlets[index].socket)
        guard sent != bytes.count else {
            outlets[index].lastSent = second
            return
        }
        guard sent >= 0 else { return close(index) }
        outlets[index].backlog = Backlog(tail: Array(bytes[sent...]), at: second)
        poller.change(outlets[index].socket, EPOLLRDHUP | EPOLLOUT, token: token(of: index))
    }

    /// The client takes bytes again: the rest of what it had begun to get, then the newest of each key it is owed.
    private mutating func flush(_ index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        guard let backlog = outlets[index].backlog else { return }
        let socket = outlets[index].socket
        absorbSweeps(index, backlog)
        while true {
            let sent = transmit(backlog.tail[...], on: socket)
            guard sent >= 0 else { return close(index) }
            if sent > 0 { backlog.lastProgress = second }
            backlog.tail.removeFirst(sent)
            guard backlog.tail.isEmpty else { return }
            if backlog.isEnding { return close(index) }
            guard !backlog.owed.isEmpty else {
                guard let farewell = backlog.farewell else { break }
                backlog.tail = farewell
                backlog.isEnding = true
                continue
            }
            let place = backlog.owed.removeFirst().place
            guard let entry = board[place] else {
                backlog.skipped += 1
                continue
            }
            backlog.tail = outlets[index].framing.wrap(ServerSentEvent.encode(entry.event, skipped: backlog.skipped))
            backlog.skipped = 0
        }
        outlets[index].backlog = nil
        outlets[index].lastSent = second
        poller.change(socket, EPOLLRDHUP, token: token(of: index))
    }

    /// What is on its way to this outlet it now gets as owed, and not once more when the sweep comes by.
    private mutating func absorbSweeps(_ index: Int, _ backlog: Backlog) {
        for sweep in sweeps.waiting where sweep.isAhead(of: index) && outlets[index].joined < sweep.version {
            guard let entry = board[sweep.place], filters[Int(outlets[index].filter)].includes(entry.event) else {
                continue
            }
            backlog.owe(sweep.place, version: sweep.version)
        }
        outlets[index].joined = board.version
    }

    /// How many bytes the kernel took: 0 when it has no room, -1 when the connection is gone.
    private func transmit(_ bytes: ArraySlice<UInt8>, on socket: Int32) -> Int {
        bytes.withUnsafeBytes { bytes in
            let sent = Glibc.send(socket, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            if sent >= 0 { return sent }
            return errno == EAGAIN || errno == EINTR || errno == ENOBUFS ? 0 : -1
        }
    }

    // MARK: Time

    /// Sends comments to silent streams and gives up clients that take nothing. Call it once a second while there are
    /// streams.
    mutating func tick(_ poller: borrowing Poller, second: UInt32) {
        var chunks: [Framing: [UInt8]] = [:]
        for framing in [Framing.chunked, .plain] { chunks[framing] = framing.wrap(ServerSentEvent.keepAlive) }
        for index in outlets.indices where outlets[index].isOpen {
            if let backlog = outlets[index].backlog {
                if second - backlog.lastProgress >= Self.patience { close(index) }
            } else if second - outlets[index].lastSent >= Self.heartbeat {
                send(chunks[outlets[index].framing] ?? [], to: index, poller, second)
            }
        }
    }

    /// Ends every stream cleanly: what it is owed, a `retry:` between one and five seconds, the end of the body. Streams
    /// that do not take it at once have the time that is left; `closeAll` ends the rest. May be called again for
    /// newcomers.
    mutating func drain(_ poller: borrowing Poller, second: UInt32) {
        while isSweeping { sweep(poller, second: second) }
        for index in outlets.indices where outlets[index].isOpen {
            let framing = outlets[index].framing
            let retry = framing.wrap(ServerSentEvent.retry(milliseconds: .random(in: 1_000...5_000)))
            let backlog = outlets[index].backlog ?? Backlog(tail: [], at: second)
            guard backlog.farewell == nil else { continue }
            backlog.farewell = retry + framing.end
            if outlets[index].backlog == nil {
                outlets[index].backlog = backlog
                poller.change(outlets[index].socket, EPOLLRDHUP | EPOLLOUT, token: token(of: index))
            }
            flush(index, poller, second)
        }
    }

    mutating func closeAll() {
        for index in outlets.indices where outlets[index].isOpen { close(index) }
    }
}
