// SPDX-License-Identifier: Apache-2.0
import Glibc

/// The input of a shard's WebSockets: reads messages, has them answered, and pings clients. One for all.
final class WebSockets: StreamInput {
    /// Seconds between two pings.
    private static let pingInterval: UInt32 = 20
    /// Seconds a client has to answer a ping.
    private static let pongLimit: UInt32 = 10

    private let clock: LoopClock
    private let post: @Sendable (_ frame: [UInt8], _ token: UInt64) -> Void
    /// The buffer of one read. Other clients get their turn after it.
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    /// An idle reader for the next client.
    private var spare: MessageReader?
    /// Work for the loop that messages caused, in order.
    @exclusivity(unchecked) private var actions: [WebSocketAction] = []
    /// The WebSockets with messages to read, by their streams' tokens. Each gets one turn.
    @exclusivity(unchecked) private var queue: ArraySlice<UInt64> = []
    /// The shared part of the last response that had one, while clients have not read it.
    private weak var sharedPiece: SharedBytes?
    /// When this turn's time for messages is used.
    @exclusivity(unchecked) var turnEnd = LoopTime(nanoseconds: .max)

    /// - Parameter post: Makes the shard send a frame on the WebSocket with a token. Any thread.
    init(_ clock: LoopClock, post: @escaping @Sendable (_ frame: [UInt8], _ token: UInt64) -> Void) {
        (self.clock, self.post) = (clock, post)
    }

    deinit { buffer.deallocate() }

    var isTurnOver: Bool { LoopTime.now >= turnEnd }
    /// Whether messages wait only for time.
    var isBusy: Bool { !queue.isEmpty }
    /// Whether the next turn has work: such messages, or a subscription that was postponed.
    var hasWork: Bool { isBusy || !actions.isEmpty }

    func takeActions() -> [WebSocketAction] {
        defer { actions = [] }
        return actions
    }

    func postpone(_ action: WebSocketAction) { actions.append(action) }

    // MARK: Streams

    /// Takes over a socket, and reads the bytes that its client sent after the handshake.
    func adopt(_ adopted: AdoptedSocket, in streams: inout StreamConnections) {
        let webSocket = adopted.request.companion as? WebSocket
        webSocket?.pinged = clock.second
        let index = streams.adopt(adopted)
        let token = streams.token(of: index)
        webSocket?.handler.opened(WebSocketChannel { [post] frame in post(frame, token) })
        adopted.early.withUnsafeBytes { read($0, from: index, in: &streams) }
    }

    /// Handles the events that epoll reports of the connection behind `token`.
    func handle(_ token: UInt64, _ events: UInt32, in streams: inout StreamConnections) {
        if let index = streams.index(of: token) {
            if StreamConnections.reportsInput(events) { receive(from: index, in: &streams) }
            // The next turn reports the end again.
            if StreamConnections.reportsEnd(events), !receiveLast(from: index, in: &streams) { return }
        }
        streams.handle(token, events)
    }

    func subscribe(_ token: UInt64, to subscription: StreamRequest, in streams: inout StreamConnections) {
        guard let index = streams.index(of: token), let webSocket = streams.all[index].webSocket,
            !streams.all[index].isEnding
        else { return }
        streams.changeFilter(of: index, to: subscription.filter, subscription.start)
        webSocket.awaitsSubscription = false
        enqueue(index, in: streams)
    }

    /// Sends the response for which a message waited.
    func send(_ response: Response, to token: UInt64, in streams: inout StreamConnections) {
        send(frame(of: response), to: token, in: &streams)
    }

    /// Sends a frame that may not be dropped.
    func send(_ frame: [SharedBytes], to token: UInt64, in streams: inout StreamConnections) {
        guard let index = streams.index(of: token), streams.all[index].webSocket != nil, !streams.all[index].isEnding
        else { return }
        streams.sendResponse(frame, to: index)
    }

    /// Returns the text frame with a response's body. Clients with the same shared part send the same bytes.
    private func frame(of response: Response) -> [SharedBytes] {
        guard let shared = response.shared else { return [SharedBytes(Message.text(response.body).frame)] }
        let piece = sharedPiece.flatMap { $0.body === shared ? $0 : nil } ?? SharedBytes(shared)
        sharedPiece = piece
        var head: [UInt8] = []
        Frame.appendHead(.text, of: response.length, to: &head)
        return [SharedBytes(head + response.body), piece, SharedBytes(response.end)].filter { $0.count > 0 }
    }

    // MARK: Turns

    /// Handles input or an end of a client. If others wait or the turn is over, its messages come after theirs.
    func receive(from index: Int, in streams: inout StreamConnections) {
        if let webSocket = streams.all[index].webSocket, !streams.all[index].isEnding {
            if webSocket.isPaused || webSocket.isQueued { return }
            if isBusy || isTurnOver { return enqueue(webSocket, streams.token(of: index)) }
        }
        receiveNow(from: index, in: &streams)
    }

    private func receiveNow(from index: Int, in streams: inout StreamConnections) {
        let count = recv(streams.all[index].socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        if count > 0 {
            read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: index, in: &streams)
        } else if count == 0 || (errno != EAGAIN && errno != EINTR) {
            streams.close(index)
        }
    }

