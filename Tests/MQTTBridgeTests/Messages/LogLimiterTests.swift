// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import MQTTBridge

@Suite struct LogLimiterTests {
    private let start = Moment.start.instant

    @Test func `at most five lines of a kind are logged per minute, and the others are counted`() {
        var limiter = LogLimiter<BrokerLine>()
        let written = (0..<20_000).count { _ in limiter.count(.unreadable, at: start) }
        #expect(written == 5)
        #expect(limiter.count(.retainedCommand, at: start) == true)
        #expect(limiter.takeRemainders(at: start + .seconds(59)) == [])
        let remainders = limiter.takeRemainders(at: start + .seconds(60))
        #expect(remainders == [.init(kind: .unreadable, count: 19_995)])
        #expect(limiter.count(.unreadable, at: start + .seconds(60)) == true)
    }
}
