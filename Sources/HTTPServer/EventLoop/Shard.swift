// SPDX-License-Identifier: Apache-2.0
internal import CLinux
internal import CMicroHTTPD
import Glibc
package import Support

/// One thread with its own libmicrohttpd daemon, epoll set, event streams and application.
///
/// ```
///   epoll set ─┬─ libmicrohttpd's epoll set ──► requests ──► Application ──► responses
///              ├─ inbox (eventfd) ─────────────► events, deferred responses, "drain"
///              ├─ listening sockets ───────────► Acceptor
///              └─ adopted sockets ─────────────► StreamConnections, WebSockets
/// ```
///
/// Only the shard's thread uses its members, so no connection needs a lock. Other threads use `inbox`. No call on this
/// thread may block.
///
/// Its variables have no checks of exclusive access at run time, which would be a fifth of the instructions of a `GET`:
/// a callback uses none that its caller is changing.
final class Shard: @unchecked Sendable {  // handed over once, to its own thread; only `inbox` is used by others
    /// The number of times libmicrohttpd runs before events get their turn.
    private static let rounds = 16
    /// The time budgets of a turn, in milliseconds from its beginning: for messages of WebSockets, then for events and
    /// clients that fell behind, then for expensive requests and new connections. Beyond them, new work waits for the
    /// next turn; work in progress is finished.
    private static let (messageTime, eventTime, requestTime) = (3 as Int64, 7 as Int64, 12 as Int64)
    /// The parts of each turn that only requests and only the delivery of events use, in milliseconds.
    private static let (leastRequestTime, deliveryTime) = (4 as Int64, 4 as Int64)

    private enum PollToken {
        static let library: UInt64 = 0
        static let inbox: UInt64 = 1
    }

    let inbox: ShardInbox
    let application: any Application
    private let poller: Poller
    let clock = LoopClock()
    let acceptor: Acceptor
    @exclusivity(unchecked) private var library: MHDDaemon?

    // Requests
    let watches: ConnectionWatches
    @exclusivity(unchecked) var pending: PendingReplies
    @exclusivity(unchecked) var postponed = PostponedRequests()
    @exclusivity(unchecked) var activeExchanges = 0
    /// Whether requests of this turn may change something at its end.
    @exclusivity(unchecked) var hasChanges = false
    /// The number of finished requests. It may wrap around to 0.
    @exclusivity(unchecked) var finished: UInt = 0
    /// The header fields of the request that began last. Valid until the next request of its connection begins.
    @exclusivity(unchecked) var newest: (connection: OpaquePointer, fields: FrequentFields)?

    // Streams
    let streamLimiter: StreamLimiter
    @exclusivity(unchecked) var streams: StreamConnections
    let webSockets: WebSockets
    @exclusivity(unchecked) var adoptedSockets: [AdoptedSocket] = []
    /// The events that epoll reported of connections in this turn.
    @exclusivity(unchecked) private var ready: [(token: UInt64, events: UInt32)] = []

    // The turn
    /// When this turn's time for expensive requests is used.
    @exclusivity(unchecked) private var turnEnd = LoopTime.now
    @exclusivity(unchecked) private(set) var isTurnOver = false
    /// Whether the application has more events than the last turns had time for.
    @exclusivity(unchecked) var hasEvents = false
    @exclusivity(unchecked) private var nextTick: LoopTime
    @exclusivity(unchecked) private var turns: UInt64 = 0
    /// The remaining time for clients to read their farewell; `nil` while the shard serves.
    @exclusivity(unchecked) var draining: Countdown?
    @exclusivity(unchecked) var counts = ShardCounts()

