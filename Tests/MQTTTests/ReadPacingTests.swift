// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MQTT

@Suite struct ReadPacingTests {
    private var pacing = ReadPacing()
    private var now = ContinuousClock.now

    /// Returns whether a pause follows a turn that ends after `gap`.
    private mutating func takesPause(after gap: Duration, reading count: Int = 1, areLive: Bool = true) -> Bool {
        now += gap
        return pacing.pause(afterReading: count, areLive: areLive, at: now) == ReadPacing.interval
    }

    @Test mutating func `the first message after a rest is followed by no pause`() {
        for _ in 1...3 { #expect(!takesPause(after: .seconds(1))) }
    }

    @Test mutating func `pauses continue while each lets several messages arrive`() {
        #expect(!takesPause(after: .seconds(1)))
        #expect(takesPause(after: .milliseconds(1)))
        for _ in 1...10 { #expect(takesPause(after: .milliseconds(3), reading: 2)) }
        #expect(!takesPause(after: .milliseconds(3), reading: 1))
        #expect(!takesPause(after: .milliseconds(3), reading: 1))
    }

    @Test mutating func `retained messages and floods are read without pauses`() {
        #expect(!takesPause(after: .seconds(1), areLive: false))
        #expect(!takesPause(after: .milliseconds(1)))
        #expect(!takesPause(after: .seconds(1), reading: ReadPacing.flood))
        #expect(!takesPause(after: .milliseconds(1), reading: 2))
        #expect(!takesPause(after: ReadPacing.floodTime))
        #expect(takesPause(after: .milliseconds(1)))
    }
}
