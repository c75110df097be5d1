// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import MQTT

@Suite struct ReadPacingTests {
    private var pacing = ReadPacing()
    private var now = ContinuousClock.now

    /// Returns whether a pause follows a turn that ends after `gap`.
    private mutating func isPaused(after gap: Duration, reading count: Int = 1, areLive: Bool = true) -> Bool {
        now += gap
        return pacing.pause(afterReading: count, areLive: areLive, at: now) == ReadPacing.interval
    }

    @Test mutating func `the first message after a rest is followed by no pause`() {
        for _ in 1...3 { #expect(!isPaused(after: .seconds(1))) }
    }

    @Test mutating func `pauses continue while each lets several messages arrive`() {
        #expect(!isPaused(after: .seconds(1)))
        #expect(isPaused(after: .milliseconds(1)))
        for _ in 1...10 { #expect(isPaused(after: .milliseconds(3), reading: 2)) }
        #expect(!isPaused(after: .milliseconds(3), reading: 1))
        #expect(!isPaused(after: .milliseconds(3), reading: 1))
    }

    @Test mutating func `retained messages and floods are read without pauses`() {
        #expect(!isPaused(after: .seconds(1), areLive: false))
        #expect(!isPaused(after: .milliseconds(1)))
        #expect(!isPaused(after: .seconds(1), reading: ReadPacing.flood))
        #expect(!isPaused(after: .milliseconds(1), reading: 2))
        #expect(!isPaused(after: ReadPacing.floodTime))
        #expect(isPaused(after: .milliseconds(1)))
    }
}
