// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct RefusingPanelTests {
    private let fixture: DisplayServiceFixture

    /// Boosted, and released while the panel rejects writes.
    init() throws {
        fixture = try DisplayServiceFixture(showing: 30)
        try fixture.perform(.boost(by: "a"))
        fixture.panel.failWrites(.refused, times: .max)
        try fixture.perform(.restore(holder: "a"))
    }

    @Test func `a release holds, and the display is unavailable`() {
        #expect(fixture.state.boost == nil)
        #expect(fixture.state.brightness == .at(0.3))
        #expect(fixture.state.step == 100)
        #expect(!fixture.state.isAvailable)
        #expect(fixture.service.leases(of: .left)?.isEmpty == true)
        #expect(fixture.posted.suffix(3).compactMap(\.leaseEvent?.change) == [.released])
        #expect(fixture.posted.contains(.failure(.left, .refused)))
    }

    @Test func `a faulty panel is retried after 1, 2, 4, 8, 16 and then every 30 seconds`() throws {
        var waited = Duration.zero
        var tries = fixture.panel.writes
        #expect(tries == [100, 30])
        for pause in [1, 2, 4, 8, 16, 30, 30, 30] {
            try fixture.perform(.tick, at: .after(waited + .seconds(pause) - .milliseconds(1)))
            #expect(fixture.panel.writes == tries)
            waited += .seconds(pause)
            try fixture.perform(.tick, at: .after(waited))
            tries.append(30)
            #expect(fixture.panel.writes == tries)
        }
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(waited + .seconds(30)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.cause == Cause(.connected, at: (Moment.start + waited + .seconds(30)).wall))
    }

    @Test func `a failed retry is logged but not published`() throws {
        let before = fixture.state
        let posted = fixture.posted.count
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.state == before)
        #expect(Array(fixture.posted.dropFirst(posted)) == [.failure(.left, .refused)])
    }

    @Test func `a demand is tried at once, and its success clears the pending write`() throws {
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.set(0.5)) }
        fixture.panel.heal()
        try fixture.perform(.set(0.5))
        #expect(fixture.state.isAvailable)
        #expect(fixture.panel.step == 50)
        let writes = fixture.panel.writes
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(fixture.panel.writes == writes)
    }

    @Test func `after a recovery the next fault is retried after one second again`() throws {
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(.seconds(1)))
        try fixture.perform(.boost(by: "a"), at: .after(.seconds(2)))
        fixture.panel.failWrites(.refused)
        try fixture.perform(.restoreAll(), at: .after(.seconds(3)))
        let writes = fixture.panel.writes.count
        try fixture.perform(.tick, at: .after(.milliseconds(3_999)))
        #expect(fixture.panel.writes.count == writes)
        try fixture.perform(.tick, at: .after(.seconds(4)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a person may set a faulty panel, which ends the retries`() throws {
        fixture.panel.step = 60
        try fixture.perform(.refresh())
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.state.isAvailable)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct GonePanelTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test func `a panel that is gone is unavailable, which is published once`() throws {
        fixture.panel.failReads(.gone, times: .max)
        try fixture.perform(.refresh(), at: .after(.seconds(5)))
        #expect(!fixture.state.isAvailable)
        #expect(fixture.state.cause == Cause(.lost, at: Moment.after(.seconds(5)).wall))
        let posted = fixture.posted
        for second in 6...60 { try fixture.perform(.tick, at: .after(.seconds(second))) }
        #expect(fixture.posted == posted)
        #expect(posted == [.failure(.left, .gone), .state(fixture.state)])
    }

    /// An unplugged panel has no file; a sleeping one may have an unreadable file.
    @Test(arguments: [7, 30, 100], [DeviceError.gone, .refused])
    func `a panel that returns with any step gets its target`(step: Int, error: DeviceError) throws {
        try fixture.perform(.boost(0.8, by: "a", for: .seconds(600)))
        fixture.panel.failReads(error, times: .max)
        try fixture.perform(.refresh())
        fixture.panel.step = step
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost?.isOverridden == false)
    }

    @Test func `a lease that ends while the panel is gone has no effect afterwards`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(10)))
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        #expect(try fixture.perform(.tick, at: .after(.seconds(10))).events.map(\.change) == [.expired])
        #expect(fixture.state.boost == nil)
        fixture.panel.heal()
        try fixture.perform(.tick, at: .after(.seconds(40)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a demand on a panel that is gone fails and changes nothing`() throws {
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        #expect(throws: CommandError.panel(.gone)) { try fixture.perform(.boost(by: "a")) }
        #expect(fixture.state.boost == nil)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(!fixture.state.isAvailable)
        fixture.panel.heal()
        fixture.panel.step = 90
        try fixture.perform(.tick, at: .after(.seconds(30)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a failed demand does not change the fault of a panel that is gone`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.failReads(.gone, times: .max)
        fixture.panel.failWrites(.gone, times: .max)
        try fixture.perform(.restore(holder: "a"))
        #expect(throws: CommandError.panel(.gone)) { try fixture.perform(.set(0.5)) }
        fixture.panel.heal()
        fixture.panel.step = 55
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a panel that disappears during a write is gone, and its first step is not a change by others`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.failWrites(.gone)
        try fixture.perform(.restore(holder: "a"))
        #expect(!fixture.state.isAvailable)
        fixture.panel.step = 55
        try fixture.perform(.tick, at: .after(.seconds(1)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a panel that rejects and then disappears is gone`() throws {
        try fixture.perform(.boost(by: "a"))
        fixture.panel.failWrites(.refused)
        try fixture.perform(.restore(holder: "a"))
        fixture.panel.failReads(.gone)
        try fixture.perform(.refresh(), at: .after(.milliseconds(500)))
        fixture.panel.step = 55
        try fixture.perform(.tick, at: .after(.seconds(60)))
        #expect(fixture.panel.step == 30)
        #expect(fixture.state.baseline == .at(0.3))
    }
}

/// A panel that used up its daily writes is neither raised nor left raised.
@Suite struct WornPanelTests {
    @Test func `a boost that is rejected when another one ends leaves the panel at its baseline, and available`() throws
    {
        let fixture = try DisplayServiceFixture(showing: 30, isCheapToRead: false)
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        fixture.panel.demandRefusal = .worn(limit: 100)
        #expect(throws: CommandError.panel(.worn(limit: 100))) {
            try fixture.perform(.boost(0.2, by: "b"), at: .after(.seconds(61)))
        }
        #expect(fixture.panel.writes == [100, 30])
        #expect(fixture.state.isAvailable)
        #expect(fixture.state.boost == nil)
    }
}
