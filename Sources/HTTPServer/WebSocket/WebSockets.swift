// SPDX-License-Identifier: Apache-2.0
import Glibc

/// Reads what the clients of a shard's WebSockets send, has it answered, and pings them. One for all of them.
final class WebSockets: StreamInput {
    /// Seconds between two pings.
    private static let pingInterval: UInt32 = 20
    /// Seconds a client has to answer one.
    private static let pongLimit: UInt32 = 10

    private let clock: LoopClock
    /// What one client may send before others get their turn.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    /// A reader that no client is using.
    private var spare: MessageReader?
    /// What messages came to that the loop has to do, in order.
    private var actions: [WebSocketAction] = []
    private var queue = WebSocketQueue()
    /// When the other work of this turn is due.
    var turnEnd = LoopTime(nanoseconds: .max)

    init(_ clock: LoopClock) { self.clock = clock }

    deinit { buffer.deallocate() }

    var isTurnOver: Bool { LoopTime.now >= turnEnd }
    /// Messages wait for nothing but time.
    var isBusy: Bool { !queue.isEmpty }

    func takeActions() -> [WebSocketAction] {
        defer { actions = [] }
        return actions
    }

    // MARK: Streams

    /// Takes over a socket, and reads what its client sent behind its handshake.
    func adopt(_ arrival: Arrival, in streams: inout StreamConnections) {
        (arrival.companion as? WebSocket)?.pinged = clock.second
        let index = streams.adopt(arrival)
        arrival.early.withUnsafeBytes { read($0, from: index, in: &streams) }
    }

    /// What epoll reports of the connection behind `token`.
    func handle(_ token: UInt64, _ events: UInt32, in streams: inout StreamConnections) {
        if StreamConnections.reportsInput(events), let index = streams.index(of: token) {
            receive(from: index, in: &streams)
        }
        streams.handle(token, events)
    }

    /// From now on other events.
    func subscribe(_ token: UInt64, to subscription: MessageOutcome.Subscription, in streams: inout StreamConnections) {
        guard let index = streams.index(of: token), let webSocket = streams.all[index].webSocket,
            !streams.all[index].isOver
        else { return }
        streams.begin(index, subscription.start, of: subscription.filter)
        webSocket.awaitsSubscription = false
        enqueue(index, in: streams)
    }

    /// The answer that a message waited for is there.
    func answer(_ token: UInt64, _ response: Response, in streams: inout StreamConnections) {
        guard let index = streams.index(of: token), streams.all[index].webSocket != nil, !streams.all[index].isOver
        else { return }
        streams.say(Message.text(response.body).frame, to: index)
    }

    // MARK: Turns

    /// The client has sent something, or goes. If others wait, or the turn is over, its messages come behind theirs.
    func receive(from index: Int, in streams: inout StreamConnections) {
        if let webSocket = streams.all[index].webSocket, !streams.all[index].isOver {
            if webSocket.isPaused || webSocket.isQueued { return }
            if isBusy || isTurnOver { return enqueue(webSocket, streams.token(of: index)) }
        }
        receiveNow(from: index, in: &streams)
    }

    private func receiveNow(from index: Int, in streams: inout StreamConnections) {
        let count = recv(streams.all[index].socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        if count > 0 {
            read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: index, in: &streams)
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            streams.close(index)
        }
    }

    /// Goes on with the clients that had to wait, a message each by turns, as long as there is time.
    func receiveQueued(in streams: inout StreamConnections) {
        while !isTurnOver, let token = queue.next() {
            guard let index = streams.index(of: token), let webSocket = streams.all[index].webSocket else { continue }
            webSocket.isQueued = false
            // It comes again when it has taken its answers.
            if mustWait(index, webSocket, in: streams) { continue }
            if webSocket.isPaused {
                read(UnsafeRawBufferPointer(start: nil, count: 0), from: index, in: &streams)
            } else {
                receiveNow(from: index, in: &streams)
            }
        }
        queue.forgetServed()
    }

    /// Its messages, if some wait, may be answered from now on.
    private func enqueue(_ index: Int, in streams: borrowing StreamConnections) {
        guard let webSocket = streams.all[index].webSocket, webSocket.isPaused, !streams.all[index].isOver,
            !mustWait(index, webSocket, in: streams)
        else { return }
        enqueue(webSocket, streams.token(of: index))
    }

