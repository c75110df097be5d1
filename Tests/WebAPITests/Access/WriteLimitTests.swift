// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

@Suite struct WriteLimitTests {
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
