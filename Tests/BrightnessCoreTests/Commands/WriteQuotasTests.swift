// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@Suite struct WriteQuotasTests {
    let start = Instant(sinceBoot: .seconds(1_000))

    /// Returns how many of `count` writes at one instant are accepted.
    private func passes(_ quotas: inout WriteQuotas<String>, _ count: Int, by writer: String, at now: Instant) -> Int {
        (0..<count).count { _ in quotas.spend(writer, at: now).isEnough }
    }

    @Test func `the writes of one writer do not count for another`() {
        var quotas = WriteQuotas<String>(WriteQuota(perSecond: 1))
        #expect(passes(&quotas, 9, by: "a", at: start) == 2)
        #expect(passes(&quotas, 9, by: "b", at: start) == 2)
    }

    @Test func `with a full list new writers share one bucket until another is free`() {
        var quotas = WriteQuotas<String>(WriteQuota(perSecond: 1))
        for number in 0..<WriteQuotas<String>.limit { _ = quotas.spend("\(number)", at: start) }
        let allowed = (0..<100).count { quotas.spend("new \($0)", at: start).isEnough }
        #expect(allowed == 2)
        #expect(quotas.spend("7", at: start).isEnough)
        let later = start + .seconds(5)
        #expect((0..<100).allSatisfy { quotas.spend("new \($0)", at: later).isEnough })
    }
}
