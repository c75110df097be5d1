// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import CMicroHTTPD
import Glibc
import Metrics
import Threads

/// One thread with everything it needs: a libmicrohttpd daemon, an epoll set, event streams, an application.
///
/// ```
///   epoll set ─┬─ libmicrohttpd's epoll set ──► requests ──► Application ──► answers
///              ├─ inbox (eventfd) ─────────────► events, answers that were deferred, "drain"
///              ├─ listening sockets ───────────► Acceptor
///              └─ adopted sockets ─────────────► StreamConnections, WebSockets
/// ```
///
/// Everything here is touched by the shard's thread only, so there is no lock around a connection. Others reach it by
/// `inbox`. Nothing on this thread may block.
final class Shard: @unchecked Sendable {  // handed over once, to its own thread; only `inbox` is used by others
    /// How often libmicrohttpd is run before events get their turn.
    private static let rounds = 16
    /// Milliseconds of a turn after which the messages of WebSockets, and then expensive requests and newcomers, wait for the next
    /// one. Work under way is finished.
    private static let (messageTime, requestTime) = (6 as Int64, 12 as Int64)

    private enum Token {
        static let library: UInt64 = 0
        static let inbox: UInt64 = 1
    }

    let inbox: ShardInbox
    let application: any Application
    private let poller: Poller
    let clock = LoopClock()
    let acceptor: Acceptor
    private var library: LibraryDaemon?

    // Requests
    let watches: ConnectionWatches
    var pending: PendingReplies
    /// Suspended requests for which a turn had no time.
    var postponed: [OpaquePointer] = []
    var activeExchanges = 0
    /// How many there were; it may begin again at 0.
    var answers: UInt = 0
    /// Of the request that began last. It is valid for its connection until that one's next request begins.
    var newest: (connection: OpaquePointer, fields: FrequentFields)?

    // Streams
    let room: StreamRoom
    var streams: StreamConnections
    let webSockets: WebSockets
    var adopted: [Arrival] = []
    /// What the epoll set reported of connections in this turn.
    private var ready: [(token: UInt64, events: UInt32)] = []

    // The turn
    /// When this turn has no more time for requests that cost some.
    private var turnEnd = LoopTime.now
    private(set) var isTurnOver = false
    private var nextTick: LoopTime
    private var turns: UInt64 = 0
    /// What is left for clients to take their end; `nil` while the shard serves.
    var draining: Countdown?
    var counts = ShardCounts()

    /// It may be made on another thread than the one that runs it, before that one starts.
    init(
        listeningOn sockets: [Int32],
        connections: Int,
        limits: ConnectionLimits,
        room: StreamRoom,
        clients: ConnectionRoom,
        inbox: ShardInbox,
        application: any Application
    ) throws(ServerError) {
        self.inbox = inbox
        self.application = application
        self.room = room
        poller = try Poller()
        pending = PendingReplies(inbox)
        watches = ConnectionWatches(
            for: connections,
            limits: limits,
            refusing: application.refusal(of: .tooSlow).bytesOfLastAnswer,
            poller: poller,
            clock: clock
        )
        webSockets = WebSockets(clock)
        streams = StreamConnections(
            in: room,
            formats: StreamFormats(application.eventEncoding),
            readBy: webSockets,
            poller: poller,
            clock: clock,
            pendingLimit: limits.waitingBytes
        )
        nextTick = clock.start
        acceptor = Acceptor(listeningOn: sockets, clients: clients, refusing: application, poller: poller, clock: clock)
        let library = try LibraryDaemon(connections: connections, for: self)
        poller.add(library.descriptor, EPOLLIN, token: Token.library)
        poller.add(inbox.descriptor, EPOLLIN, token: Token.inbox)
        self.library = consume library
    }

    /// Runs until drained.
    func run() {
        while !isDone { turn() }
        streams.closeAll()
        // libmicrohttpd aborts the process when it is stopped with a suspended connection.
        answerPending()
        library?.run()
        library = nil
    }

    // MARK: A turn