    /// Creates a shard. It may be created on another thread, before its own thread starts.
    init(
        listeningOn sockets: [Int32],
        connections: Int,
        limits: ConnectionLimits,
        streamLimiter: StreamLimiter,
        connectionLimiter: ConnectionLimiter,
        inbox: ShardInbox,
        application: any Application
    ) throws(ServerError) {
        self.inbox = inbox
        self.application = application
        self.streamLimiter = streamLimiter
        poller = try Poller()
        pending = PendingReplies(inbox)
        watches = ConnectionWatches(
            for: connections,
            limits: limits,
            refusing: application.refusal(of: .tooSlow).bytesOfLastResponse,
            poller: poller,
            clock: clock
        )
        webSockets = WebSockets(clock) { frame, token in inbox.post(.send(frame, to: token)) }
        streams = StreamConnections(
            limitedBy: streamLimiter,
            formats: StreamFormats(application.eventEncoding),
            readBy: webSockets,
            poller: poller,
            clock: clock,
            pendingLimit: limits.waitingBytes
        )
        nextTick = clock.start
        acceptor = Acceptor(
            listeningOn: sockets,
            limiter: connectionLimiter,
            refusing: application,
            poller: poller,
            clock: clock
        )
        let library = try MHDDaemon(connections: connections, for: self)
        poller.add(library.descriptor, EPOLLIN, token: PollToken.library)
        poller.add(inbox.descriptor, EPOLLIN, token: PollToken.inbox)
        self.library = consume library
    }

    /// Runs the loop until the shard is drained.
    func run() {
        while !isDone { turn() }
        streams.closeAll()
        // libmicrohttpd aborts the process when it is stopped with a suspended connection.
        completePending()
        resumePostponed(atMost: .max)
        library?.run()
        library = nil
    }

    // MARK: A turn

    /// Waits for work, and performs it.
    func turn() {
        var isWoken = false
        poller.wait(milliseconds: timeout) { token, events in
            switch token {
            case PollToken.library: break
            case PollToken.inbox: isWoken = true
            case Acceptor.token: acceptor.wake()
            default: ready.append((token, events))
            }
        }
        beginTurn()
        for (token, events) in ready {
            if ConnectionWatches.owns(token) {
                watches.received(token)
            } else {
                webSockets.handle(token, events, in: &streams)
            }
        }
        ready.removeAll(keepingCapacity: true)
        receiveMessages()
        if isWoken {
            readInbox()
        } else if hasEvents {
            takeEvents()
        }
        serve()
        if acceptor.mayChange, let capacity = library?.capacity { acceptor.updateState(capacity: capacity) }
        if streams.isFanningOut {
            streams.turnEnd = LoopTime.now.after(milliseconds: Self.deliveryTime)
            streams.fanOut()
        }
        runDeadlines()
        turns &+= 1
        // A clock read in every turn would cost more than the samples are worth.
        if turns % ShardCounts.turnsPerSample == 0 { counts.turns.count(LoopTime.now - clock.now) }
    }

    private func beginTurn() {
        let last = clock.now
        clock.advance(to: .now)
        draining?.spend(clock.now - last)
        webSockets.turnEnd = clock.now.after(milliseconds: Self.messageTime)
        streams.turnEnd = clock.now.after(milliseconds: Self.eventTime)
        (turnEnd, isTurnOver) = (clock.now.after(milliseconds: Self.requestTime), false)
    }

    /// Checks whether this turn's time is used. Call it after work that may take long.
    func spendTime() { isTurnOver = LoopTime.now >= turnEnd }

    /// The time until the next known work, in milliseconds; -1 without limit.
    private var timeout: Int32 {
        // A turn that ran out of time left work behind, such as the connections it accepted.
        if isTurnOver || hasEvents || !postponed.isEmpty { return 0 }
        if streams.isFanningOut || streams.isTicking || webSockets.hasWork { return 0 }
        var limit = library?.timeout() ?? .max
        func notAfter(_ time: LoopTime) { limit = min(limit, UInt64(time.milliseconds(after: clock.now))) }
        if let deadline = pending.nextDeadline { notAfter(deadline) }
        if streams.needsTicks || !watches.isResting { notAfter(nextTick) }
        if let draining { notAfter(clock.now + draining.wait) }
        if let deadline = acceptor.nextDeadline { notAfter(deadline) }
        return limit == .max ? -1 : Int32(clamping: limit)
    }

