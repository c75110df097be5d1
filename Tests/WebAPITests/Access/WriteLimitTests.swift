// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

@Suite struct WriteLimitTests {
    let start = Instant(sinceBoot: .seconds(1_000))

    /// Returns how many of `count` writes at one instant are accepted.
    private func passes(_ quotas: inout WriteQuotas, _ count: Int, by writer: Writer, at now: Instant) -> Int {
        (0..<count).count { _ in quotas.spend(writer, at: now).isEnough }
    }

    @Test func `the writes of one writer do not count for another`() {
        var quotas = WriteQuotas(WriteQuota(perSecond: 1))
        #expect(passes(&quotas, 9, by: .token("a"), at: start) == 2)
        #expect(passes(&quotas, 9, by: .token("b"), at: start) == 2)
        #expect(passes(&quotas, 9, by: .address(.loopback), at: start) == 2)
    }

    @Test func `with a full list new writers share one bucket until another is free`() {
        var quotas = WriteQuotas(WriteQuota(perSecond: 1))
        for number in 0..<WriteQuotas.limit { _ = quotas.spend(.token("\(number)"), at: start) }
        let allowed = (0..<100).count { quotas.spend(.token("new \($0)"), at: start).isEnough }
        #expect(allowed == 2)
        #expect(quotas.spend(.token("7"), at: start).isEnough)
        let later = start + .seconds(5)
        #expect((0..<100).allSatisfy { quotas.spend(.token("new \($0)"), at: later).isEnough })
    }

    @Test func `a client without a limit gets no rate limit fields`() throws {
        let moment = Moment.start
        let caller = Caller(.anonymous, scope: .write, hasTokens: false)
        let usual = WriteLimit(ClientLimit(1, sparesLoopback: true))
        for _ in 0..<100 { #expect(try usual.count(caller, at: .loopback, now: { moment }).isEmpty) }
        let off = WriteLimit(ClientLimit(.max))
        for _ in 0..<100 { #expect(try off.count(caller, at: .loopback, now: { moment }).isEmpty) }
    }

    @Test func `a rejected write reports the limit and when to retry`() throws {
        let moment = Moment.start
        let caller = Caller(.anonymous, scope: .write, hasTokens: false)
        let limit = WriteLimit(ClientLimit(1))
        let fields = try limit.count(caller, at: .loopback, now: { moment })
        #expect(fields.map(\.name) == ["RateLimit-Policy", "RateLimit"])
        #expect(fields.map(\.value) == [#""writes";q=2;w=2"#, #""writes";r=1;t=1"#])
        _ = try limit.count(caller, at: .loopback, now: { moment })
        let problem = try #require(throws: Problem.self) {
            _ = try limit.count(caller, at: .loopback, now: { moment })
        }
        #expect(problem.type == .rateLimited)
        #expect(problem.fields.map(\.name) == ["RateLimit-Policy", "RateLimit", "Retry-After"])
        #expect(problem.fields.last?.value == "1")
    }
}
