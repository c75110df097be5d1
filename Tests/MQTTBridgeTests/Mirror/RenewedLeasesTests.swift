// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import MQTTBridge

/// When a `visible` boost of another daemon's display is requested again.
@Suite struct RenewedLeasesTests {
    var boosts = RenewedLeases()
    let panel: DisplayID
    let start = Moment.start.instant
    let page = RenewedLeases.Holder(name: "page", principal: .daemon, kind: .boost)

    init() throws { panel = try #require(DisplayID("lobby:panel")) }

    private var lease: Lease { makeLease() }

    private func makeLease(isOverridden: Bool = false) -> Lease {
        Lease(
            id: LeaseID("l1"),
            display: panel,
            holder: "page",
            principal: .daemon,
            grantedAt: Moment.start.wall,
            brightness: .full,
            reason: nil,
            lifespan: .custom,
            end: nil,
            isOverridden: isOverridden
        )
    }

    private mutating func request(ttl: Duration? = nil, after seconds: Double = 0) {
        boosts.answered(lease, lifespan: .visible, ttl: ttl, at: start + .seconds(seconds))
    }

    /// Checks every half second in an interval, and requests due renewals. Returns their times and durations.
    private mutating func run(
        _ seconds: ClosedRange<Double>,
        isPresent: Bool = true,
        isReachable: Bool = true,
        isHeld: Bool = true
    ) -> [Double: Duration?] {
        let lease = lease
        var requests: [Double: Duration?] = [:]
        for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 0.5) {
            let now = start + .seconds(second)
            let due = boosts.takeDue(
                at: now,
                isPresent: { _ in isPresent },
                isReachable: { _ in isReachable },
                held: { _ in isHeld ? lease : nil }
            )
            for (display, command) in due {
                switch (command.action, isHeld) {
                case (.grant(let request), false):
                    requests[second] = .some(request.ttl)
                    boosts.answered(lease, lifespan: request.lifespan, ttl: request.ttl, at: now)
                case (.renew(let id, let change), true):
                    #expect((id, display) == (lease.id, panel))
                    requests[second] = .some(change.ttl)
                    boosts.answered(lease, lifespan: change.lifespan, ttl: change.ttl, at: now)
                default:
                    Issue.record("\(command.action)")
                }
            }
        }
        return requests
    }

    @Test mutating func `a boost without a ttl is requested every seven seconds`() {
        request()
        #expect(run(0...30).keys.sorted() == [7, 14, 21, 28])
    }

    @Test mutating func `a boost with a ttl is requested for its remaining time, and not after its end`() {
        request(ttl: .seconds(10))
        #expect(run(0...60) == [7: .seconds(3)])
        request(ttl: .seconds(30), after: 60)
        #expect(run(60...180) == [67: .seconds(23), 74: .seconds(16), 81: .seconds(9), 88: .seconds(2)])
    }

    @Test mutating func `an outage shorter than the lease does not end a renewed boost`() {
        request()
        #expect(run(0...15.5, isReachable: false) == [:])
        boosts.wait(until: start + .seconds(17), on: [panel])
        #expect(run(16...20).keys.sorted() == [17])
    }

    @Test mutating func `a boost that lapsed during an outage is requested again`() {
        request()
        #expect(run(0...60, isReachable: false) == [:])
        boosts.ended([page], as: .stopped, on: panel, at: start + .seconds(60))
        #expect(run(60...61.5, isHeld: false).count == 1)
    }

    @Test mutating func `a boost that its daemon lost before it lapsed is requested again once, when that is online`() {
        request()
        boosts.ended([page], as: .stopped, on: panel, at: start + .seconds(2))
        #expect(run(2...3.5, isReachable: false) == [:])
        boosts.wait(until: start + .seconds(5), on: [panel])
        #expect(run(4...11, isHeld: false).keys.sorted() == [5])
    }

    @Test(arguments: [true, false])
    mutating func `a boost that a person has overridden is renewed, and not requested again once it lapsed`(
        isOverridden: Bool
    ) {
        request()
        boosts.reported([makeLease(isOverridden: isOverridden)])
        #expect(run(0...5, isReachable: false) == [:])
        #expect(run(5.5...7).count == 1)
        boosts.reported([makeLease(isOverridden: isOverridden)])
        #expect(run(7.5...60, isReachable: false) == [:])
        boosts.ended([page], as: .stopped, on: panel, at: start + .seconds(60))
        #expect(run(60...120, isHeld: false).isEmpty == isOverridden)
    }

    @Test mutating func `a boost that was released is not requested again`() {
        request()
        boosts.ended([page], as: .released, on: panel, at: start + .seconds(5))
        #expect(run(5...60) == [:])
        request(after: 60)
        #expect(run(60...120, isHeld: false) == [:])
    }

    @Test mutating func `a page that reconnects within its grace keeps its boost`() {
        request()
        #expect(run(0...12, isPresent: false) == [:])
        #expect(run(12.5...13).count == 1)
    }

    @Test mutating func `a page that has left keeps no boost`() {
        request()
        #expect(run(0...20, isPresent: false) == [:])
        #expect(run(20...60) == [:])
    }

    @Test mutating func `another lifespan of the same holder replaces a renewed boost`() {
        request()
        boosts.answered(lease, lifespan: .custom, ttl: .seconds(300), at: start)
        #expect(run(0...60) == [:])
    }

    @Test mutating func `a lease is not renewed while the answer to a command about it is pending`() throws {
        request()
        boosts.sent(try #require(RenewedLeases.Key(lease)), answerBy: start + .seconds(10))
        #expect(run(0...16.5).keys.sorted() == [10])
    }

    @Test mutating func `a lease that other daemons' clients keep is not renewed here`() {
        boosts.answered(lease, lifespan: nil, ttl: .seconds(60), at: start)
        #expect(run(0...60) == [:])
    }
}
