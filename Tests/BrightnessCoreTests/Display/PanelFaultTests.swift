// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(1)))
struct RefusingPanelTests {
    private let bench: Bench

    /// Boosted, and released while the panel refuses.
    init() throws {
        bench = try Bench(showing: 30)
        try bench.perform(.boost(by: "a"))
        bench.panel.failWrites(.refused, times: .max)
        try bench.perform(.restore(holder: "a"))
    }

    @Test func `a release holds, and says that the panel is not available`() {
        #expect(bench.state.boost == nil)
        #expect(bench.state.brightness == .at(0.3))
        #expect(bench.state.step == 100)
        #expect(!bench.state.isAvailable)
        #expect(bench.service.boosts(of: .left)?.isEmpty == true)
        #expect(bench.posted.suffix(3).compactMap(\.leaseEvent?.change) == [.released])
        #expect(bench.posted.contains(.failure(.left, .refused)))
    }

    @Test func `is tried again after 1, 2, 4, 8, 16 and then every 30 seconds`() throws {
        var waited = Duration.zero
        var tries = bench.panel.writes
        #expect(tries == [100, 30])
        for pause in [1, 2, 4, 8, 16, 30, 30, 30] {
            try bench.perform(.tick, at: .after(waited + .seconds(pause) - .milliseconds(1)))
            #expect(bench.panel.writes == tries)
            waited += .seconds(pause)
            try bench.perform(.tick, at: .after(waited))
            tries.append(30)
            #expect(bench.panel.writes == tries)
        }
        bench.panel.heal()
        try bench.perform(.tick, at: .after(waited + .seconds(30)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
        #expect(bench.state.cause == Cause(.connected, at: (Moment.start + waited + .seconds(30)).wall))
    }

    @Test func `trying in vain is no news, except to the log`() throws {
        let before = bench.state
        let posted = bench.posted.count
        try bench.perform(.tick, at: .after(.seconds(1)))
        #expect(bench.state == before)
        #expect(Array(bench.posted.dropFirst(posted)) == [.failure(.left, .refused)])
    }

    @Test func `a demand tries at once, and nothing is owed when it succeeds`() throws {
        #expect(throws: CommandError.panel(.refused)) { try bench.perform(.set(0.5)) }
        bench.panel.heal()
        try bench.perform(.set(0.5))
        #expect(bench.state.isAvailable)
        #expect(bench.panel.step == 50)
        let writes = bench.panel.writes
        try bench.perform(.tick, at: .after(.seconds(60)))
        #expect(bench.panel.writes == writes)
    }

    @Test func `when it recovers the next trouble is tried after one second again`() throws {
        bench.panel.heal()
        try bench.perform(.tick, at: .after(.seconds(1)))
        try bench.perform(.boost(by: "a"), at: .after(.seconds(2)))
        bench.panel.failWrites(.refused)
        try bench.perform(.restoreAll, at: .after(.seconds(3)))
        let writes = bench.panel.writes.count
        try bench.perform(.tick, at: .after(.milliseconds(3_999)))
        #expect(bench.panel.writes.count == writes)
        try bench.perform(.tick, at: .after(.seconds(4)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
    }

    @Test func `a person may put it right, and is asked no further`() throws {
        bench.panel.step = 60
        try bench.perform(.refresh())
        #expect(bench.state.baseline == .at(0.6))
        #expect(bench.state.isAvailable)
    }
}

@Suite(.timeLimit(.minutes(1)))
struct GonePanelTests {
    private let bench: Bench

    init() throws { bench = try Bench(showing: 30) }

    @Test func `a panel that is gone is not available and is told of once`() throws {
        bench.panel.failReads(.gone, times: .max)
        try bench.perform(.refresh(), at: .after(.seconds(5)))
        #expect(!bench.state.isAvailable)
        #expect(bench.state.cause == Cause(.connected, at: Moment.after(.seconds(5)).wall))
        let posted = bench.posted
        for second in 6...60 { try bench.perform(.tick, at: .after(.seconds(second))) }
        #expect(bench.posted == posted)
        #expect(posted == [.failure(.left, .gone), .brightness(bench.state)])
    }

    /// Unplugged it has no file; asleep it may have one that cannot be read.
    @Test(arguments: [7, 30, 100], [DeviceError.gone, .refused])
    func `back at any step it gets what it should show`(step: Int, error: DeviceError) throws {
        try bench.perform(.boost(0.8, by: "a", for: .seconds(600)))
        bench.panel.failReads(error, times: .max)
        try bench.perform(.refresh())
        bench.panel.step = step
        bench.panel.heal()
        try bench.perform(.tick, at: .after(.seconds(1)))
        #expect(bench.panel.step == 80)
        #expect(bench.state.isAvailable)
        #expect(bench.state.baseline == .at(0.3))
        #expect(bench.state.boost?.isOverridden == false)
    }

    @Test func `a lease that ends meanwhile is no longer in force when it is back`() throws {
        try bench.perform(.boost(by: "a", for: .seconds(10)))
        bench.panel.failReads(.gone, times: .max)
        bench.panel.failWrites(.gone, times: .max)
        #expect(try bench.perform(.tick, at: .after(.seconds(10))).events.map(\.change) == [.expired])
        #expect(bench.state.boost == nil)
        bench.panel.heal()
        try bench.perform(.tick, at: .after(.seconds(40)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
    }

    @Test func `a demand on a panel that is gone fails and changes nothing`() throws {
        bench.panel.failReads(.gone, times: .max)
        bench.panel.failWrites(.gone, times: .max)
        #expect(throws: CommandError.panel(.gone)) { try bench.perform(.boost(by: "a")) }
        #expect(bench.state.boost == nil)
        #expect(bench.state.baseline == .at(0.3))
        #expect(!bench.state.isAvailable)
        bench.panel.heal()
        bench.panel.step = 90
        try bench.perform(.tick, at: .after(.seconds(30)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.isAvailable)
    }

    @Test func `a demand in vain does not make a panel that is gone one that refuses`() throws {
        try bench.perform(.boost(by: "a"))
        bench.panel.failReads(.gone, times: .max)
        bench.panel.failWrites(.gone, times: .max)
        try bench.perform(.restore(holder: "a"))
        #expect(throws: CommandError.panel(.gone)) { try bench.perform(.set(0.5)) }
        bench.panel.heal()
        bench.panel.step = 55
        try bench.perform(.tick, at: .after(.seconds(60)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.baseline == .at(0.3))
    }

    @Test func `a panel that goes during a write is gone, and its first step is nobody's wish`() throws {
        try bench.perform(.boost(by: "a"))
        bench.panel.failWrites(.gone)
        try bench.perform(.restore(holder: "a"))
        #expect(!bench.state.isAvailable)
        bench.panel.step = 55
        try bench.perform(.tick, at: .after(.seconds(1)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.baseline == .at(0.3))
    }

    @Test func `a panel that first refuses and then goes is gone`() throws {
        try bench.perform(.boost(by: "a"))
        bench.panel.failWrites(.refused)
        try bench.perform(.restore(holder: "a"))
        bench.panel.failReads(.gone)
        try bench.perform(.refresh(), at: .after(.milliseconds(500)))
        bench.panel.step = 55
        try bench.perform(.tick, at: .after(.seconds(60)))
        #expect(bench.panel.step == 30)
        #expect(bench.state.baseline == .at(0.3))
    }
}

/// A panel that has had its writes of the day is not raised any more, and never left raised.
@Suite struct WornPanelTests {
    @Test func `a boost that is refused when another one ends leaves the panel at its baseline, and available`() throws
    {
        let bench = try Bench(showing: 30, isCheapToRead: false)
        try bench.perform(.boost(by: "a", for: .seconds(60)))
        bench.panel.demandRefusal = .worn(limit: 100)
        #expect(throws: CommandError.panel(.worn(limit: 100))) {
            try bench.perform(.boost(0.2, by: "b"), at: .after(.seconds(61)))
        }
        #expect(bench.panel.writes == [100, 30])
        #expect(bench.state.isAvailable)
        #expect(bench.state.boost == nil)
    }
}
