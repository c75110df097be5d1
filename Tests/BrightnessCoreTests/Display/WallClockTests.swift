// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The wall clock is set while leases and holds are in force.
@Suite(.timeLimit(.minutes(1)))
struct WallClockTests {
    private let bench: Bench
    private static let jump: Duration = .seconds(400 * 86_400)

    init() throws { bench = try Bench(automatic: AutomaticRules(hold: .seconds(600))) }

    /// So long after the start, by a wall clock that was set ahead by `jump`.
    private func ahead(_ seconds: Int, by jump: Duration = jump) -> Moment {
        let moment = Moment.after(.seconds(seconds))
        return Moment(instant: moment.instant, wall: moment.wall + jump)
    }

    @Test func `the end of a lease is reported by the new clock, and comes when it was to come`() throws {
        try bench.perform(.boost(by: "a", for: .seconds(60)))
        let before = bench.state
        #expect(before.boost?.until == Moment.after(.seconds(60)).wall)
        bench.service.clockWasSet(at: ahead(10))
        bench.queue.runAll()
        let end = ahead(60)
        #expect(bench.state.boost?.until == end.wall)
        #expect(bench.state.revision > before.revision)
        #expect(bench.state.cause == before.cause)
        #expect(bench.service.boosts(of: .left)?.all.first?.end == end)
        let event = try #require(bench.posted.compactMap(\.leaseEvent).last)
        #expect(event.change == .renewed)
        #expect(event.lease.end == end)
        bench.service.tick(at: ahead(59))
        bench.queue.runAll()
        #expect(bench.state.boost != nil)
        bench.service.tick(at: ahead(60))
        bench.queue.runAll()
        #expect(bench.state.boost == nil)
    }

    @Test func `the end of a hold is reported by the new clock`() throws {
        try bench.perform(.setAutomatic(true))
        try bench.perform(.set(0.4))
        bench.service.clockWasSet(at: ahead(10))
        bench.queue.runAll()
        #expect(bench.state.automatic.heldUntil == ahead(600).wall)
    }

    @Test(arguments: [Duration.zero, .milliseconds(999), .milliseconds(-999)])
    func `a clock that moves by less than a second changes nothing`(jump: Duration) throws {
        try bench.perform(.boost(by: "a", for: .seconds(60)))
        let (before, count) = (bench.state, bench.posted.count)
        bench.service.clockWasSet(at: ahead(10, by: jump))
        bench.queue.runAll()
        #expect(bench.state == before)
        #expect(bench.posted.count == count)
    }

    @Test func `a lease without a time limit has no end to report`() throws {
        try bench.perform(.boost(BoostRequest(lifespan: .lifetime)))
        let before = bench.state
        bench.service.clockWasSet(at: ahead(10))
        bench.queue.runAll()
        #expect(bench.state == before)
    }
}