    /// Waits until there is something to do, and does it.
    func turn() {
        var isWoken = false
        poller.wait(milliseconds: timeout) { token, events in
            switch token {
            case Token.library: break
            case Token.inbox: isWoken = true
            case Acceptor.token: acceptor.wake()
            default: ready.append((token, events))
            }
        }
        beginTurn()
        for (token, events) in ready {
            if ConnectionWatches.owns(token) {
                watches.hear(token)
            } else {
                webSockets.handle(token, events, in: &streams)
            }
        }
        ready.removeAll(keepingCapacity: true)
        receiveMessages()
        if isWoken { drainInbox() }
        serve()
        if let room = library?.room { acceptor.updateState(room: room) }
        streams.fanOut()
        runDeadlines()
        turns &+= 1
        // At each turn the clock would cost more than is worth knowing.
        if turns % ShardCounts.turnsPerSample == 0 { counts.turns.count(LoopTime.now - clock.now) }
    }

    private func beginTurn() {
        let last = clock.now
        clock.advance(to: .now)
        draining?.spend(clock.now - last)
        webSockets.turnEnd = clock.now.after(milliseconds: Self.messageTime)
        (turnEnd, isTurnOver) = (clock.now.after(milliseconds: Self.requestTime), false)
    }

    /// Call it after whatever may take long.
    func spendTime() { isTurnOver = LoopTime.now >= turnEnd }

    /// How long there is nothing to do, in milliseconds; -1 without limit.
    private var timeout: Int32 {
        // A turn that was over left work behind, the connections of newcomers it took among it.
        if isTurnOver || streams.isFanningOut || streams.isTicking || webSockets.isBusy { return 0 }
        var limit = library?.timeout() ?? .max
        func notAfter(_ time: LoopTime) { limit = min(limit, UInt64(time.milliseconds(after: clock.now))) }
        if let deadline = pending.nextDeadline { notAfter(deadline) }
        if streams.count > 0 || !watches.isResting { notAfter(nextTick) }
        if let draining { notAfter(clock.now + draining.wait) }
        if let deadline = acceptor.nextDeadline { notAfter(deadline) }
        return limit == .max ? -1 : Int32(clamping: limit)
    }

    private func drainInbox() {
        for message in inbox.take() {
            switch message {
            case .answered(let deferred):
                if let reply = pending.remove(deferred) { answer(reply) }
            case .stopAccepting:
                acceptor.stop()
            case .drain(let limit):
                drain(within: limit)
            case .echo(let answer):
                answer(report)
            }
        }
        takeEvents()
    }

    private var report: ShardCounts {
        var report = counts
        report.connections = library?.connections ?? 0
        report.refused = acceptor.refused
        report.streams = streams.report
        return report
    }

    /// Lets libmicrohttpd do all it can, and takes over the streams whose heads it has sent.
    private func serve() {
        resumePostponed()
        // Bounded, so that clients that come and go without end hold up no events.
        for _ in 0..<Self.rounds where !isTurnOver {
            acceptor.accept(atMost: library?.room ?? 0) { library?.add($0, from: $1, length: $2) }
            let before = answers
            library?.run()
            guard !adopted.isEmpty else {
                // Where several were answered at once more are on their way: so they cost one look, and not two.
                if answers &- before > 1 || acceptor.isPending || library?.timeout() == 0 { continue }
                return
            }
            // A newcomer must not get less than what was answered to anybody before. libmicrohttpd frees adopted
            // connections in the next round.
            takeEvents()
            welcomeAdopted()
        }
    }

    private func runDeadlines() {
        if activeExchanges > 0 { watches.wake() }
        for deferred in pending.overdue(at: clock.now) { deferred.expire() }
        acceptor.runDeadlines()
        let isDue = (streams.count > 0 || !watches.isResting) && nextTick <= clock.now
        if isDue || streams.isTicking { streams.tick() }
        if isDue {
            watches.tick()
            nextTick = clock.now + .seconds(1)
        }
    }
}
