// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import HTTPServer
@testable import WebAPI

@Suite struct WriteLimitTests {
    @Test func `a client without a limit gets no rate limit fields`() throws {
        let moment = Moment.start
        let caller = Caller(principal: .anonymous, scope: .write, hasTokens: false)
        let usual = WriteLimit(ClientLimit(1, sparesLoopback: true))
        for _ in 0..<100 { #expect(try usual.count(caller, at: .loopback, now: { moment }).isEmpty) }
        let off = WriteLimit(ClientLimit(.max))
        for _ in 0..<100 { #expect(try off.count(caller, at: .loopback, now: { moment }).isEmpty) }
    }

    @Test func `a rejected write reports the limit and when to retry`() throws {
        let moment = Moment.start
        let caller = Caller(principal: .anonymous, scope: .write, hasTokens: false)
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

    private static let lease = "/v1/displays/panel-0/leases/" + String(repeating: "0", count: 32)

    @Test(arguments: [
        ("PUT", "/v1/brightness", #"{"percent":60}"#), ("PATCH", "/v1/brightness", #"{"delta":0.1}"#),
        ("POST", "/v1/boost", nil), ("POST", "/v1/restore", nil), ("PUT", "/v1/auto", #"{"enabled":false}"#),
        ("PATCH", "/v1/simulator", "{}"), ("PUT", "/v1/displays/all/brightness", #"{"percent":60}"#),
        ("DELETE", lease, nil),
    ])
    func `every method that changes something counts`(method: String, path: String, body: String?) async throws {
        try await serving(ServedApplication(writes: 1)) { daemon in
            let page = ["Origin": "http://localhost:3000"]
            for left in [1, 0] {
                let answer = try daemon.ask(method, path, page, body: body)
                #expect(answer.status != 429 && answer.fields["ratelimit-policy"] == #""writes";q=2;w=2"#)
                #expect(answer.fields["ratelimit"]?.hasPrefix(#""writes";r=\#(left);t="#) == true)
            }
            let refused = try daemon.refuse(429, method, path, page, body: body)
            #expect(refused.problem == "rate-limited" && refused.fields["retry-after"] == "1")
            #expect(try daemon.ask("GET", "/v1/brightness").status == 200)
            daemon.time.advance(by: .seconds(1))
            #expect(try daemon.ask(method, path, page, body: body).status != 429)
            try daemon.refuse(429, method, path, page, body: body)
        }
    }

    @Test func `a token is one client`() async throws {
        let tokens = ["one", "two"].map { "\($0):write:\($0)-0123456789abcdef" }
        try await serving(ServedApplication(tokens: tokens, writes: 1)) { daemon throws in
            func write(_ name: String) throws -> Int {
                let fields = ["Authorization": "Bearer \(name)-0123456789abcdef"]
                return try daemon.ask("PUT", "/v1/brightness", fields, body: #"{"percent":60}"#).status
            }
            #expect(try [write("one"), write("one"), write("one"), write("two")] == [200, 200, 429, 200])
        }
    }
}
