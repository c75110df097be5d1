// SPDX-License-Identifier: Apache-2.0
import MQTT
import Testing

@testable import MQTTBridge

@Suite struct OutboxTests {
    private func state(_ topic: String, _ number: UInt8) -> Publication {
        Publication(topic, [number], isRetained: true)
    }

    @Test func `a retained topic keeps its newest message at the place of the oldest`() {
        var outbox = Outbox()
        for publication in [state("a", 1), state("b", 2), state("a", 3)] { outbox.put(publication) }
        #expect(outbox.take(9) == [state("a", 3), state("b", 2)])
        #expect(outbox.take(9) == [])
    }

    @Test func `a message can be put before all others, in the place of an older one of its topic`() {
        var outbox = Outbox()
        for publication in [state("a", 1), state("b", 2), state("c", 3)] { outbox.put(publication) }
        outbox.putFirst(state("b", 4))
        #expect(outbox.take(9) == [state("b", 4), state("a", 1), state("c", 3)])
    }

    @Test func `states come before answers, up to the requested number`() {
        var outbox = Outbox()
        outbox.put(Publication("answer", [1]))
        outbox.put(state("a", 2))
        outbox.put(state("b", 3))
        #expect(outbox.take(0) == [])
        #expect(outbox.take(1) == [state("a", 2)])
        outbox.put(state("a", 4))
        #expect(outbox.take(2) == [state("b", 3), state("a", 4)])
        #expect(outbox.take(2) == [Publication("answer", [1])])
    }

    @Test func `a thousand changes of a display result in one message`() {
        var outbox = Outbox()
        for number in 0..<1_000 { outbox.put(state("a", UInt8(truncatingIfNeeded: number))) }
        #expect(outbox.take(.max) == [state("a", UInt8(truncatingIfNeeded: 999))])
    }

    @Test func `answers that are not taken are dropped, the oldest first`() {
        var outbox = Outbox()
        for number in 0...PendingAnswers.limit { outbox.put(Publication("\(number)", [])) }
        let left = outbox.take(.max)
        #expect(left.count == PendingAnswers.limit / 2 + 1)
        #expect(left.last?.topic == "\(PendingAnswers.limit)")
    }

    @Test func `answers are limited in bytes, and the newest one is kept`() {
        var answers = PendingAnswers()
        let mebibyte = [UInt8](repeating: 32, count: 1_048_576)
        for number in 0..<20 { answers.append(Publication("\(number)", mebibyte)) }
        #expect(answers.all.count <= 8)
        #expect(answers.all.last?.topic == "19")
        answers.append(Publication("large", [UInt8](repeating: 32, count: 2 * PendingAnswers.byteLimit)))
        #expect(answers.take(9).map(\.topic) == ["large"])
        answers.append(Publication("next", mebibyte))
        #expect(answers.take(0).isEmpty)
        #expect(answers.take(9).map(\.topic) == ["next"])
    }
}
