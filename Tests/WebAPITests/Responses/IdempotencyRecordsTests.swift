// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import TestSupport
import Testing

@testable import WebAPI

@Suite struct IdempotencyRecordsTests {
    private var store = IdempotencyRecords()
    let asked = IdempotencyRecords.Fingerprint(["/v1/boost"], Array("{}".utf8))

    /// Returns the verdict as a word, with the body of a stored response.
    private mutating func verdict(
        _ key: String,
        _ asked: IdempotencyRecords.Fingerprint? = nil,
        of principal: Principal = .anonymous,
        at now: Moment = .start
    ) -> String {
        switch store.begin(IdempotencyRecords.Key(key, of: principal), asked ?? self.asked, at: now.instant) {
        case .carryOut: "carry out"
        case .answer(let response): "answer \(String(decoding: response.body.prefix(20), as: UTF8.self))"
        case .isRunning: "running"
        case .isDropped: "dropped"
        case .isOther: "other"
        case .isFull: "full"
        }
    }

    private mutating func end(
        _ key: String,
        _ status: Int = 201,
        _ body: String = "lease",
        of principal: Principal = .anonymous
    ) {
        store.end(IdempotencyRecords.Key(key, of: principal), Response(status: status, body: Array(body.utf8)))
    }

    @Test mutating func `the first request is carried out, a repetition receives its response`() {
        #expect(verdict("a") == "carry out")
        #expect(verdict("a") == "running")
        end("a")
        #expect(verdict("a") == "answer lease")
        #expect(verdict("b") == "carry out")
    }

    @Test(arguments: [
        (["/v1/restore"], "{}"), (["/v1/boost"], "{ }"), (["/v1/boost", "display", "a"], "{}"),
    ])
    mutating func `a key is bound to one target and body`(target: [String], body: String) {
        let other = IdempotencyRecords.Fingerprint(target, Array(body.utf8))
        #expect(verdict("a") == "carry out")
        #expect(verdict("a", other) == "other")
        end("a")
        #expect(verdict("a", other) == "other")
        #expect(verdict("a") == "answer lease")
    }

    @Test mutating func `the same key of another principal is independent`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", of: .mqtt) == "carry out")
        #expect(verdict("a") == "answer lease")
    }

    @Test(arguments: [403, 404, 409, 410, 412, 422, 429, 503])
    mutating func `a request that failed has changed nothing, so its key is free again`(status: Int) {
        #expect(verdict("a") == "carry out")
        end("a", status, "refused")
        #expect(verdict("a") == "carry out")
        end("a", 207, "some")
        #expect(verdict("a") == "answer some")
    }

    @Test mutating func `a response is stored for 10 minutes`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", at: .after(.milliseconds(599_999))) == "answer lease")
        #expect(verdict("a", at: .after(.seconds(600))) == "carry out")
    }

    @Test mutating func `the keys of one principal are limited, and none is forgotten for another`() {
        for number in 0..<IdempotencyRecords.keysOfPrincipal {
            #expect(verdict("\(number)", of: .mqtt) == "carry out")
            end("\(number)", of: .mqtt)
        }
        #expect(verdict("one more", of: .mqtt) == "full")
        #expect(verdict("0", of: .mqtt) == "answer lease")
        #expect(verdict("a") == "carry out")
        // Failures free their keys.
        store.forget(IdempotencyRecords.Key("7", of: .mqtt))
        #expect(verdict("one more", of: .mqtt) == "carry out")
        #expect(verdict("one more than that", of: .mqtt) == "full")
        #expect(verdict("one more than that", of: .mqtt, at: .after(.seconds(600))) == "carry out")
        #expect(store.count == 1)
    }

    @Test mutating func `a principal with few keys gets a new one when others have all`() {
        for principal in ["a", "b"] {
            for number in 0..<IdempotencyRecords.keysOfPrincipal {
                #expect(verdict("\(number)", of: Principal(principal)) == "carry out")
            }
        }
        for number in 0..<IdempotencyRecords.reservedKeys { #expect(verdict("\(number)") == "carry out") }
        #expect(verdict("one more") == "full")
    }

    @Test mutating func `of responses that are too large together it remains that the request was carried out`() {
        let large = String(repeating: "x", count: IdempotencyRecords.bytesOfPrincipal / 4)
        for number in 0..<8 {
            #expect(verdict("\(number)") == "carry out")
            end("\(number)", 200, large)
            #expect(store.storedBytes <= IdempotencyRecords.bytesOfPrincipal)
        }
        #expect(verdict("0") == "dropped")
        #expect(verdict("7") == "answer \(large.prefix(20))")
        #expect(verdict("too large") == "carry out")
        end("too large", 200, large + large + large + large + "x")
        #expect(verdict("too large") == "dropped")
        #expect(verdict("7") == "answer \(large.prefix(20))")
    }

    @Test mutating func `the stored responses of all principals are limited, and no key is forgotten`() {
        let large = String(repeating: "x", count: IdempotencyRecords.bytesOfPrincipal - 1_000)
        for number in 0..<12 {
            let principal = Principal("client-\(number)")
            #expect(verdict("large", of: principal) == "carry out")
            end("large", 200, large, of: principal)
            #expect(verdict("small", of: principal) == "carry out")
            end("small", of: principal)
            #expect(store.storedBytes <= IdempotencyRecords.bytes)
        }
        for number in 0..<12 {
            let principal = Principal("client-\(number)")
            #expect(verdict("small", of: principal) == "answer lease")
            #expect(["answer \(large.prefix(20))", "dropped"].contains(verdict("large", of: principal)))
        }
    }

    /// Failures may be as frequent as requests, with thousands of keys stored.
    @Test mutating func `forgetting a key costs the same with any number of keys`() {
        func cost(of count: Int) -> Duration {
            var store = IdempotencyRecords()
            for number in 0..<count {
                _ = store.begin(IdempotencyRecords.Key("\(number)", of: .mqtt), asked, at: Moment.start.instant)
            }
            return ContinuousClock().measure {
                for _ in 0..<1_000 {
                    let key = IdempotencyRecords.Key("again", of: .anonymous)
                    _ = store.begin(key, asked, at: Moment.start.instant)
                    store.forget(key)
                }
            }
        }
        // It would be 8 times as much. The machine may be busy, so one try of several is enough.
        #expect((1...5).contains { _ in cost(of: 8_000) < cost(of: 1_000) * 4 })
    }
}