    private func readInbox() {
        for message in inbox.take() {
            switch message {
            case .answered(let deferred):
                if let reply = pending.remove(deferred) { deliver(reply) }
            case .send(let frame, let token):
                webSockets.send([SharedBytes(frame)], to: token, in: &streams)
            case .stopAccepting:
                acceptor.stop()
            case .drain(let limit):
                drain(within: limit)
            case .report(let completion):
                completion(report)
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

    /// Runs libmicrohttpd, and takes over the streams whose heads it has sent.
    private func serve() {
        // Requests have a part of every turn, also when messages or events have used its time.
        if isTurnOver || hasEvents || webSockets.isBusy {
            turnEnd = max(turnEnd, LoopTime.now.after(milliseconds: Self.leastRequestTime))
            isTurnOver = false
        }
        // Bounded, so that events are sent also while clients connect and leave without end.
        for round in 0..<Self.rounds where !isTurnOver {
            // More in each round: nobody knows how long they take.
            resumePostponed(atMost: draining == nil ? 1 << round : .max)
            acceptor.accept(atMost: library?.capacity ?? 0) { library?.add($0, from: $1, length: $2) ?? false }
            let before = finished
            library?.run()
            if hasChanges {
                hasChanges = false
                application.endTurn()
            }
            guard !adoptedSockets.isEmpty else {
                // Several responses at once predict more requests: another round now saves an epoll wait.
                if finished &- before > 1 || acceptor.isPending || !postponed.isEmpty || library?.timeout() == 0 {
                    continue
                }
                return
            }
            // A new stream must not begin before the events of earlier responses. libmicrohttpd frees adopted
            // connections in the next round.
            takeEvents()
            if hasEvents { return }
            welcomeAdopted()
        }
    }

    private func runDeadlines() {
        if activeExchanges > 0 { watches.wake() }
        // Each puts its response into the inbox: the next turn sends it.
        for deferred in pending.overdue(at: clock.now) { deferred.complete() }
        acceptor.runDeadlines()
        let isDue = (streams.needsTicks || !watches.isResting) && nextTick <= clock.now
        if isDue || streams.isTicking { streams.tick() }
        if isDue {
            let evicted = streams.takeEvicted()
            if evicted > 0 { application.evicted(evicted) }
            watches.tick()
            nextTick = clock.now + .seconds(1)
        }
    }
}

/// The current connections of a shard, and its counters since its start.
///
/// Plain fields, counted on the shard's thread and copied there for other threads.
package struct ShardCounts: Sendable {
    /// Connections of libmicrohttpd: active requests, and keep-alive connections between them.
    package internal(set) var connections = 0
    /// Connections that were rejected because the shard was full or their client over its limit.
    package internal(set) var refused: UInt64 = 0
    /// The number of responses with each status, without streams and WebSockets.
    package private(set) var responses = [UInt64](repeating: 0, count: 600)
    /// The time from reading a command (a request that changes something, or a WebSocket message) to its response.
    package internal(set) var commands = Histogram(bounds: Histogram.defaultBounds)
    /// The busy time between two waits, sampled in one of `turnsPerSample` turns. It bounds every response time from
    /// below.
    package internal(set) var turns = Histogram(bounds: Histogram.defaultBounds)
    package internal(set) var streams = StreamCounts()

    static let turnsPerSample: UInt64 = 64

    mutating func answered(_ status: Int) { responses[status] += 1 }
}

/// The end of a shard: active requests are answered, and streams receive their farewell.
extension Shard {
    var isDone: Bool {
        guard let draining else { return false }
        return draining.isOver || (activeExchanges == 0 && streams.count == 0)
    }

    func drain(within limit: Duration) {
        guard draining == nil else { return }
        draining = Countdown(limit)
        acceptor.stop()
        takeEvents()
        // WebSockets, too, receive their responses before their end.
        completePending()
        streams.drain()
    }

    /// Completes each pending request with its fallback. While the shard drains, later requests do not wait.
    func completePending() {
        for reply in pending.removeAll() {
            // A message about this response that is in the inbox already finds no entry then.
            reply.deferred.complete()
            deliver(reply)
        }
    }
}
