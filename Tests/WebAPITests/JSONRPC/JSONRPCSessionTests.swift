// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Journal
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// Calls of a client, on a display whose panel works only when the test runs it.
@Suite struct JSONRPCSessionTests {
    let queue = ManualQueue()
    let service: DisplayService
    let session: JSONRPCSession

    init() throws { (service, session) = try Self.session(of: ["panel"], on: queue) }

    /// A session of the holder "me", whose default display is the first.
    private static func session(
        of displays: [String],
        on queue: ManualQueue,
        largeCommandsOn large: ManualQueue? = nil,
        limit: WriteLimit = WriteLimit(),
        provided: (any ProvidedDisplays)? = nil,
        at time: ManualTime = ManualTime(),
        later: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = nil
    ) throws -> (service: DisplayService, session: JSONRPCSession) {
        let hub = NotificationHub()
        let range = try #require(BrightnessRange(maximum: 100))
        let ids = try displays.map { try #require(DisplayID($0)) }
        let panels = ids.map { ScriptedPanel($0, range: range, step: 50) }
        let service = try DisplayService(panels.map { .init($0, on: queue) }, poster: hub.poster, at: .start)
        var configuration = Backend.Configuration(
            access: AccessPolicy(hosts: [], origins: [], anonymous: .write, isOnLoopback: true),
            saved: ConfigurationService(of: service, hub),
            lightReports: LightReports(poster: hub.poster)
        )
        configuration.writeLimit = limit
        configuration.provided = provided
        if let later { configuration.largeCommands = LargeCommands(run: later) }
        if let large { configuration.largeCommands = LargeCommands { _, job in large.enqueue(job) } }
        let journal = JournalWriter(inMemory: .ofThisMachine(), on: queue, now: { .start })
        let history = HistoryRecorder(journal, hub.source, leases: { _ in [] }, now: { .start })
        let surface = Surface(service, hub) { time.now }
        let backend = Backend(surface, history: history, configuration: configuration) {}
        let session = JSONRPCSession(
            with: backend,
            Caller(principal: .anonymous, scope: .admin, hasTokens: false),
            at: .loopback,
            holder: "me"
        )
        queue.runAll()
        return (service, session)
    }

    /// Returns the pending answer; `nil` if there is none.
    private func say(_ text: String) -> Deferred? {
        switch session.receive(.text(Array(text.utf8))).response {
        case .none:
            return nil
        case .now(let message):
            let deferred = Deferred(limit: .zero) { Response(status: 500) }
            if case .text(let text) = message { deferred.complete(Response(status: 200, body: text)) }
            return deferred
        case .later(let deferred):
            return deferred
        }
    }

    private func text(_ deferred: Deferred?) -> String? {
        deferred?.response.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `only the answer of a slow panel waits`() throws {
        let set = say(#"{"jsonrpc":"2.0","method":"set","params":{"percent":70},"id":1}"#)
        #expect(set != nil && text(set) == nil)
        let get = text(say(#"{"jsonrpc":"2.0","method":"get","id":2}"#))
        #expect(get?.contains("\"percent\":50") == true)
        queue.runAll()
        let answer = try #require(text(set))
        #expect(answer.hasPrefix(#"{"jsonrpc":"2.0","result":{"id":"panel","#) && answer.hasSuffix(#""id":1}"#))
        #expect(answer.contains("\"percent\":70"))
    }

    private final class Timers: Sendable {
        let all = Mutex<[(end: Instant, job: @Sendable () -> Void)]>([])
    }

    @Test(arguments: [60, 100, 200, 2_000])
    func `the last value of a slider beyond the write limit is carried out, and each call is answered once`(
        perSecond: Int
    ) throws {
        let time = ManualTime()
        let timers = Timers()
        let (service, session) = try Self.session(
            of: ["panel"],
            on: queue,
            limit: WriteLimit(ClientLimit(50)),
            at: time
        ) { delay, job in timers.all.withLock { $0.append((time.now.instant + delay, job)) } }
        /// Runs the timers that have ended.
        func run() {
            let due = timers.all.withLock { timers in
                defer { timers.removeAll { $0.end <= time.now.instant } }
                return timers.filter { $0.end <= time.now.instant }
            }
            for timer in due { timer.job() }
            queue.runAll()
        }
        var answers: [Deferred] = []
        for number in 1...(5 * perSecond) {
            let step = number == 5 * perSecond ? 77 : number % 70
            let text = #"{"jsonrpc":"2.0","method":"set","params":{"raw":\#(step)},"id":\#(number)}"#
            if case .later(let answer) = session.receive(.text(Array(text.utf8))).response { answers.append(answer) }
            queue.runAll()
            time.advance(by: .seconds(1) / perSecond)
            run()
        }
        while let end = timers.all.withLock({ $0.map(\.end).min() }) {
            time.advance(by: end - time.now.instant)
            run()
        }
        let panel = try #require(DisplayID("panel"))
        #expect(service.state(of: panel)?.step == 77)
        let texts = answers.compactMap { text($0) }
        #expect(texts.count == 5 * perSecond)
        #expect(texts.contains { $0.contains("rate-limited") } == (perSecond > 70))
        #expect(texts.last?.contains("result") == true)
    }

    /// Accepts every call of a client, and notes what a person has set there.
    private final class Pages: ProvidedDisplays {
        let changes = Mutex<[Brightness?]>([])

        func provide(
            _ display: ProvidedDisplay,
            by provider: any DisplayProvider,
            of principal: Principal,
            at now: Moment,
            completion: @escaping @Sendable (Result<DisplayState, ProvidingError>) -> Void
        ) {}

        func changed(_ id: DisplayID, brightness: Brightness?, isOn: Bool?, by provider: any DisplayProvider) {
            changes.withLock { $0.append(brightness) }
        }

        func withdraw(
            _ id: DisplayID,
            of principal: Principal,
            by provider: (any DisplayProvider)?,
            at now: Moment,
            completion: @escaping @Sendable () -> Void
        ) { completion() }

        func ended(_ provider: any DisplayProvider, at now: Moment) {}
    }

    @Test func `a client's report of a person's change is accepted beyond the write limit`() throws {
        let pages = Pages()
        let (_, session) = try Self.session(
            of: ["panel"],
            on: queue,
            limit: WriteLimit(ClientLimit(1)),
            provided: pages
        )
        session.opened(WebSocketChannel { _ in })
        let provide = #"{"id":"page","maximum":100,"switchable":true,"brightness":0.8,"on":true}"#
        _ = session.receive(.text(Array(#"{"jsonrpc":"2.0","method":"provide","params":\#(provide)}"#.utf8)))
        let withdraw = #"{"jsonrpc":"2.0","method":"withdraw","params":{"display":"page"},"id":1}"#
        let answers = (0..<3).compactMap { _ -> String? in
            guard case .later(let answer) = session.receive(.text(Array(withdraw.utf8))).response else { return nil }
            return text(answer)
        }
        #expect(answers.last?.contains("rate-limited") == true)
        let changed = #"{"jsonrpc":"2.0","method":"changed","params":{"display":"page","brightness":0.6}}"#
        _ = session.receive(.text(Array(changed.utf8)))
        #expect(pages.changes.withLock { $0 } == [Brightness(clamping: 0.6)])
    }

    @Test func `a call for many displays and the calls behind it are carried out in order on another thread`() throws {
        let large = ManualQueue()
        let count = LargeCommands.fewDisplays + 1
        let (service, session) = try Self.session(
            of: (0..<count).map { "panel-\($0)" },
            on: queue,
            largeCommandsOn: large
        )
        let id = try #require(DisplayID("panel-7"))
        let calls = [(#""all""#, 60), (#""panel-7""#, 70)]
        for (display, percent) in calls {
            let params = #"{"display":\#(display),"percent":\#(percent)}"#
            _ = session.receive(.text(Array(#"{"jsonrpc":"2.0","method":"set","params":\#(params)}"#.utf8)))
        }
        #expect(queue.count == 0 && large.count == 2)
        large.runOne()
        #expect(queue.count == count)
        large.runAll()
        queue.runAll()
        large.runAll()
        #expect(service.state(of: id)?.brightness.fraction == 0.7)
        // Now this thread is as fast.
        let one = #"{"jsonrpc":"2.0","method":"set","params":{"display":"panel-7","percent":80}}"#
        _ = session.receive(.text(Array(one.utf8)))
        #expect(queue.count == 1 && large.count == 0)
    }

    @Test func `the answer about many displays is not copied for a client`() async throws {
        let count = LargeCommands.fewDisplays + 1
        let (_, session) = try Self.session(of: (0..<count).map { "panel-\($0)" }, on: queue)
        let call = #"{"jsonrpc":"2.0","method":"get","params":{"display":"all"},"id":7}"#
        guard case .later(let deferred) = session.receive(.text(Array(call.utf8))).response else {
            Issue.record("It is answered at once.")
            return
        }
        await withCheckedContinuation { continuation in
            if !deferred.park({ _ in continuation.resume() }) { continuation.resume() }
        }
        let answer = try #require(deferred.response)
        let own = answer.body.prefix(100) + answer.end
        #expect(String(decoding: own, as: UTF8.self) == #"{"jsonrpc":"2.0","result":,"id":7}"#)
        let shared = answer.shared?.count ?? 0
        #expect(shared > 100 * count)
    }

    @Test func `at most 64 calls of a client may be pending`() throws {
        let call = #"{"jsonrpc":"2.0","method":"move","params":{"delta":0.01},"id":1}"#
        let waiting = (0..<64).map { _ in say(call) }
        #expect(waiting.allSatisfy { $0 != nil && text($0) == nil })
        let refused = try #require(text(say(call)))
        #expect(refused.contains(#""code":-32000"#) && refused.contains("/problems/client-limit-reached"))
        #expect(text(say(#"{"jsonrpc":"2.0","method":"get","id":2}"#)) != nil)
        queue.runAll()
        #expect(waiting.allSatisfy { text($0)?.contains("\"result\"") == true })
        #expect(text(say(call)) == nil)
        queue.runAll()
        // 64 waiting calls and the last one; not the rejected one.
        #expect(service.all.states.first?.step == 100)
    }

    @Test func `a call without a result at the timeout is answered with it`() throws {
        let call = try #require(say(#"{"jsonrpc":"2.0","method":"move","params":{"delta":0.1},"id":2}"#))
        call.complete()
        let answer = try #require(text(call))
        #expect(answer.contains("/problems/display-unavailable") && answer.hasSuffix(#""id":2}"#))
        queue.runAll()
        #expect(text(call) == answer)
    }

    @Test func `an array is one invalid request, and none of its calls is carried out`() throws {
        let set = #"{"jsonrpc":"2.0","method":"set","params":{"percent":71},"id":1}"#
        let answer = try #require(text(say("[\(set),\(set)]")))
        #expect(answer.contains(#""code":-32600"#) && answer.hasSuffix(#""id":null}"#))
        queue.runAll()
        #expect(service.all.states.first?.step == 50)
    }

    @Test func `a boost is bound to its WebSocket and lasts while it is open`() throws {
        let boost = say(#"{"jsonrpc":"2.0","method":"boost","id":1}"#)
        queue.runAll()
        let answer = try #require(text(boost))
        #expect(answer.contains(#""holder":"me""#) && answer.contains(#""lifespan":"visible""#))
        #expect(service.all.states.first?.step == 100)
    }

    @Test(arguments: [
        (#"{"jsonrpc":"2.0","method":"get","id":"a\u00e9\""}"#, #""id":"aé\""}"#),
        (#"{"jsonrpc":"2.0","method":"get","id":9007199254740991}"#, #""id":9007199254740991}"#),
        (#"{"jsonrpc":"2.0","method":"get","id":-0.5}"#, #""id":-0.5}"#),
        (#"{"jsonrpc":"2.0","method":"get","id":null}"#, #""id":null}"#),
        (#"{"jsonrpc":"2.0","method":"nothing","id":1}"#, #""id":1}"#),
        (#"{"jsonrpc":"2.0","method":"get","id":9007199254740992}"#, #""id":null}"#),
        ("[]", #""id":null}"#),
    ])
    func `the answer has the id of the call unchanged`(call: String, end: String) {
        #expect(text(say(call))?.hasSuffix(end) == true)
    }

    @Test func `an invalid call is answered with these bytes`() throws {
        let answer = try #require(text(say(#"{"jsonrpc":"2.0","method":"set","params":{"raw":1.5},"id":7}"#)))
        let problem =
            #"{"type":"/problems/invalid-body","title":"Invalid body","status":422,"#
            + #""detail":"raw must be a whole number, not 1.5.","#
            + #""errors":[{"pointer":"/raw","detail":"raw must be a whole number, not 1.5."}]}"#
        #expect(
            answer == #"{"jsonrpc":"2.0","error":{"code":-32602,"message":"Invalid params","data":\#(problem)},"id":7}"#
        )
    }
}
