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
///              └─ adopted sockets ─────────────► outlets
/// ```
///
/// Everything here is touched by the shard's thread only, so there is no lock around a connection. Others reach it by
/// `inbox`. Nothing on this thread may block.
final class Shard: @unchecked Sendable {  // handed over once, to its own thread; only `inbox` is used by others
    /// How often libmicrohttpd is run before events get their turn.
    private static let rounds = 16
    /// Milliseconds of a turn after which the messages of WebSockets, and then dear requests and newcomers, wait for the next one.
    /// Whatever is under way is finished.
    private static let (messageTime, requestTime) = (6 as Int64, 12 as Int64)

    private enum Token {
        static let library: UInt64 = 0
        static let inbox: UInt64 = 1
        static let listener: UInt64 = 2
    }

    /// What clients are told who may not have another connection.
    private struct Refusals {
        let tooMany: [UInt8]
        let tooOften: [UInt8]
    }

    private struct Parked {
        enum Asker {
            /// A request, on its suspended connection.
            case request(OpaquePointer)
            /// A message, on the WebSocket with this token.
            case outlet(UInt64)
        }

        let asker: Asker
        let deadline: LoopTime
        let deferred: Deferred
        /// Since when; `nil` for what is no command.
        let since: LoopTime?
    }

    let inbox: ShardInbox
    private let application: any Application
    private let room: StreamRoom
    private let clients: ConnectionRoom
    private let refusals: Refusals
    private var poller: Poller
    private var outlets: Outlets
    private let watches: ConnectionWatches
    private var library: LibraryDaemon?
    private var listener: Listener?
    private var door = Door.open
    /// Somebody waits to be let in.
    private var isKnocked = false
    /// Where the newcomer is counted whom libmicrohttpd is about to take.
    private var newcomer: ConnectionRoom.Place?

    /// What the epoll set reported of outlets in this turn.
    private var ready: [(token: UInt64, events: UInt32)] = []
    private var adopted: [Arrival] = []
    /// Suspended requests for which a turn had no time.
    private var postponed: [OpaquePointer] = []
    /// When this turn has no more time for requests that cost some.
    private var turnEnd = LoopTime.now
    private var isTurnOver = false
    private var parked: [ObjectIdentifier: Parked] = [:]
    private var nextExpiry: LoopTime?
    private var activeExchanges = 0
    /// How many there were; it may begin again at 0.
    private var answers: UInt = 0
    /// Of the request that began last. It is valid for its connection until that one's next request begins.
    private var newest: (connection: OpaquePointer, fields: FrequentFields)?
    /// What is left for clients to take their end; `nil` while the shard serves.
    private var draining: Countdown?
    private var counts = ShardCounts()
    private var turns: UInt64 = 0

