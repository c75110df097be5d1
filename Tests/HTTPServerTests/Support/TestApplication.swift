// SPDX-License-Identifier: Apache-2.0
import Dispatch
import HTTPServer
import Synchronization
import Testing

/// A small application with a server: `/note` answers, `/later` waits, `/events` streams, `/echo` returns the body,
/// `/ws` is a WebSocket, `/slow` takes long, `/large` exceeds the kernel's buffers.
final class TestApplication: Sendable {
    private struct State {
        var inboxes: [ShardInbox] = []
        var events: [[Event]] = []
        var retained: [Event] = []
        var order: UInt64 = 0
        var slow = SlowReplies()
        var hasEndlessEvents = false
    }

    private let state = Mutex(State())
    let arrivals: AsyncStream<Deferred>
    private let arrival: AsyncStream<Deferred>.Continuation

    init() { (arrivals, arrival) = AsyncStream.makeStream() }

    /// The size of the body of `/large`, in bytes.
    static let large = 8_000_000

    func serve(
        shards: Int = 1,
        descriptors: Int? = nil,
        clientLimit: ClientLimit = .defaultStreams,
        clientConnections: ClientLimit? = nil,
        connectionLimits: ConnectionLimits = .patient
    ) throws -> Server {
        let address = try #require(ListenAddress("127.0.0.1:0"))
        var configuration = Server.Configuration(address: address)
        (configuration.shards, configuration.descriptors) = (shards, descriptors)
        (configuration.clientLimit, configuration.connectionLimits) = (clientLimit, connectionLimits)
        configuration.clientConnections = clientConnections
        return try Server(configuration) { inbox in Application(app: self, shard: self.join(inbox)) }
    }

    /// Posts to every shard in the order of the hub: first fill, then wake.
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

    /// Makes every batch of events be followed by another, until it is called again.
    func postEndlessly(_ isEndless: Bool) {
        let inboxes = state.withLock { state in
            state.hasEndlessEvents = isEndless
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
        /// The number since the last `takeEvents`, which is once per turn, and the maximum of it.
        fileprivate(set) var inThisTurn = 0
        fileprivate(set) var mostInATurn = 0
        /// The number of slow replies before the last reply of `/note`.
        fileprivate(set) var beforeNote = 0
        fileprivate var areHeld = false
    }

    var slow: SlowReplies { state.withLock(\.slow) }

    /// Makes slow replies wait until they are released.
    func holdSlowReplies(_ areHeld: Bool) { state.withLock { $0.slow.areHeld = areHeld } }

    /// Keeps the shard busy beyond the time of a turn, and wakes it for events in the next one.
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

    private func take(_ shard: Int) -> EventBatch {
        state.withLock { state in
            state.slow.inThisTurn = 0
            defer { state.events[shard] = [] }
            return EventBatch(state.events[shard], isFollowed: state.hasEndlessEvents)
        }
    }

    private final class Application: HTTPServer.Application {
        let app: TestApplication
        let shard: Int

        init(app: TestApplication, shard: Int) {
            self.app = app
            self.shard = shard
        }

        func takeEvents() -> EventBatch { app.take(shard) }

        var eventEncoding: EventEncoding { .json }

        var awaitsEvents: Bool { true }

        func stopObserving() {}

        func mayTakeLong(_ request: Request) -> Bool { request.path == "/slow" }

        func refusal(of error: RequestError) -> Response {
            switch error {
            case .noStreamCapacity, .noConnectionCapacity:
                Response(status: 503, fields: [("Retry-After", "10")], body: Array("full".utf8))
            case .tooSlow: Response(status: 408, body: Array("too slow".utf8))
            case .tooManyStreams: Response(status: 429, fields: [("Retry-After", "10")], body: Array("enough".utf8))
            default: Response(status: 400, body: Array("\(error)".utf8))
            }
        }

        func reply(to request: Request) -> Reply {
            switch request.path {
            case "/note":
                app.state.withLock { $0.slow.beforeNote = $0.slow.all }
                return .now(Response(status: 200, body: Array("noted".utf8)))
            case "/slow":
                app.beSlow()
                return .now(Response(status: 200, body: Array("at last".utf8)))
            case "/large":
                return .now(
                    Response(status: 200, body: Array(repeating: UInt8(ascii: "x"), count: TestApplication.large))
                )
            case "/echo":
                return .now(Response(status: 200, body: request.body))
            case "/later":
                let deferred = Deferred(limit: .seconds(60)) { Response(status: 202, body: Array("gave up".utf8)) }
                app.arrival.yield(deferred)
                return .later(deferred)
            case "/ws":
                guard let handshake = try? Handshake(request) else { return .now(Response(status: 426)) }
                return .webSocket(WebSocketRequest(handshake, Talk(app: app), stream: stream(request)))
            case "/soon":
                return .later(Deferred(limit: .milliseconds(1)) { Response(status: 202, body: Array("gave up".utf8)) })
            default:
                return .stream(stream(request))
            }
        }

        private func stream(_ request: Request) -> StreamRequest {
            let subjects = request.queries("key")
            return StreamRequest(
                filter: EventFilter(subjects: subjects.isEmpty ? [] : [SubjectSet(names: Set(subjects))]),
                start: request.query("after").flatMap { UInt64($0) }.map { .after($0) } ?? .everything
            )
        }
    }

    /// Answers `later` on request, or `elsewhere` from another thread, which no test's task blocks. Changes the
    /// subscription to the key after `only `. Returns every other message.
    private final class Talk: WebSocketHandler {
        let rules = MessageRules(longest: 16_384)
        let app: TestApplication

        init(app: TestApplication) { self.app = app }

        func receive(_ message: Message) -> MessageOutcome {
            guard case .text(let bytes) = message else { return MessageOutcome(.none) }
            let text = String(decoding: bytes, as: UTF8.self)
            if text == "later" {
                let deferred = Deferred(limit: .seconds(60)) { Response(status: 200, body: Array("gave up".utf8)) }
                app.arrival.yield(deferred)
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
            let filter = EventFilter(subjects: [SubjectSet(names: [String(text.dropFirst(5))])])
            return MessageOutcome(.now(message), subscription: .init(filter: filter))
        }
    }
}

extension ConnectionLimits {
    /// A long timeout for clients that are delayed by other tests.
    static var patient: ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.response) = (600, 600, 600)
        return limits
    }
}
