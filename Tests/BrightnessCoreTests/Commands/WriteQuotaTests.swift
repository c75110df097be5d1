// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct WriteQuotaTests {
    let start = Instant(sinceBoot: .seconds(1_000))

    @Test(arguments: [1, 1_000_000, 4_000_000_000_000_000_000, Int.max])
    func `a rate of any size does not overflow`(perSecond: Int) {
        var full: Instant?
        #expect(WriteQuota(perSecond: perSecond).spend(&full, at: start).isEnough)
    }

    @Test func `a burst may have twice the writes of a second, then the rate applies`() {
        let quota = WriteQuota(perSecond: 10)
        var full: Instant?
        func passes(after delay: Duration) -> Int {
            (0..<100).count { _ in quota.spend(&full, at: start + delay).isEnough }
        }
        #expect(passes(after: .zero) == 20)
        #expect(passes(after: .milliseconds(99)) == 0)
        #expect(passes(after: .milliseconds(100)) == 1)
        #expect(passes(after: .milliseconds(1_100)) == 10)
        #expect(passes(after: .seconds(60)) == 20)
    }

    @Test func `a slider dragged for an hour is never rejected`() {
        let quota = WriteQuota(perSecond: 50)
        var full: Instant?
        for number in 0..<60_000 { #expect(quota.spend(&full, at: start + .milliseconds(60 * number)).isEnough) }
    }

    @Test func `each write reports the remaining writes`() {
        let quota = WriteQuota(perSecond: 2)
        var full: Instant?
        typealias Remaining = WriteQuota.Remaining
        #expect(quota.spend(&full, at: start) == Remaining(isEnough: true, writes: 3, seconds: 1))
        #expect(quota.spend(&full, at: start) == Remaining(isEnough: true, writes: 2, seconds: 1))
        #expect(quota.spend(&full, at: start) == Remaining(isEnough: true, writes: 1, seconds: 2))
        #expect(quota.spend(&full, at: start) == Remaining(isEnough: true, writes: 0, seconds: 2))
        #expect(quota.spend(&full, at: start) == Remaining(isEnough: false, writes: 0, seconds: 1))
        #expect(quota.spend(&full, at: start + .seconds(9)) == Remaining(isEnough: true, writes: 3, seconds: 1))
    }
}
