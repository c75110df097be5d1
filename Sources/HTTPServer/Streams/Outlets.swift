// SPDX-License-Identifier: Apache-2.0
internal import CLinux
import Glibc
import Metrics

/// The event streams and WebSockets of one shard: who they are, and getting events to them.
///
/// One `send` per outlet and event, of bytes that are the same for all. A client that does not keep up gets the newest
/// event of each key later, and holds up nobody. One that misses something that it cannot be sent later gets
/// the reset event and everything there is.
struct Outlets: ~Copyable {
    /// Work between two looks at everything else, in visits of an outlet.
    private static let slice = 16_384
    /// What a send costs, and a reset: both of this many visits.
    private static let costs = (send: 32, reset: 1_024)
    /// Outlets that one turn's part of a tick serves.
    private static let tickSlice = 512
    /// Seconds without an event after which a comment is sent.
    private static let heartbeat: UInt32 = 15
    /// Seconds without a byte taken after which a client is given up.
    private static let patience: UInt32 = 30

    var outlets: [Outlet] = []
    private var vacant: [Int] = []
    private(set) var readerships = Readerships()
    var board: EventBoard
    private(set) var sweeps = Sweeps()
    private(set) var count = 0
    /// How many of them have pending output.
    var slow = 0
    var counts = StreamCounts()
    private var countByFraming = Framing.allCases.map { _ in 0 }
    private let room: StreamRoom
    /// What the clients of WebSockets say.
    var ear = Ear()
    /// Bytes that wait for clients, and how many may.
    var backlogBytes = 0
    let backlogLimit: Int
    /// The next outlet of a tick under way; `nil` without one.
    private var ticked: Int?

    /// - Parameter backlogLimit: Bytes that may wait for clients. Beyond it, the client that has the most to take is closed.
    init(in room: StreamRoom, _ formats: StreamFormats, backlogLimit: Int = .max) {
        self.room = room
        board = EventBoard(formats)
        self.backlogLimit = backlogLimit
    }

    /// What was counted, and what there is now.
    var report: StreamCounts {
        var report = counts
        report.webSockets = countByFraming[Int(Framing.webSocket.rawValue)]
        report.eventStreams = count - report.webSockets
        return report
    }

    var isSweeping: Bool { sweeps.first != nil }
    var isTicking: Bool { ticked != nil }

    // MARK: Events

    /// Begins to send what is new. Where it is everything there is, something may have been missed before, and every client
    /// begins again.
    mutating func take(_ news: News) {
        if news.isEverything { board.beginAgain(with: Set(news.events.map(\.key)), endsAfter: news.horizon) }
        for event in news.events { post(event) }
        guard news.isEverything, count > 0 else { return }
        sweeps.removeAll()
        sweeps.begin(.nowhere, version: board.forgetAll())
    }

    /// What is retained already is not sent again.
    private mutating func post(_ event: Event) {
        if board.retains(event) { return }
        let (place, replaced) = board.post(event)
        if count > 0 { sweeps.begin(place, version: board.version, insteadOf: replaced) }
        forgetPassing()
    }

    mutating func forgetPassing() { board.forgetPassing(areAwaited: isSweeping || slow > 0) }

