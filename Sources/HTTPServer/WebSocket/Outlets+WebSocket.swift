// SPDX-License-Identifier: Apache-2.0
import Glibc

/// What a shard needs to listen to the clients of its WebSockets, once for all of them.
struct Ear: ~Copyable {
    /// What one client may say before others get their turn.
    fileprivate let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4_096, alignment: 1)
    /// A reader that nobody is using.
    fileprivate var spare: MessageReader?
    /// What messages came to that the shard has to do, in order.
    fileprivate(set) var wishes: [Wish] = []
    /// Whose messages come next, by their outlets' tokens. Those before `head` had theirs.
    private var queue: [UInt64] = []
    private var head = 0
    /// When the other work of this turn is due.
    var turnEnd = LoopTime(nanoseconds: .max)

    var isTurnOver: Bool { LoopTime.now >= turnEnd }
    /// Messages wait for nothing but time.
    var isBusy: Bool { head < queue.count }

    fileprivate mutating func queue(_ token: UInt64) { queue.append(token) }

    fileprivate mutating func next() -> UInt64? {
        guard isBusy else { return nil }
        defer { head += 1 }
        return queue[head]
    }

    fileprivate mutating func forgetServed() {
        queue.removeFirst(head)
        head = 0
    }

    struct Wish {
        enum Kind {
            case answer(Deferred)
            case subscribe(MessageOutcome.Subscription)
        }

        /// The outlet's.
        let token: UInt64
        let kind: Kind
    }

    mutating func takeWishes() -> [Wish] {
        defer { wishes = [] }
        return wishes
    }

    deinit { buffer.deallocate() }
}

extension Outlets {
    /// Seconds between two pings.
    private static let pingInterval: UInt32 = 20
    /// Seconds a client has to answer one.
    private static let pongLimit: UInt32 = 10
    /// Seconds a client has to end the connection after the closing handshake.
    private static let lingering: UInt32 = 5

    /// The client has said something, or goes. If others wait, or the turn is over, its messages come behind theirs.
    mutating func listen(to index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        if let webSocket = outlets[index].webSocket, !webSocket.isOver {
            if webSocket.isPaused || webSocket.isQueued { return }
            if ear.isBusy || ear.isTurnOver { return queue(index, webSocket) }
        }
        receive(from: index, poller, second)
    }

    private mutating func receive(from index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        let buffer = ear.buffer
        let count = recv(outlets[index].socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        if count > 0 {
            hear(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: index, poller, second)
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            close(index)
        }
    }

    /// Goes on with the clients that had to wait, a message each by turns, as long as there is time.
    mutating func listenOn(_ poller: borrowing Poller, second: UInt32) {
        while !ear.isTurnOver, let token = ear.next() {
            guard let index = index(of: token), let webSocket = outlets[index].webSocket else { continue }
            webSocket.isQueued = false
            // It comes again when it has taken its answers.
            if mustWait(index, webSocket) { continue }
            if webSocket.isPaused {
                hear(UnsafeRawBufferPointer(start: nil, count: 0), from: index, poller, second)
            } else {
                receive(from: index, poller, second)
            }
        }
        ear.forgetServed()
    }

    /// Its messages, if some wait, may be answered from now on.
    mutating func queue(_ index: Int) {
        guard let webSocket = outlets[index].webSocket, webSocket.isPaused, !webSocket.isOver,
            !mustWait(index, webSocket)
        else { return }
        queue(index, webSocket)
    }

    private mutating func queue(_ index: Int, _ webSocket: WebSocket) {
        if webSocket.isQueued { return }
        webSocket.isQueued = true
        ear.queue(token(of: index))
    }

    /// A client's next message waits until it has the answers to the last one, so that it cannot make the daemon keep them.
    private func mustWait(_ index: Int, _ webSocket: WebSocket) -> Bool {
        webSocket.awaitsSubscription || outlets[index].backlog?.holdsAnswers ?? false
    }

    /// Makes messages of bytes, and answers them in their order.
    ///
    /// - Parameter bytes: None, to go on with those that were read before.
    mutating func hear(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ poller: borrowing Poller,
        _ second: UInt32
    ) {
        guard let webSocket = outlets[index].webSocket, !webSocket.isOver, webSocket.isPaused || !bytes.isEmpty else {
            return
        }
        let reader = webSocket.reader ?? ear.spare ?? MessageReader()
        if webSocket.reader == nil { ear.spare = nil }
        let token = token(of: index)
        webSocket.isPaused = false
        reader.read(bytes, under: webSocket.conversation.rules) { incoming in
            switch incoming {
            case .message(let message): answer(message, to: webSocket, token, index, poller, second)
            case .ping(let payload): say(Frame.encode(.pong, payload), to: index, poller, second)
            case .pong: webSocket.awaitsPong = false
            case .close(let code): end(index, with: Frame.close(code), poller, second)
            case .fault(let code): end(index, with: Frame.close(code), poller, second)
            }
            guard outlets[index].companion === webSocket, !webSocket.isOver else { return false }
            webSocket.isPaused = mustWait(index, webSocket) || ear.isBusy || ear.isTurnOver
            return !webSocket.isPaused
        }
        guard outlets[index].companion === webSocket else { return }
        guard !webSocket.isOver, !reader.isIdle else {
            webSocket.reader = nil
            webSocket.isPaused = false
            if reader.isIdle { ear.spare = reader }
            return
        }
        webSocket.reader = reader
        queue(index)
    }

    private mutating func answer(
        _ message: Message,
        to webSocket: WebSocket,
        _ token: UInt64,
        _ index: Int,
        _ poller: borrowing Poller,
        _ second: UInt32
    ) {
        let outcome = webSocket.conversation.receive(message)
        switch outcome.answer {
        case .none:
            break
        case .now(let answer):
            say(answer.frame, to: index, poller, second)
        case .later(let deferred):
            if let answer = deferred.answer {
                say(Message.text(answer.body).frame, to: index, poller, second)
            } else {
                ear.wishes.append(Ear.Wish(token: token, kind: .answer(deferred)))
            }
        }
        if let subscription = outcome.subscription {
            webSocket.awaitsSubscription = true
            ear.wishes.append(Ear.Wish(token: token, kind: .subscribe(subscription)))
        }
    }

    /// The answer that a message waited for is there.
    mutating func answer(_ token: UInt64, _ response: Response, _ poller: borrowing Poller, second: UInt32) {
        guard let index = index(of: token), outlets[index].webSocket?.isOver == false else { return }
        say(Message.text(response.body).frame, to: index, poller, second)
    }

    /// A WebSocket that keeps up is pinged, and given up when it does not answer. One that does not keep up is alive as
    /// long as it takes bytes.
    mutating func tick(_ webSocket: WebSocket, of index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        if let closed = webSocket.closed {
            if second - closed >= Self.lingering { close(index) }
        } else if webSocket.awaitsPong {
            guard second - webSocket.pinged >= Self.pongLimit else { return }
            send(Frame.close(.internalError), to: index, poller, second)
            if outlets[index].companion === webSocket { close(index) }
        } else if second - webSocket.pinged >= Self.pingInterval {
            webSocket.pinged = second
            webSocket.awaitsPong = true
            send(Frame.encode(.ping), to: index, poller, second)
        }
    }
}