    /// Handles the messages that arrived before a connection broke, as far as this turn has time: a client that closes
    /// its socket with unread events or responses resets the connection.
    ///
    /// - Returns: Whether none is left.
    private func receiveLast(from index: Int, in streams: inout StreamConnections) -> Bool {
        guard let webSocket = streams.all[index].webSocket, !streams.all[index].isEnding else { return true }
        webSocket.isBroken = true
        repeat {
            if webSocket.isPaused {
                read(UnsafeRawBufferPointer(start: nil, count: 0), from: index, in: &streams)
            } else {
                let count = recv(streams.all[index].socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
                guard count > 0 else { return true }
                read(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: index, in: &streams)
            }
        } while isOpen(webSocket, at: index, in: streams) && !isTurnOver
        return !isOpen(webSocket, at: index, in: streams)
    }

    /// Continues with the clients that had to wait, one message each in turn, as long as there is time.
    func receiveQueued(in streams: inout StreamConnections) {
        while !isTurnOver, let token = queue.popFirst() {
            guard let index = streams.index(of: token), let webSocket = streams.all[index].webSocket else { continue }
            webSocket.isQueued = false
            // It is queued again when it has read its responses.
            if mustWait(index, webSocket, in: streams) { continue }
            if webSocket.isPaused {
                read(UnsafeRawBufferPointer(start: nil, count: 0), from: index, in: &streams)
            } else {
                receiveNow(from: index, in: &streams)
            }
        }
    }

    /// Queues a WebSocket whose waiting messages may be answered now.
    private func enqueue(_ index: Int, in streams: borrowing StreamConnections) {
        guard let webSocket = streams.all[index].webSocket, webSocket.isPaused, !streams.all[index].isEnding,
            !mustWait(index, webSocket, in: streams)
        else { return }
        enqueue(webSocket, streams.token(of: index))
    }

    private func enqueue(_ webSocket: WebSocket, _ token: UInt64) {
        if webSocket.isQueued { return }
        webSocket.isQueued = true
        queue.append(token)
    }

    /// Whether the next message must wait until the client has read the responses to the last one. Otherwise a client
    /// could make the daemon store responses without limit.
    private func mustWait(_ index: Int, _ webSocket: WebSocket, in streams: borrowing StreamConnections) -> Bool {
        if webSocket.isBroken { return false }
        return webSocket.awaitsSubscription || streams.all[index].pendingOutput?.holdsResponses ?? false
    }

    func outputTaken(by index: Int, in streams: inout StreamConnections) {
        if streams.all[index].pendingOutput == nil { streams.all[index].webSocket?.keptUp(at: clock.second) }
        enqueue(index, in: streams)
    }

    // MARK: Messages

    /// Parses bytes, and handles the messages in order.
    ///
    /// - Parameter bytes: The received bytes; empty to continue with bytes left from earlier reads.
    private func read(_ bytes: UnsafeRawBufferPointer, from index: Int, in streams: inout StreamConnections) {
        guard let webSocket = streams.all[index].webSocket, !streams.all[index].isEnding,
            webSocket.isPaused || !bytes.isEmpty
        else { return }
        let reader = webSocket.reader ?? spare ?? MessageReader()
        if webSocket.reader == nil { spare = nil }
        let token = streams.token(of: index)
        webSocket.isPaused = false
        reader.read(bytes, under: webSocket.handler.rules) { incoming in
            switch incoming {
            case .message(let message): handle(message, to: webSocket, token: token, at: index, in: &streams)
            case .ping(let payload):
                reply([SharedBytes(Frame.encode(.pong, payload))], to: webSocket, at: index, in: &streams)
            case .pong: webSocket.awaitsPong = false
            case .close(let code): streams.end(index, with: Frame.close(code))
            case .fault(let code): streams.end(index, with: Frame.close(code))
            }
            guard isOpen(webSocket, at: index, in: streams) else { return false }
            webSocket.isPaused = mustWait(index, webSocket, in: streams) || isBusy || isTurnOver
            return !webSocket.isPaused
        }
        guard streams.all[index].companion === webSocket else { return }
        guard !streams.all[index].isEnding, !reader.isIdle else {
            webSocket.reader = nil
            webSocket.isPaused = false
            if reader.isIdle { spare = reader }
            return
        }
        webSocket.reader = reader
        enqueue(index, in: streams)
    }

    private func isOpen(_ webSocket: WebSocket, at index: Int, in streams: borrowing StreamConnections) -> Bool {
        streams.all[index].companion === webSocket && !streams.all[index].isEnding
    }

    private func handle(
        _ message: Message,
        to webSocket: WebSocket,
        token: UInt64,
        at index: Int,
        in streams: inout StreamConnections
    ) {
        let outcome = webSocket.handler.receive(message)
        switch outcome.response {
        case .none:
            break
        case .now(let message):
            reply([SharedBytes(message.frame)], to: webSocket, at: index, in: &streams)
        case .later(let deferred):
            if let response = deferred.response {
                reply(frame(of: response), to: webSocket, at: index, in: &streams)
            } else {
                actions.append(WebSocketAction(token: token, kind: .respond(deferred)))
            }
        }
        if let subscription = outcome.subscription {
            webSocket.awaitsSubscription = true
            actions.append(WebSocketAction(token: token, kind: .subscribe(subscription)))
        }
    }

    private func reply(
        _ frame: [SharedBytes],
        to webSocket: WebSocket,
        at index: Int,
        in streams: inout StreamConnections
    ) {
        if !webSocket.isBroken { streams.sendResponse(frame, to: index) }
    }

    // MARK: Pings

    /// Pings a WebSocket that keeps up, and closes it if it does not answer. One that does not keep up stays open as
    /// long as it reads bytes.
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
