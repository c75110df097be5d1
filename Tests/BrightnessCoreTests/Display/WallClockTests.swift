// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The wall clock is set while leases and holds are in force.
@Suite(.timeLimit(.minutes(10)))
struct WallClockTests {
    private let fixture: DisplayServiceFixture
    private static let jump: Duration = .seconds(400 * 86_400)

    init() throws { fixture = try DisplayServiceFixture(automatic: AutomaticRules(hold: .seconds(600))) }

    /// This long after the start, by a wall clock that was set ahead by `jump`.
    private func ahead(_ seconds: Int, by jump: Duration = jump) -> Moment {
        let moment = Moment.after(.seconds(seconds))
        return Moment(instant: moment.instant, wall: moment.wall + jump)
    }

    @Test func `the end of a lease is reported by the new clock, and comes at the same instant`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let before = fixture.state
        #expect(before.boost?.until == Moment.after(.seconds(60)).wall)
        fixture.service.clockWasSet(at: ahead(10))
        fixture.queue.runAll()
        let end = ahead(60)
        #expect(fixture.state.boost?.until == end.wall)
        #expect(fixture.state.revision > before.revision)
        #expect(fixture.state.cause == before.cause)
        #expect(fixture.service.leases(of: .left)?.all.first?.end == end)
        let event = try #require(fixture.posted.compactMap(\.leaseEvent).last)
        #expect(event.change == .renewed)
        #expect(event.lease.end == end)
        fixture.service.tick(at: ahead(59))
        fixture.queue.runAll()
        #expect(fixture.state.boost != nil)
        fixture.service.tick(at: ahead(60))
        fixture.queue.runAll()
        #expect(fixture.state.boost == nil)
    }

    @Test func `the end of a hold is reported by the new clock`() throws {
        try fixture.perform(.setAutomatic(true))
        try fixture.perform(.set(0.4))
        fixture.service.clockWasSet(at: ahead(10))
        fixture.queue.runAll()
        #expect(fixture.state.automatic.heldUntil == ahead(600).wall)
    }

    @Test(arguments: [Duration.zero, .milliseconds(999), .milliseconds(-999)])
    func `a clock that moves by less than a second changes nothing`(jump: Duration) throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let (before, count) = (fixture.state, fixture.posted.count)
        fixture.service.clockWasSet(at: ahead(10, by: jump))
        fixture.queue.runAll()
        #expect(fixture.state == before)
        #expect(fixture.posted.count == count)
    }

    @Test func `a lease without a time limit has no end to report`() throws {
        try fixture.perform(.grant(LeaseRequest(lifespan: .lifetime)))
        let before = fixture.state
        fixture.service.clockWasSet(at: ahead(10))
        fixture.queue.runAll()
        #expect(fixture.state == before)
    }
}
