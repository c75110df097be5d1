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

    /// The client has said something, or goes.
    mutating func listen(to index: Int, _ poller: borrowing Poller, _ second: UInt32) {
        let buffer = ear.buffer
        let count = recv(outlets[index].socket, buffer.baseAddress, buffer.count, TransferFlags.atOnce)
        if count > 0 {
            hear(UnsafeRawBufferPointer(rebasing: buffer[..<count]), from: index, poller, second)
        } else if count == 0 || errno != EAGAIN && errno != EINTR {
            close(index)
        }
    }

    /// Makes messages of bytes, and answers them in their order.
    mutating func hear(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ poller: borrowing Poller,
        _ second: UInt32
    ) {
        guard !bytes.isEmpty, let webSocket = outlets[index].webSocket, !webSocket.isOver else { return }
        let reader = webSocket.reader ?? ear.spare ?? MessageReader()
        if webSocket.reader == nil { ear.spare = nil }
        let token = token(of: index)
        for incoming in reader.read(bytes, under: webSocket.conversation.rules) {
            switch incoming {
            case .message(let message): answer(message, to: webSocket, token, index, poller, second)
            case .ping(let payload): say(Frame.encode(.pong, payload), to: index, poller, second)
            case .pong: webSocket.awaitsPong = false
            case .close(let code): end(index, with: Frame.close(code), poller, second)
            case .fault(let code): end(index, with: Frame.close(code), poller, second)
            }
            guard outlets[index].companion === webSocket else { return }
        }
        guard !webSocket.isOver, !reader.isIdle else {
            webSocket.reader = nil
            if reader.isIdle { ear.spare = reader }
            return
        }
        webSocket.reader = reader
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
            send(Framing.webSocket.keepAlive, to: index, poller, second)
        }
    }
}
