// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import MQTTBridge

/// When a `visible` boost of another daemon's display is requested again.
@Suite struct RenewedLeasesTests {
    var boosts = RenewedLeases()
    let panel: DisplayID
    let start = Moment.start.instant

    init() throws { panel = try #require(DisplayID("lobby:panel")) }

    private mutating func request(ttl: Duration? = nil, after seconds: Double = 0) {
        let request = LeaseRequest(lifespan: .visible, ttl: ttl, holder: "page")
        boosts.requested(Command(.grant(request), by: "page"), on: panel, at: start + .seconds(seconds))
    }

    /// Checks every half second in an interval, and requests due renewals. Returns their times and durations.
    private mutating func run(
        _ seconds: ClosedRange<Double>,
        isPresent: Bool = true,
        isReachable: Bool = true,
        isHeld: Bool = true
    ) -> [Double: Duration?] {
        var requests: [Double: Duration?] = [:]
        for second in stride(from: seconds.lowerBound, through: seconds.upperBound, by: 0.5) {
            let now = start + .seconds(second)
            let due = boosts.takeDue(
                at: now,
                isPresent: { _ in isPresent },
                isReachable: { _ in isReachable },
                isHeld: { _ in isHeld }
            )
            for (display, command) in due {
                guard case .grant(let request) = command.action else { continue }
                requests[second] = .some(request.ttl)
                boosts.requested(command, on: display, at: now)
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
        boosts.ended([RenewedLeases.Holder("page", of: .daemon)], on: panel, at: start + .seconds(60))
        #expect(run(60...61.5, isHeld: false).count == 1)
    }

    @Test mutating func `a boost that was ended is not requested again`() {
        request()
        boosts.ended([RenewedLeases.Holder("page", of: .daemon)], on: panel, at: start + .seconds(5))
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
        boosts.requested(Command(.grant(LeaseRequest(holder: "page"))), on: panel, at: start)
        #expect(run(0...60) == [:])
    }
}
