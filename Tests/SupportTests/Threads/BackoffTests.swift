// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Support

@Suite struct BackoffTests {
    @Test func `the maximum delay doubles up to 30 s`() {
        var backoff = Backoff()
        let waits = (0..<6).map { _ in backoff.next(random: 1) }
        #expect(waits == [2, 4, 8, 16, 30, 30].map { .seconds($0) })
    }

    @Test func `the delay is a random part of its maximum, at least 2 %`() {
        var backoff = Backoff()
        #expect(backoff.next(random: 0.5) == .seconds(1))
        #expect(backoff.next(random: 0) == .milliseconds(80))
    }

    @Test func `only a connection that lasted at least 5 s resets the delay`() {
        var backoff = Backoff()
        for _ in 0..<4 { _ = backoff.next(random: 1) }
        backoff.ended(after: .seconds(4))
        #expect(backoff.next(random: 1) == .seconds(30))
        backoff.ended(after: .seconds(5))
        #expect(backoff.next(random: 1) == .seconds(2))
    }
}
