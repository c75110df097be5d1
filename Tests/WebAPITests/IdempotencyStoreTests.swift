// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import TestSupport
import Testing

@testable import WebAPI

@Suite struct IdempotencyStoreTests {
    let store = IdempotencyStore()
    let asked = IdempotencyStore.Fingerprint(["/v1/boost"], Array("{}".utf8))

    /// Returns the verdict as a word, with the body of a stored response.
    private func verdict(
        _ key: String,
        _ asked: IdempotencyStore.Fingerprint? = nil,
        of principal: Principal = .anonymous,
        at now: Moment = .start
    ) -> String {
        switch store.begin(IdempotencyStore.Key(key, of: principal), asked ?? self.asked, at: now) {
        case .carryOut: "carry out"
        case .answer(let response): "answer \(String(decoding: response.body, as: UTF8.self))"
        case .isRunning: "running"
        case .isOther: "other"
        }
    }

    private func end(_ key: String, _ status: Int = 201, _ body: String = "lease") {
        store.end(IdempotencyStore.Key(key, of: .anonymous), Response(status: status, body: Array(body.utf8)))
    }

    @Test func `the first request is carried out, a repetition receives its response`() {
        #expect(verdict("a") == "carry out")
        #expect(verdict("a") == "running")
        end("a")
        #expect(verdict("a") == "answer lease")
        #expect(verdict("b") == "carry out")
    }

    @Test(arguments: [
        (["/v1/restore"], "{}"), (["/v1/boost"], "{ }"), (["/v1/boost", "display", "a"], "{}"),
    ])
    func `a key is bound to one target and body`(target: [String], body: String) {
        let other = IdempotencyStore.Fingerprint(target, Array(body.utf8))
        #expect(verdict("a") == "carry out")
        #expect(verdict("a", other) == "other")
        end("a")
        #expect(verdict("a", other) == "other")
        #expect(verdict("a") == "answer lease")
    }

    @Test func `the same key of another principal is independent`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", of: .mqtt) == "carry out")
        #expect(verdict("a") == "answer lease")
    }

    @Test func `a temporary failure may be retried, a rejection is repeated`() {
        #expect(verdict("a") == "carry out")
        end("a", 503, "gone")
        #expect(verdict("a") == "carry out")
        end("a", 412, "changed")
        #expect(verdict("a") == "answer changed")
    }

    @Test func `a response is stored for 10 minutes`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", at: .after(.milliseconds(599_999))) == "answer lease")
        #expect(verdict("a", at: .after(.seconds(600))) == "carry out")
    }

    @Test func `the number of stored responses is limited, the oldest is dropped first`() {
        for number in 0...IdempotencyStore.limit {
            #expect(verdict("\(number)") == "carry out")
            end("\(number)")
        }
        #expect(verdict("one more") == "carry out")
        #expect(verdict("\(IdempotencyStore.limit)") == "answer lease")
        #expect(verdict("0") == "carry out")
    }
}
