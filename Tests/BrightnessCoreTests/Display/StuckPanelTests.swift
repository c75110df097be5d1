// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite struct StuckPanelTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    private func stuck(after seconds: Int) -> [DisplayID] {
        fixture.service.stuckDisplays(at: Moment.after(.seconds(seconds)).instant)
    }

    @Test func `a queue that answers is not stuck, however rarely it is pinged`() {
        for second in [0, 30, 60, 1_000, 100_000] {
            #expect(stuck(after: second) == [])
            fixture.queue.runAll()
        }
    }

    @Test func `a busy queue is pinged once, and stuck after two minutes`() {
        for second in stride(from: 0, to: 120, by: 30) { #expect(stuck(after: second) == []) }
        #expect(fixture.queue.count == 1)
        #expect(stuck(after: 119) == [])
        #expect(stuck(after: 120) == [.left])
        #expect(fixture.queue.count == 1)
    }

    @Test func `a queue is not stuck any more as soon as it answers`() {
        #expect(stuck(after: 0) == [])
        #expect(stuck(after: 500) == [.left])
        fixture.queue.runAll()
        #expect(stuck(after: 501) == [])
        #expect(stuck(after: 620) == [])
        #expect(stuck(after: 621) == [.left])
    }
}