    /// The loop's time, read once a turn.
    private var now = LoopTime.now
    private let start = LoopTime.now
    private var nextTick: LoopTime

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
        self.clients = clients
        refusals = Refusals(
            tooMany: application.refusal(of: .tooManyConnections).bytesOfLastAnswer,
            tooOften: application.refusal(of: .tooManyConnects).bytesOfLastAnswer
        )
        watches = ConnectionWatches(
            for: connections,
            limits,
            refusing: application.refusal(of: .tooSlow).bytesOfLastAnswer
        )
        poller = try Poller()
        outlets = Outlets(in: room, StreamFormats(application.eventEncoding), backlogLimit: limits.waitingBytes)
        nextTick = start
        let library = try LibraryDaemon(connections: connections, for: self)
        poller.add(library.descriptor, EPOLLIN, token: Token.library)
        poller.add(inbox.descriptor, EPOLLIN, token: Token.inbox)
        self.library = consume library
        for socket in sockets { poller.add(socket, EPOLLIN, token: Token.listener) }
        listener = Listener(sockets, refusing: application.refusal(of: .noConnection).bytesOfLastAnswer)
    }

    // MARK: The loop

    /// Runs until drained.
    func run() {
        while !isDone { turn() }
        outlets.closeAll()
        // libmicrohttpd aborts the process when it is stopped with a suspended connection.
        answerParked()
        library?.run()
        library = nil
    }

    /// Waits until there is something to do, and does it.
    func turn() {
        var isWoken = false
        poller.wait(milliseconds: patience()) { token, events in
            switch token {
            case Token.library: break
            case Token.inbox: isWoken = true
            case Token.listener: isKnocked = true
            default: ready.append((token, events))
            }
        }
        let last = now
        now = .now
        draining?.spend(now - last)
        let second = self.second
        outlets.ear.turnEnd = now.after(milliseconds: Self.messageTime)
        (turnEnd, isTurnOver) = (now.after(milliseconds: Self.requestTime), false)
        for (token, events) in ready {
            if ConnectionWatches.owns(token) {
                watches.hear(token, at: second)
            } else {
                outlets.handle(token, events, poller, second: second)
            }
        }
        ready.removeAll(keepingCapacity: true)
        converse()
        if isWoken { look() }
        serve()
        mindTheDoor()
        outlets.sweep(poller, second: second)
        keepTime()
        turns &+= 1
        // At each turn the clock would cost more than is worth knowing.
        if turns % ShardCounts.turnsPerSample == 0 { counts.turns.count(LoopTime.now - now) }
    }

    private var report: ShardCounts {
        var report = counts
        report.connections = library?.connections ?? 0
        report.refused = listener?.refused ?? 0
        report.streams = outlets.report
        return report
    }

    private var isDone: Bool {
        guard let draining else { return false }
        return draining.isOver || activeExchanges == 0 && outlets.count == 0
    }

    /// Seconds since the shard's start; what outlets measure time by.
    private var second: UInt32 { now.seconds(since: start) }

    /// How long there is nothing to do, in milliseconds; -1 without limit.
    private func patience() -> Int32 {
        // A turn that was over left work behind, the connections of newcomers it took among it.
        if isTurnOver || outlets.isSweeping || outlets.isTicking || outlets.ear.isBusy { return 0 }
        var limit = library?.timeout() ?? .max
        func notAfter(_ time: LoopTime) { limit = min(limit, UInt64(time.milliseconds(after: now))) }
        if let nextExpiry { notAfter(nextExpiry) }
        if outlets.count > 0 || !watches.isResting { notAfter(nextTick) }
        if let draining { notAfter(now + draining.wait) }
        if let end = listener?.endOfLeaving { notAfter(end) }
        if case .shut(let since) = door { notAfter(since + Door.patience) }
        return limit == .max ? -1 : Int32(clamping: limit)
    }

    private func look() {
        for message in inbox.take() {
            switch message {
            case .answered(let deferred):
                if let waiting = parked.removeValue(forKey: ObjectIdentifier(deferred)) { answer(waiting) }
            case .stopAccepting:
                stopAccepting()
            case .drain(let limit):
                drain(within: limit)
            case .echo(let answer):
                answer(report)
            }
        }
        takeEvents()
    }

    private func answer(_ waiting: Parked) {
        if let since = waiting.since { counts.commands.count(now - since) }
        switch waiting.asker {
        case .request(let connection):
            MHD_resume_connection(connection)
        case .outlet(let token):
            if let answer = waiting.deferred.answer { outlets.answer(token, answer, poller, second: second) }
        }
    }

    /// Answers the messages of WebSockets, as long as there is time.
    private func converse() {
        repeat {
            outlets.listenOn(poller, second: second)
            grantWishes()
        } while outlets.ear.isBusy && !outlets.ear.isTurnOver
    }

    /// Does what the messages of WebSockets came to.
    private func grantWishes() {
        for wish in outlets.ear.takeWishes() {
            switch wish.kind {
            case .answer(let deferred):
                if !park(deferred, for: .outlet(wish.token), isCommand: true), let answer = deferred.answer {
                    outlets.answer(wish.token, answer, poller, second: second)
                }
            case .subscribe(let subscription):
                // Not less than what was answered before.
                takeEvents()
                outlets.subscribe(wish.token, to: subscription, poller, second: second)
            }
        }
    }

    private func takeEvents() {
        guard outlets.count > 0 || !adopted.isEmpty || application.awaitsEvents else { return application.lookAway() }
        outlets.take(application.takeEvents())
    }

    /// Lets libmicrohttpd do all it can, and takes over the streams whose heads it has sent.
    private func serve() {
        resumePostponed()
        // Bounded, so that those who come and go without end hold up no events.
        for _ in 0..<Self.rounds where !isTurnOver {
            letIn()
            let before = answers
            library?.run()
            guard !adopted.isEmpty else {
                // Where several were answered at once more are on their way: so they cost one look, and not two.
                if answers &- before > 1 || isKnocked || library?.timeout() == 0 { continue }
                return
            }
            // A newcomer must not get less than what was answered to anybody before. libmicrohttpd frees adopted
            // connections in the next round.
            takeEvents()
            welcomeAdopted()
        }
    }

    private func welcomeAdopted() {
        var welcomed = 0
        while welcomed < adopted.count, !isTurnOver || draining != nil {
            welcome(adopted[welcomed])
            welcomed += 1
            spendTime()
        }
        adopted.removeFirst(welcomed)
    }

    /// Call it after whatever may take long.
    private func spendTime() { isTurnOver = LoopTime.now >= turnEnd }

    /// Lets the requests be answered for which the last turn had no time.
    private func resumePostponed() {
        for connection in postponed { MHD_resume_connection(connection) }
        postponed.removeAll(keepingCapacity: true)
    }

    private func letIn() {
        guard isKnocked else { return }
        if door == .refusing {
            isKnocked = listener?.refuse() ?? false
        } else if let room = library?.room, room > 0 {
            isKnocked = listener?.accept(atMost: room, at: now) { letIn($0, $1, $2) } ?? false
        }
    }

    /// - Returns: `nil`, or what is to be said to a newcomer who is not let in.
    private func letIn(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> [UInt8]? {
        do throws(RequestFault) {
            newcomer = try clients.take(for: address, on: socket, at: now)
        } catch {
            return error == .tooManyConnects ? refusals.tooOften : refusals.tooMany
        }
        library?.add(socket, address, length)
        // libmicrohttpd did not take it.
        if let place = newcomer { clients.giveBack(place) }
        newcomer = nil
        return nil
    }

    /// Whoever cannot be let in waits a moment, and then is told.
    private func mindTheDoor() {
        isKnocked = false
        guard let room = library?.room else { return }
        if case .open = door, room > 0 { return }
        guard let sockets = listener?.descriptors else { return }
        let before = door
        if room > 0 {
            door = .open
        } else if door == .open {
            door = .shut(since: now)
        } else if case .shut(let since) = door, now >= since + Door.patience {
            door = .refusing
        }
        guard door != before else { return }
        var interest = EPOLLIN
        if case .shut = door { interest = EPOLL_EVENTS(rawValue: 0) }
        for socket in sockets { poller.change(socket, interest, token: Token.listener) }
    }

    private func welcome(_ arrival: Arrival) {
        outlets.adopt(arrival, poller, second: second)
        grantWishes()
        if draining != nil { outlets.drain(poller, second: second) }
    }

    private func keepTime() {
        if activeExchanges > 0 { watches.wake() }
        if let nextExpiry, nextExpiry <= now { expire() }
        if let end = listener?.endOfLeaving, end <= now { listener?.closeLeaving() }
        let isDue = (outlets.count > 0 || !watches.isResting) && nextTick <= now
        if isDue || outlets.isTicking { outlets.tick(poller, second: second) }
        if isDue {
            watches.tick(poller, second: second)
            nextTick = now + .seconds(1)
        }
    }

    private func expire() {
        for request in parked.values where request.deadline <= now { request.deferred.expire() }
        nextExpiry = parked.values.lazy.map(\.deadline).filter { $0 > self.now }.min()
    }

    private func stopAccepting() {
        listener = nil
        door = .open
    }

    private func drain(within limit: Duration) {
        guard draining == nil else { return }
        draining = Countdown(limit)
        stopAccepting()
        takeEvents()
        // Also WebSockets get their answers before their end.
        answerParked()
        outlets.drain(poller, second: second)
    }

    /// Answers each caller that waits with what there is by now. Later requests do not wait while the shard drains.
    private func answerParked() {
        let waiting = parked.values
        parked = [:]
        nextExpiry = nil
        for waiting in waiting {
            // The inbox's message about this answer finds nothing any more.
            waiting.deferred.expire()
            answer(waiting)
        }
    }

    // MARK: Called by libmicrohttpd, inside `serve`

    /// A connection has come: what is to be kept with it.
    func watch(_ connection: OpaquePointer) -> UnsafeMutableRawPointer? {
        let watch = watches.begin(connection, in: newcomer ?? .uncounted, at: second)
        if watch != nil { newcomer = nil }
        return watch
    }

    func left(_ watch: UnsafeMutableRawPointer?) { clients.giveBack(watches.end(watch)) }

    func adopt(_ arrival: Arrival, from connection: OpaquePointer) {
        ConnectionWatches.leave(connection, poller)
        adopted.append(arrival)
    }

    /// Also called for connections that never sent a whole head.
    func completed(_ connection: OpaquePointer, _ state: inout UnsafeMutableRawPointer?) {
        guard ExchangePointer.isBegun(state) else { return }
        watches.endRequest(on: connection)
        ExchangePointer.release(state)
        state = nil
        activeExchanges -= 1
        answers &+= 1
    }

    /// The first call sees the head, later ones parts of the body, the last one has no part: then it is answered.
    /// Answering on the first call makes libmicrohttpd close the connection, which is what faults deserve.
    func handle(
        _ connection: OpaquePointer,
        _ line: RequestLine,
        _ part: UnsafeRawBufferPointer,
        _ state: inout UnsafeMutableRawPointer?
    ) -> MHD_Result {
        guard ExchangePointer.isBegun(state) else { return begin(connection, line, &state) }
        let exchange = ExchangePointer.exchange(state)
        if let exchange, !part.isEmpty { return exchange.receive(part) ? .YES : .NO }
        ConnectionWatches.enter(.answer, connection)
        if let exchange {
            if let answer = exchange.deferred?.answer { return queue(answer, on: connection) }
            if exchange.isTooLarge { return queue(application.refusal(of: .largeBody), on: connection) }
        }
        let request = Request(
            method: Method(line.method),
            target: line.target,
            body: exchange?.body ?? [],
            isHTTP10: line.isHTTP10,
            connection: connection,
            frequent: newest?.connection == connection ? newest?.fields : nil
        )
        if isTurnOver, draining == nil, application.mayTakeLong(request) { return postpone(connection) }
        return answer(request, &state)
    }

    private func begin(
        _ connection: OpaquePointer,
        _ line: RequestLine,
        _ state: inout UnsafeMutableRawPointer?
    ) -> MHD_Result {
        activeExchanges += 1
        let mark = state
        state = ExchangePointer.seen
        do throws(RequestFault) {
            switch ExchangePointer.targetFault(mark) {
            case nil: break
            case .long: throw RequestFault.longTarget
            case .cut: throw RequestFault.ambiguous("Its target holds a zero byte.")
            case .spaced: throw RequestFault.ambiguous("Its target holds a space.")
            }
            let head = try MessageHead(of: connection, isHTTP10: line.isHTTP10)
            newest = (connection, head.frequent)
            let limit = head.asksFirst ? RequestLimits.body : RequestLimits.discarded
            if head.contentLength ?? 0 > limit { throw RequestFault.largeBody }
            if head.hasBody {
                ConnectionWatches.enter(.body, connection)
                state = ExchangePointer.hold(Exchange(expecting: head.contentLength ?? 0))
            }
            return .YES
        } catch {
            ConnectionWatches.enter(.answer, connection)
            var refusal = application.refusal(of: error)
            refusal.fields.append(("Connection", "close"))
            return queue(refusal, on: connection)
        }
    }

    /// It is answered in the next turn: this one has taken long enough.
    private func postpone(_ connection: OpaquePointer) -> MHD_Result {
        postponed.append(connection)
        ConnectionWatches.enter(.waiting, connection)
        MHD_suspend_connection(connection)
        return .YES
    }

    private func answer(_ request: Request, _ state: inout UnsafeMutableRawPointer?) -> MHD_Result {
        let reply = application.reply(to: request)
        if case .kept = reply {} else { spendTime() }
        switch reply {
        case .now(let response):
            return queue(response, on: request.connection)
        case .kept(let kept):
            counts.answered(kept.response.status)
            return kept.handle.queue(status: kept.response.status, on: request.connection)
        case .later(let deferred):
            return wait(
                for: deferred,
                request.connection,
                &state,
                isCommand: request.method != .get && request.method != .head
            )
        case .stream(let stream):
            if request.method == .head {
                return ResponseHandle(endlessHead: stream.headFields).queue(status: 200, on: request.connection)
            }
            return admit(stream, on: request.connection) { client in
                let framing = request.isHTTP10 ? Framing.plain : .chunked
                let adoption = Adoption(by: self, request.connection, framing, stream, of: client, in: room)
                return adoption.response().queue(status: 200, on: request.connection)
            }
        case .webSocket(let webSocket):
            return admit(webSocket.stream, on: request.connection) { client in
                let upgrade = Upgrade(by: self, webSocket, of: client, in: room)
                hold(&state).upgrade = upgrade
                return upgrade.response.queue(status: 101, on: request.connection)
            }
        }
    }

    /// Takes a place for a stream or WebSocket and begins it, or says why there is none.
    private func admit(
        _ stream: StreamRequest,
        on connection: OpaquePointer,
        begin: (ClientAddress) -> MHD_Result
    ) -> MHD_Result {
        do throws(RequestFault) {
            if draining != nil { throw .noRoom }
            let client = ClientAddress(cmhd_client(connection), on: cmhd_socket(connection))
            try room.take(for: client)
            return begin(client)
        } catch {
            var refusal = application.refusal(of: error)
            refusal.fields += stream.fields
            return queue(refusal, on: connection)
        }
    }

    private func hold(_ state: inout UnsafeMutableRawPointer?) -> Exchange {
        if let exchange = ExchangePointer.exchange(state) { return exchange }
        let exchange = Exchange(expecting: 0)
        state = ExchangePointer.hold(exchange)
        return exchange
    }

    private func wait(
        for deferred: Deferred,
        _ connection: OpaquePointer,
        _ state: inout UnsafeMutableRawPointer?,
        isCommand: Bool
    ) -> MHD_Result {
        guard park(deferred, for: .request(connection), isCommand: isCommand) else {
            return deferred.answer.map { queue($0, on: connection) } ?? .NO
        }
        hold(&state).deferred = deferred
        ConnectionWatches.enter(.waiting, connection)
        MHD_suspend_connection(connection)
        return .YES
    }

    /// `false` if the answer is there already.
    private func park(_ deferred: Deferred, for asker: Parked.Asker, isCommand: Bool) -> Bool {
        if draining != nil { deferred.expire() }
        guard deferred.park(in: inbox) else {
            if isCommand { counts.commands.count(.zero) }
            return false
        }
        let deadline = deferred.deadline(from: now)
        parked[ObjectIdentifier(deferred)] = Parked(
            asker: asker,
            deadline: deadline,
            deferred: deferred,
            since: isCommand ? now : nil
        )
        nextExpiry = min(nextExpiry ?? deadline, deadline)
        return true
    }

    private func queue(_ response: Response, on connection: OpaquePointer) -> MHD_Result {
        counts.answered(response.status)
        watches.beginAnswer(of: response.body.count, on: connection)
        return ResponseHandle(response).queue(status: response.status, on: connection)
    }
}