    private func enqueue(_ webSocket: WebSocket, _ token: UInt64) {
        if webSocket.isQueued { return }
        webSocket.isQueued = true
        queue.append(token)
    }

    /// A client's next message waits until it has the answers to the last one, so that it cannot make the daemon keep them.
    private func mustWait(_ index: Int, _ webSocket: WebSocket, in streams: borrowing StreamConnections) -> Bool {
        webSocket.awaitsSubscription || streams.all[index].pendingOutput?.holdsAnswers ?? false
    }

    func outputTaken(by index: Int, in streams: inout StreamConnections) {
        if streams.all[index].pendingOutput == nil { streams.all[index].webSocket?.keptUp(at: clock.second) }
        enqueue(index, in: streams)
    }

    // MARK: Messages

    /// Makes messages of bytes, and answers them in their order.
    ///
    /// - Parameter bytes: None, to go on with those that were read before.
    private func read(_ bytes: UnsafeRawBufferPointer, from index: Int, in streams: inout StreamConnections) {
        guard let webSocket = streams.all[index].webSocket, !streams.all[index].isOver,
            webSocket.isPaused || !bytes.isEmpty
        else { return }
        let reader = webSocket.reader ?? spare ?? MessageReader()
        if webSocket.reader == nil { spare = nil }
        let token = streams.token(of: index)
        webSocket.isPaused = false
        reader.read(bytes, under: webSocket.conversation.rules) { incoming in
            switch incoming {
            case .message(let message): answer(message, to: webSocket, token: token, at: index, in: &streams)
            case .ping(let payload): streams.say(Frame.encode(.pong, payload), to: index)
            case .pong: webSocket.awaitsPong = false
            case .close(let code): streams.end(index, with: Frame.close(code))
            case .fault(let code): streams.end(index, with: Frame.close(code))
            }
            guard isOpen(webSocket, at: index, in: streams) else { return false }
            webSocket.isPaused = mustWait(index, webSocket, in: streams) || isBusy || isTurnOver
            return !webSocket.isPaused
        }
        guard streams.all[index].companion === webSocket else { return }
        guard !streams.all[index].isOver, !reader.isIdle else {
            webSocket.reader = nil
            webSocket.isPaused = false
            if reader.isIdle { spare = reader }
            return
        }
        webSocket.reader = reader
        enqueue(index, in: streams)
    }

    private func isOpen(_ webSocket: WebSocket, at index: Int, in streams: borrowing StreamConnections) -> Bool {
        streams.all[index].companion === webSocket && !streams.all[index].isOver
    }

    private func answer(
        _ message: Message,
        to webSocket: WebSocket,
        token: UInt64,
        at index: Int,
        in streams: inout StreamConnections
    ) {
        let outcome = webSocket.conversation.receive(message)
        switch outcome.answer {
        case .none:
            break
        case .now(let answer):
            streams.say(answer.frame, to: index)
        case .later(let deferred):
            if let answer = deferred.answer {
                streams.say(Message.text(answer.body).frame, to: index)
            } else {
                actions.append(WebSocketAction(token: token, kind: .answer(deferred)))
            }
        }
        if let subscription = outcome.subscription {
            webSocket.awaitsSubscription = true
            actions.append(WebSocketAction(token: token, kind: .subscribe(subscription)))
        }
    }

    // MARK: Pings

    /// A WebSocket that keeps up is pinged, and given up when it does not answer. One that does not keep up is alive as
    /// long as it takes bytes.
    func tick(_ index: Int, in streams: inout StreamConnections) {
        guard let webSocket = streams.all[index].webSocket else { return }
        if webSocket.awaitsPong {
            guard clock.second - webSocket.pinged >= Self.pongLimit else { return }
            streams.send(Frame.close(.internalError), to: index)
            if streams.all[index].companion === webSocket { streams.close(index) }
        } else if clock.second - webSocket.pinged >= Self.pingInterval {
            webSocket.pinged = clock.second
            webSocket.awaitsPong = true
            streams.send(Frame.encode(.ping), to: index)
        }
    }
}
