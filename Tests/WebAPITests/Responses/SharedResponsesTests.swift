// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

/// Responses that are made on another thread, which the test plays.
@Suite struct SharedResponsesTests {
    let queue = ManualQueue()
    let shared: SharedResponses
    let made = Counter()

    final class Counter: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func next() -> Int {
            count.withLock { count in
                count += 1
                return count
            }
        }
    }

    init() {
        let queue = queue
        shared = SharedResponses { queue.enqueue($0) }
    }

    /// Requests a response whose body is the number of those made so far.
    private func request(
        _ key: String = "list",
        at newest: Int = 1,
        keptFor revision: Int? = nil
    ) throws -> Deferred {
        let reply = try shared.reply(key, at: Revision(UInt64(newest))) { [made] () throws(Problem) in
            let response = Response(status: 200, body: Array("\(made.next())".utf8))
            return (response, revision.map { Revision(UInt64($0)) })
        }
        switch reply {
        case .later(let deferred): return deferred
        case .now(let response):
            let deferred = Deferred(limit: .zero) { response }
            deferred.complete()
            return deferred
        default:
            Issue.record("neither a response nor a wait")
            return Deferred(limit: .zero) { Response(status: 500) }
        }
    }

    private func text(_ deferred: Deferred) -> String? {
        deferred.response.map { String(decoding: $0.bytes, as: UTF8.self) }
    }

    @Test func `requests that wait for the same response share it`() throws {
        let requests = try (0..<200).map { _ in try request() }
        let other = try request("other")
        #expect(requests.allSatisfy { text($0) == nil })
        #expect(queue.count == 1)
        queue.runAll()
        #expect(requests.allSatisfy { text($0) == "1" })
        #expect(text(other) == "2")
    }

    @Test func `a request gets what was read after it arrived`() throws {
        let first = try request()
        queue.runAll()
        let second = try request()
        #expect(text(second) == nil)
        queue.runAll()
        #expect([text(first), text(second)] == ["1", "2"])
    }

    @Test func `a response is kept for its revision`() throws {
        _ = try request(keptFor: 1)
        queue.runAll()
        #expect(text(try request()) == "1")
        #expect(text(try request("other")) == nil)
        #expect(text(try request(at: 2)) == nil)
        queue.runAll()
        #expect(text(try request()) == "1")
        #expect(made.value == 3)
    }

    @Test func `at most 64 different responses wait`() throws {
        for number in 0..<SharedResponses.limit { _ = try request("\(number)") }
        #expect(throws: Problem.self) { try request("one more") }
        _ = try request("7")
        queue.runAll()
        _ = try request("one more")
    }

    @Test func `a problem is the response to every request that waits for it`() throws {
        let replies = try (0..<2).map { _ in
            try shared.reply("list", at: Revision(1)) { () throws(Problem) in throw Problem(.notFound, "Gone.") }
        }
        queue.runAll()
        for reply in replies {
            guard case .later(let deferred) = reply else { continue }
            #expect(deferred.response?.status == 404)
        }
    }
}

@Suite(.timeLimit(.minutes(10))) struct SharedMetricsTests {
    let metrics = SharedMetrics()
    private let start = Moment.start.instant

    /// Requests the metrics, which are computed when `gate` has an element.
    private func request(
        _ gate: AsyncStream<String>,
        at now: Instant,
        padding: Int = SharedMetrics.largeSize
    ) throws -> Reply {
        try metrics.reply(now: { now }) {
            for await text in gate { return Array(text.utf8) + Array(repeating: 0x20, count: padding) }
            return []
        }
    }

    /// The first word of the metrics.
    private func answer(_ reply: Reply) async -> String? {
        func word(_ response: Response) -> String {
            String(decoding: response.bytes.prefix { $0 != 0x20 }, as: UTF8.self)
        }
        switch reply {
        case .now(let response): return word(response)
        case .later(let deferred):
            let (answers, answer) = AsyncStream.makeStream(of: Response?.self)
            if !deferred.park({ answer.yield($0.response) }) { answer.yield(deferred.response) }
            for await response in answers { return response.map(word) }
            return nil
        default: return nil
        }
    }

    @Test func `requests share one computation, also for a second afterwards, and at most 64 wait`() async throws {
        let (gate, computed) = AsyncStream.makeStream(of: String.self)
        let replies = try (0..<SharedMetrics.limit).map { _ in try request(gate, at: start) }
        #expect(throws: Problem.self) { try request(gate, at: start) }
        computed.yield("first")
        for reply in replies { #expect(await answer(reply) == "first") }
        #expect(await answer(try request(gate, at: start + .milliseconds(999))) == "first")
        let later = try request(gate, at: start + .seconds(1), padding: 0)
        computed.yield("second")
        #expect(await answer(later) == "second")
        // A small one costs little.
        let small = try request(gate, at: start + .seconds(1), padding: 0)
        computed.yield("third")
        #expect(await answer(small) == "third")
    }
}
