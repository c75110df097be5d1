// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import HTTPServer
import TestSupport
import Testing

@testable import WebAPI

@Suite struct IdempotencyStoreTests {
    let store = IdempotencyStore()
    let asked = IdempotencyStore.Fingerprint(["/v1/boost"], Array("{}".utf8))

    /// The verdict in a word, with the body of an answer.
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

    @Test func `the first is carried out, the second gets its answer`() {
        #expect(verdict("a") == "carry out")
        #expect(verdict("a") == "running")
        end("a")
        #expect(verdict("a") == "answer lease")
        #expect(verdict("b") == "carry out")
    }

    @Test(arguments: [
        (["/v1/restore"], "{}"), (["/v1/boost"], "{ }"), (["/v1/boost", "display", "a"], "{}"),
    ])
    func `a key stands for one target and body`(target: [String], body: String) {
        let other = IdempotencyStore.Fingerprint(target, Array(body.utf8))
        #expect(verdict("a") == "carry out")
        #expect(verdict("a", other) == "other")
        end("a")
        #expect(verdict("a", other) == "other")
        #expect(verdict("a") == "answer lease")
    }

    @Test func `a key of another principal is another key`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", of: .mqtt) == "carry out")
        #expect(verdict("a") == "answer lease")
    }

    @Test func `what failed for now may be tried again, what was refused stays refused`() {
        #expect(verdict("a") == "carry out")
        end("a", 503, "gone")
        #expect(verdict("a") == "carry out")
        end("a", 412, "changed")
        #expect(verdict("a") == "answer changed")
    }

    @Test func `an answer is kept for ten minutes`() {
        #expect(verdict("a") == "carry out")
        end("a")
        #expect(verdict("a", at: .after(.milliseconds(599_999))) == "answer lease")
        #expect(verdict("a", at: .after(.seconds(600))) == "carry out")
    }

    @Test func `the number of answers is bounded, the oldest goes first`() {
        for number in 0...IdempotencyStore.limit {
            #expect(verdict("\(number)") == "carry out")
            end("\(number)")
        }
        #expect(verdict("one more") == "carry out")
        #expect(verdict("\(IdempotencyStore.limit)") == "answer lease")
        #expect(verdict("0") == "carry out")
    }
}
