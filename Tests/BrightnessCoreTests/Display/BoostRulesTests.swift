// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct BoostRulesTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    @Test func `a boost raises the panel, reports its end, and restores the baseline`() throws {
        let granted = try fixture.perform(.boost(by: "kiosk-3", for: .seconds(60)))
        let lease = try #require(granted.events.first?.lease)
        #expect(granted.events == [LeaseEvent(lease, .granted)])
        #expect(lease.holder == "kiosk-3")
        #expect(fixture.state.brightness == .full)
        #expect(fixture.state.baseline == .at(0.3))
        #expect(
            fixture.state.boost
                == DisplayState.LeaseSummary(
                    brightness: .full,
                    count: 1,
                    until: Moment.after(.seconds(60)).wall,
                    isOverridden: false
                )
        )
        #expect(fixture.state.cause.kind == .boost)
        let released = try fixture.perform(.release(lease.id))
        #expect(released.events == [LeaseEvent(lease, .released)])
        #expect(fixture.state.brightness == .at(0.3))
        #expect(fixture.state.boost == nil)
        #expect(fixture.state.cause.kind == .restore)
        #expect(fixture.panel.writes == [100, 30])
    }

    @Test func `the lease event precedes the state, with the same revision`() throws {
        try fixture.perform(.boost(by: "a"))
        let boosted = fixture.state
        try fixture.perform(.restore(holder: "a"))
        let lease = try #require(fixture.posted.first?.leaseEvent?.lease)
        #expect(
            fixture.posted == [
                .lease(LeaseEvent(lease, .granted), at: Revision(2)), .state(boosted),
                .lease(LeaseEvent(lease, .released), at: Revision(3)), .state(fixture.state),
            ]
        )
    }

    @Test func `the release of the last lease restores the baseline`() throws {
        try fixture.perform(.boost(0.8, by: "a"))
        try fixture.perform(.boost(0.6, by: "b"))
        try fixture.perform(.boost(0.6))
        #expect(fixture.state.boost?.count == 3)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.state.brightness == .at(0.6))
        try fixture.perform(.restore(holder: "a"))
        try fixture.perform(.restore(holder: "stranger"))
        #expect(fixture.state.boost?.count == 2)
        try fixture.perform(.restore(holder: nil))
        try fixture.perform(.restore(holder: "b"))
        #expect(fixture.state.boost == nil)
        #expect(fixture.panel.writes == [80, 60, 30])
    }

    @Test(arguments: [(Requester.client, .released), (nil, .stopped)] as [(Requester?, LeaseChange)])
    func `all leases can be ended at once, by a client or by the daemon that stops`(
        requester: Requester?,
        change: LeaseChange
    ) throws {
        for holder in ["a", "b", "c"] { try fixture.perform(.boost(by: holder)) }
        let answers = fixture.submit(.restoreAll(), requester: requester)
        fixture.queue.runAll()
        let answer = try answers.all[0].get()
        #expect(answer.events.map(\.lease.holder) == ["a", "b", "c"])
        #expect(answer.events.map(\.change) == [change, change, change])
        #expect(fixture.panel.writes == [100, 30])
    }

    @Test(arguments: [
        // set during the boost, shown during the boost, shown after it
        (0.5, 80, 50), (0.9, 90, 90), (0.1, 80, 10), (0.8, 80, 80),
    ])
    func `the end of a boost restores the current baseline`(set: Double, during: Int, after: Int) throws {
        try fixture.perform(.boost(0.8, by: "a"))
        try fixture.perform(.set(set))
        #expect(fixture.state.boost?.count == 1)
        #expect(fixture.panel.step == during)
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.step == after)
        #expect(fixture.state.brightness == .at(set))
    }

    @Test func `a boost never dims`() throws {
        try fixture.perform(.boost(0.1, by: "a"))
        #expect(fixture.state.brightness == .at(0.3))
        #expect(fixture.state.boost?.brightness == .at(0.1))
        try fixture.perform(.restore(holder: "a"))
        #expect(fixture.panel.writes == [])
    }

    @Test func `the cap limits boosts, not the baseline`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, cap: .at(0.7))
        try fixture.perform(.boost(by: "a"))
        #expect(fixture.state.boost?.brightness == .at(0.7))
        try fixture.perform(.set(0.9))
        try fixture.perform(.set(0.4))
        #expect(fixture.panel.writes == [70, 90, 70])
        #expect(fixture.service.leases(of: .left)?.all.map(\.brightness) == [.full])
    }

    @Test func `a second request by a holder renews its lease`() throws {
        let first = try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let again = try fixture.perform(.boost(0.5, by: "a", for: .seconds(60)), at: .after(.seconds(30)))
        #expect(again.events.map(\.change) == [.renewed])
        #expect(again.events.map(\.lease.id) == first.events.map(\.lease.id))
        #expect(fixture.state.boost?.count == 1)
        #expect(fixture.state.boost?.until == Moment.after(.seconds(90)).wall)
        #expect(fixture.panel.writes == [100, 50])
    }

    @Test func `renewing posts the lease and its new end`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let answer = try fixture.perform(.renew(.number(1), LeaseRenewal(ttl: .seconds(60))), at: .after(.seconds(30)))
        #expect(answer.events.map(\.change) == [.renewed])
        #expect(fixture.state.boost?.until == Moment.after(.seconds(90)).wall)
        #expect(fixture.posted.suffix(2) == [.lease(answer.events[0], at: Revision(3)), .state(fixture.state)])
        #expect(fixture.panel.writes == [100])
    }

    @Test func `a renewal with another brightness changes the panel`() throws {
        try fixture.perform(.boost(by: "a"))
        let change = LeaseRenewal(at: .step(70), reason: "code")
        try fixture.perform(.renew(.number(1), change), at: .after(.seconds(1)))
        #expect(fixture.panel.writes == [100, 70])
        #expect(fixture.state.boost?.brightness == .at(0.7))
        #expect(fixture.state.cause.kind == .boost)
        #expect(fixture.service.leases(of: .left)?.all.map(\.reason) == ["code"])
        #expect(throws: CommandError.outOfRange(fixture.state.range)) {
            try fixture.perform(.renew(.number(1), LeaseRenewal(at: .step(101))), at: .after(.seconds(2)))
        }
    }

    @Test func `a renewal with another brightness that the panel refuses changes nothing`() throws {
        try fixture.perform(.boost(by: "a"))
        let before = fixture.service.leases(of: .left)?.all
        fixture.panel.failWrites(.refused)
        #expect(throws: CommandError.panel(.refused)) {
            try fixture.perform(.renew(.number(1), LeaseRenewal(at: .step(70))), at: .after(.seconds(1)))
        }
        #expect(fixture.service.leases(of: .left)?.all == before)
    }

    @Test func `a lease is over at its end, even before it was ended`() throws {
        let end = Moment.after(.seconds(60))
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        #expect(throws: CommandError.lease(.ended)) {
            try fixture.perform(.renew(.number(1), LeaseRenewal(ttl: .seconds(60))), at: end)
        }
        #expect(fixture.state.boost == nil)
        #expect(fixture.panel.step == 30)
        #expect(fixture.posted.compactMap(\.leaseEvent?.change) == [.granted, .expired])
    }

    @Test func `a holder whose lease has expired gets a new one`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let again = try fixture.perform(.boost(0.5, by: "a", for: .seconds(60)), at: .after(.seconds(61)))
        #expect(again.events.map(\.change) == [.granted])
        #expect(again.events.map(\.lease.id) != [.number(1)])
        #expect(fixture.posted.compactMap(\.leaseEvent?.change) == [.granted, .expired, .granted])
        #expect(fixture.panel.writes == [100, 50])
    }

    @Test func `a renewal counts from its submission, however long the panel delays it`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        let renewed = fixture.submit(.renew(.number(1), LeaseRenewal(ttl: .seconds(60))), at: .after(.seconds(59)))
        let later = fixture.submit(.set(0.4), at: .after(.seconds(61)))
        fixture.queue.runAll()
        #expect(try renewed.all[0].get().events.map(\.change) == [.renewed])
        #expect(try later.all[0].get().state.boost?.until == Moment.after(.seconds(119)).wall)
        #expect(fixture.panel.writes == [100])
    }

    @Test func `a boost ends at its end`() throws {
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        try fixture.perform(.boost(0.5, by: "b", for: .seconds(90)))
        #expect(try fixture.perform(.tick, at: .after(.milliseconds(59_999))).events == [])
        #expect(try fixture.perform(.tick, at: .after(.seconds(60))).events.map(\.change) == [.expired])
        #expect(fixture.state.brightness == .at(0.5))
        #expect(
            fixture.state.cause
                == Cause(
                    .expired,
                    by: "somebody",
                    principal: .daemon,
                    reason: "test",
                    at: Moment.after(.seconds(60)).wall
                )
        )
        _ = try fixture.perform(.tick, at: .after(.seconds(90)))
        #expect(fixture.panel.writes == [100, 50, 30])
        #expect(throws: CommandError.lease(.ended)) { try fixture.perform(.release(.number(1))) }
        #expect(throws: CommandError.lease(.unknown)) { try fixture.perform(.release(LeaseID("never"))) }
    }
}