    /// Sends one slice of what is on its way.
    mutating func sweep(_ poller: borrowing Poller, second: UInt32) {
        var budget = Self.slice
        while budget > 0, var sweep = sweeps.first {
            if advance(&sweep, budget: &budget, poller, second) {
                counts.fanOut.count(LoopTime.now - sweep.began)
                sweeps.removeFirst()
                forgetPassing()
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
        guard let entry = board[sweep.place] else {
            // Its subject is over, or it was forgotten too early.
            if sweep.version > board.forgotten { return true }
            return reset(&sweep, budget: &budget, poller, second)
        }
        budget -= readerships.all.count
        let isWanted = readerships.all.map { $0.filter.includes(entry.event) }
        let messages = Framing.allCases.map { framing in
            countByFraming[Int(framing.rawValue)] > 0 ? board.encoded(sweep.place, as: framing) : []
        }
        while budget > 0 {
            guard let index = sweep.next(of: outlets.count) else { return true }
            budget -= 1
            guard outlets[index].isOpen, outlets[index].joined < sweep.version, isWanted[Int(outlets[index].readership)]
            else { continue }
            if let backlog = outlets[index].backlog {
                backlog.owe(sweep.place, version: sweep.version)
                countBacklog(of: index)
                continue
            }
            budget -= Self.costs.send
            counts.deliveries += 1
            send(messages[Int(outlets[index].framing.rawValue)], to: index, poller, second)
        }
        return false
    }

    /// Has the outlets that a sweep has not reached begin again. Returns whether all have been served.
    private mutating func reset(
        _ sweep: inout Sweep,
        budget: inout Int,
        _ poller: borrowing Poller,
        _ second: UInt32
    ) -> Bool {
        while budget > 0 {
            guard let index = sweep.next(of: outlets.count) else { return true }
            budget -= 1
            guard outlets[index].isOpen, outlets[index].joined < sweep.version else { continue }
            if let backlog = outlets[index].backlog {
                backlog.lose()
                continue
            }
            budget -= Self.costs.reset
            let backlog = Backlog(at: second)
            backlog.lose()
            setBacklog(backlog, of: index)
            renewInterest(index, poller)
            flush(index, poller, second)
        }
        return false
    }

    // MARK: Coming and going

    /// Takes over a socket, for which there is room. It gets everything retained it asked for, at once.
    mutating func adopt(_ arrival: Arrival, _ poller: borrowing Poller, second: UInt32) {
        let (framing, request) = (arrival.framing, arrival.request)
        let index = vacant.popLast() ?? outlets.count
        if index == outlets.count { outlets.append(Outlet()) }
        outlets[index].socket = arrival.socket
        outlets[index].client = arrival.client
        outlets[index].framing = framing
        outlets[index].readership = readerships.join(Readership(filter: request.filter, permit: request.permit))
        outlets[index].companion = arrival.conversation.map { WebSocket($0, at: second) } ?? request.companion
        outlets[index].joined = board.version
        outlets[index].lastSent = second
        count += 1
        counts.opened += 1
        countByFraming[Int(framing.rawValue)] += 1
        guard poller.add(arrival.socket, interest(of: index), token: token(of: index)) else { return close(index) }
        begin(index, with: board.formats[framing].greeting, request.start, poller, second)
        arrival.early.withUnsafeBytes { hear($0, from: index, poller, second) }
    }

    /// Sends what begins a stream. What is more than `Backlog.fill` is pending, so that a client that takes nothing costs no
    /// copy of it.
    ///
    /// - Parameter ends: What comes before it.
    private mutating func begin(
        _ index: Int,
        with greeting: [UInt8],
        _ start: StreamStart,
        behind ends: [EventBoard.Pending] = [],
        _ poller: borrowing Poller,
        _ second: UInt32
    ) {
        let (framing, filter) = (outlets[index].framing, readerships[outlets[index].readership].filter)
        let (isReset, beginning) = board.beginning(filter, start)
        var places = (ends + beginning)[...]
        var bytes = greeting + (isReset ? board.formats.reset(as: framing) : [])
        if outlets[index].backlog == nil {
            while bytes.count < Backlog.fill, let (place, _) = places.popFirst() {
                bytes += board.encoded(place, as: framing)
            }
            if !bytes.isEmpty { send(bytes, to: index, poller, second) }
        } else {
            say(bytes, to: index, poller, second)
        }
        guard !places.isEmpty, outlets[index].isOpen else { return }
        let backlog = outlets[index].backlog ?? Backlog(at: second)
        setBacklog(backlog, of: index)
        for (place, version) in places { backlog.owe(place, version: version) }
        renewInterest(index, poller)
        flush(index, poller, second)
    }

    /// From now on other events; first the ends that are on their way, then what is retained.
    mutating func subscribe(
        _ token: UInt64,
        to subscription: MessageOutcome.Subscription,
        _ poller: borrowing Poller,
        second: UInt32
    ) {
        guard let index = index(of: token), outlets[index].webSocket?.isOver == false else { return }
        let pending = outlets[index].backlog ?? Backlog(at: second)
        absorbSweeps(index, pending)
        var ends: [EventBoard.Pending] = []
        while let (place, entry) = pending.next(on: board) {
            if !entry.event.isRetained, subscription.filter.includes(entry.event) {
                ends.append((place, entry.version))
            }
        }
        let start = pending.isLost ? .reset : subscription.start
        pending.begin(with: [])
        var readership = readerships[outlets[index].readership]
        readership.filter = subscription.filter
        readerships.leave(outlets[index].readership)
        outlets[index].readership = readerships.join(readership)
        begin(index, with: [], start, behind: ends, poller, second)
        outlets[index].webSocket?.awaitsSubscription = false
        queue(index)
    }

    /// The descriptor behind `token` has something to say.
    mutating func handle(_ token: UInt64, _ events: UInt32, _ poller: borrowing Poller, second: UInt32) {
        guard let index = index(of: token) else { return }
        if events & EPOLLIN.rawValue != 0, events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) == 0 {
            // The end of the connection is read after all that came before it.
            listen(to: index, poller, second)
        } else if events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 {
            close(index)
        }
        if events & EPOLLOUT.rawValue != 0, outlets[index].isOpen, self.token(of: index) == token {
            flush(index, poller, second)
        }
    }

    mutating func close(_ index: Int) {
        countByFraming[Int(outlets[index].framing.rawValue)] -= 1
        // First: a client that sees the end may have another stream at once.
        room.giveBack(of: outlets[index].client)
        Glibc.close(outlets[index].socket)
        outlets[index].socket = -1
        endBacklog(of: index)
        outlets[index].companion = nil
        outlets[index].generation &+= 1
        readerships.leave(outlets[index].readership)
        vacant.append(index)
        count -= 1
    }

    /// 0 in the upper half is never used, it is that of the shard's own tokens.
    func token(of index: Int) -> UInt64 {
        (UInt64(outlets[index].generation & 0x7FFF_FFFF) + 2) << 32 | UInt64(index)
    }

    /// `nil` once its outlet is closed.
    func index(of token: UInt64) -> Int? {
        let index = Int(token & 0xFFFF_FFFF)
        return index < outlets.count && outlets[index].isOpen && self.token(of: index) == token ? index : nil
    }

    /// What epoll is to report. A client that does not take its answers is not listened to.
    func interest(of index: Int) -> EPOLL_EVENTS {
        let backlog = outlets[index].backlog
        var interest = EPOLLRDHUP
        if outlets[index].framing == .webSocket, !(backlog?.holdsAnswers ?? false) { interest = interest | EPOLLIN }
        return backlog == nil ? interest : interest | EPOLLOUT
    }

    func renewInterest(_ index: Int, _ poller: borrowing Poller) {
        poller.change(outlets[index].socket, interest(of: index), token: token(of: index))
    }

    // MARK: Time

    /// Sends comments to silent streams, pings WebSockets, and gives up clients that take nothing or do not answer. Call
    /// it once a second while there are streams, and while it `isTicking`: it serves some of many at a time.
    mutating func tick(_ poller: borrowing Poller, second: UInt32) {
        let comments = Framing.allCases.map { board.formats[$0].keepAlive }
        let isRevoked = readerships.all.map { $0.permit.map { !$0.isValid } ?? false }
        let first = ticked ?? 0
        let end = min(first + Self.tickSlice, outlets.count)
        for index in first..<end where outlets[index].isOpen {
            if isRevoked[Int(outlets[index].readership)] {
                revoke(index, poller, second)
            } else if let backlog = outlets[index].backlog {
                guard second - backlog.lastProgress >= Self.patience else { continue }
                giveUp(index)
            } else if let webSocket = outlets[index].webSocket {
                tick(webSocket, of: index, poller, second)
            } else if second - outlets[index].lastSent >= Self.heartbeat {
                send(comments[Int(outlets[index].framing.rawValue)], to: index, poller, second)
            }
        }
        ticked = end < outlets.count ? end : nil
    }

    mutating func giveUp(_ index: Int) {
        counts.givenUp += 1
        close(index)
    }

    /// What it was let in with is not valid any more. Whoever is slow to take its end does not get the time for more.
    private mutating func revoke(_ index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        if outlets[index].backlog != nil || outlets[index].webSocket?.isOver == true { return close(index) }
        end(index, with: board.formats[outlets[index].framing].revocation, poller, second)
    }

    /// Ends every stream cleanly: what it is owed, then its last words. Streams that do not take it at once have the time
    /// that is left; `closeAll` ends the rest. May be called again for newcomers.
    mutating func drain(_ poller: borrowing Poller, second: UInt32) {
        while isSweeping { sweep(poller, second: second) }
        for index in outlets.indices where outlets[index].isOpen {
            end(index, with: board.formats[outlets[index].framing].farewell, poller, second)
        }
    }

    /// Ends a stream: what it is owed, then its last words. The first ones count.
    mutating func end(_ index: Int, with farewell: [UInt8], _ poller: borrowing Poller, _ second: UInt32) {
        guard outlets[index].backlog?.farewell == nil, outlets[index].webSocket?.isOver != true else { return }
        outlets[index].webSocket?.isOver = true
        let backlog = outlets[index].backlog ?? Backlog(at: second)
        backlog.farewell = farewell
        setBacklog(backlog, of: index)
        renewInterest(index, poller)
        flush(index, poller, second)
    }

    mutating func closeAll() {
        for index in outlets.indices where outlets[index].isOpen { close(index) }
    }
}
