// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTPServer
import Synchronization
import Testing

/// A small application over a server: `/note` answers, `/later` waits, `/events` streams, `/echo` gives the body back,
/// `/ws` talks, `/slow` takes long, `/large` is more than a kernel buffers.
final class Noticeboard: Sendable {
    private struct State {
        var inboxes: [ShardInbox] = []
        var events: [[Event]] = []
        var retained: [Event] = []
        var deferred: [Deferred] = []
        var order: UInt64 = 0
        var slow = SlowReplies()
    }

    private let state = Mutex(State())
    let arrivals: AsyncStream<Deferred>
    private let arrival: AsyncStream<Deferred>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    /// Bytes of the body of `/large`.
    static let large = 8_000_000

    func serve(
        shards: Int = 1,
        descriptors: Int? = nil,
        clientLimit: ClientLimit = .usualStreams,
        connectionLimits: ConnectionLimits = .patient
    ) throws -> Server {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        let configuration = Server.Configuration(
            address: address,
            shards: shards,
            descriptors: descriptors,
            clientLimit: clientLimit,
            connectionLimits: connectionLimits
        )
        return try Server(configuration) { inbox in Application(board: self, shard: self.join(inbox)) }
    }

    /// Tells every shard, as the hub does: fill first, wake then.
    func post(_ text: String, key: String = "note", padding: Int = 0, isRetained: Bool = true) {
        let inboxes = state.withLock { state in
            state.order += 1
            let pad = String(repeating: "x", count: padding)
            let event = Event(
                key: key,
                name: "note",
                subject: key,
                id: "e-\(state.order)",
                order: state.order,
                data: Array("{\"text\":\"\(text)\",\"pad\":\"\(pad)\"}".utf8),
                isRetained: isRetained
            )
            for index in state.events.indices { state.events[index].append(event) }
            if isRetained { state.retained = state.retained.filter { $0.key != key } + [event] }
            return state.inboxes
        }
        for inbox in inboxes { inbox.wake() }
    }

    private func join(_ inbox: ShardInbox) -> Int {
        state.withLock { state in
            state.inboxes.append(inbox)
            state.events.append(state.retained)
            return state.inboxes.count - 1
        }
    }

    /// The replies of `/slow`.
    struct SlowReplies {
        fileprivate(set) var all = 0
        /// Since events were taken last, which is once a turn, and the most there were.
        fileprivate(set) var inThisTurn = 0
        fileprivate(set) var mostInATurn = 0
        /// When `/note` was answered last.
        fileprivate(set) var beforeNote = 0
        fileprivate var areHeld = false
    }

    var slow: SlowReplies { state.withLock(\.slow) }

    /// From now on they last until they are let go.
    func holdSlowReplies(_ areHeld: Bool) { state.withLock { $0.slow.areHeld = areHeld } }

    /// Keeps the shard busy for more than a turn may take, and has it look at its events in the next one.
    fileprivate func beSlow() {
        let inboxes = state.withLock { state in
            state.slow.all += 1
            state.slow.inThisTurn += 1
            state.slow.mostInATurn = max(state.slow.mostInATurn, state.slow.inThisTurn)
            return state.inboxes
        }
        for inbox in inboxes { inbox.wake() }
        let end = ContinuousClock.now + .milliseconds(20)
        while ContinuousClock.now < end || slow.areHeld {}
    }

    private func take(_ shard: Int) -> [Event] {
        state.withLock { state in
            state.slow.inThisTurn = 0
            defer { state.events[shard] = [] }
            return state.events[shard]
        }
    }

    private final class Application: HTTPServer.Application {
        let board: Noticeboard
        let shard: Int

        init(board: Noticeboard, shard: Int) {
            self.board = board
            self.shard = shard
        }

        func takeEvents() -> EventBatch { EventBatch(board.take(shard), isEverything: false) }

        var eventEncoding: EventEncoding { .json }

        var awaitsEvents: Bool { true }

        func lookAway() {}

        func mayTakeLong(_ request: Request) -> Bool { request.path == "/slow" }

        func refusal(of fault: RequestFault) -> Response {
            switch fault {
            case .noRoom, .noConnection:
                Response(status: 503, fields: [("Retry-After", "10")], body: Array("full".utf8))
            case .tooSlow: Response(status: 408, body: Array("too slow".utf8))
            case .tooManyStreams: Response(status: 429, fields: [("Retry-After", "10")], body: Array("enough".utf8))
            default: Response(status: 400, body: Array("\(fault)".utf8))
            }
        }

        func reply(to request: Request) -> Reply {
            switch request.path {
            case "/note":
                board.state.withLock { $0.slow.beforeNote = $0.slow.all }
                return .now(Response(status: 200, body: Array("noted".utf8)))
            case "/slow":
                board.beSlow()
                return .now(Response(status: 200, body: Array("at last".utf8)))
            case "/large":
                return .now(Response(status: 200, body: Array(repeating: UInt8(ascii: "x"), count: Noticeboard.large)))
            case "/echo":
                return .now(Response(status: 200, body: request.body))
            case "/later":
                let deferred = Deferred(limit: .seconds(60)) { Response(status: 202, body: Array("gave up".utf8)) }
                board.arrival.yield(deferred)
                return .later(deferred)
            case "/ws":
                guard let handshake = try? Handshake(request) else { return .now(Response(status: 426)) }
                return .webSocket(WebSocketRequest(handshake, Talk(board: board), stream: stream(request)))
            case "/soon":
                return .later(Deferred(limit: .milliseconds(1)) { Response(status: 202, body: Array("gave up".utf8)) })
            default:
                return .stream(stream(request))
            }
        }

        private func stream(_ request: Request) -> StreamRequest {
            let subjects = request.queries("key")
            return StreamRequest(
                filter: EventFilter(subjects: subjects.isEmpty ? nil : Set(subjects)),
                start: request.query("after").flatMap { UInt64($0) }.map { .after($0) } ?? .everything
            )
        }
    }

    /// Says `later` when told to, or has it said by another thread, which no test's task holds up, when told `elsewhere`; changes to the key after `only `; gives everything else back.
    private final class Talk: Conversation {
        let rules = MessageRules(longest: 16_384)
        let board: Noticeboard

        init(board: Noticeboard) { self.board = board }

        func receive(_ message: Message) -> MessageOutcome {
            guard case .text(let bytes) = message else { return MessageOutcome(.none) }
            let text = String(decoding: bytes, as: UTF8.self)
            if text == "later" {
                let deferred = Deferred(limit: .seconds(60)) { Response(status: 200, body: Array("gave up".utf8)) }
                board.arrival.yield(deferred)
                return MessageOutcome(.later(deferred))
            }
            if text == "elsewhere" {
                let deferred = Deferred(limit: .seconds(60)) { Response(status: 200, body: Array("gave up".utf8)) }
                DispatchQueue.global().async {
                    deferred.complete(Response(status: 200, body: Array("at last".utf8)))
                }
                return MessageOutcome(.later(deferred))
            }
            guard text.hasPrefix("only ") else { return MessageOutcome(.now(message)) }
            let filter = EventFilter(subjects: [String(text.dropFirst(5))])
            return MessageOutcome(.now(message), subscription: .init(filter: filter))
        }
    }
}

extension ConnectionLimits {
    /// For clients that have to wait for other tests before they come to ask.
    static var patient: ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.answer) = (600, 600, 600)
        return limits
    }
}
