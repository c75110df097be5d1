// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct LeaseEndTests {
    private var table = LeaseTable(display: .left)

    init() throws {
        for (name, seconds) in [("brief", 30), ("long", 60)] {
            _ = try table.grant(LeaseRequest(ttl: .seconds(seconds), holder: name), as: LeaseID(name), at: .start)
        }
    }

    @Test(
        arguments: [
            (0, []), (29.999, []), (30, ["brief"]), (59.999, ["brief"]), (60, ["brief", "long"]),
            (3_600, ["brief", "long"]),
        ] as [(Double, [String])]
    )
    mutating func `a lease is over at its end and not before`(seconds: Double, over: [String]) {
        let now = Moment.after(.seconds(seconds)).instant
        #expect(table.expire(at: now).map(\.lease.id.text) == over)
        #expect(table.all.map(\.id.text) == ["brief", "long"].filter { !over.contains($0) })
        #expect(table.expire(at: now) == [])
    }

    @Test mutating func `the wall clock ends no lease`() throws {
        let jumped = Moment(instant: Moment.start.instant, wall: Moment.after(.seconds(86_400)).wall)
        let lease = try table.renew(LeaseID("brief"), ttl: .seconds(30), at: jumped)
        #expect(lease.end?.instant == Moment.after(.seconds(30)).instant)
        #expect(table.expire(at: jumped.instant) == [])
    }

    @Test(arguments: [90, 1, 30])
    mutating func `renewing sets the end to the TTL from now, later or earlier`(ttl: Int) throws {
        let now = Moment.after(.seconds(10))
        let renewed = try table.renew(LeaseID("brief"), ttl: .seconds(ttl), at: now)
        #expect(renewed.end == now + .seconds(ttl))
        #expect(try table.lease(LeaseID("brief")) == renewed)
        #expect(renewed.grantedAt == Moment.start.wall)
    }

    @Test mutating func `each holder ends only its own lease`() throws {
        #expect(table.release(heldBy: "nobody") == nil)
        #expect(table.release(heldBy: nil) == nil)
        #expect(table.release(heldBy: "brief")?.id == LeaseID("brief"))
        #expect(table.release(heldBy: "brief") == nil)
        #expect(table.all.map(\.id.text) == ["long"])
        #expect(try table.release(LeaseID("long")).holder == "long")
        #expect(table.isEmpty)
    }

    @Test mutating func `a holder whose lease has ended gets a new one`() throws {
        _ = try table.release(LeaseID("brief"))
        let event = try table.grant(LeaseRequest(holder: "brief"), as: LeaseID("new"), at: .start)
        #expect(event.change == .granted)
        #expect(event.lease.id == LeaseID("new"))
    }

    @Test mutating func `all leases can be released at once`() {
        #expect(table.releaseAll().map(\.id.text) == ["brief", "long"])
        #expect(table.isEmpty)
        #expect(table.releaseAll() == [])
    }

    @Test mutating func `an ended lease and an unknown one have different errors`() throws {
        _ = try table.release(LeaseID("brief"))
        _ = table.expire(at: Moment.after(.seconds(60)).instant)
        for ended in [LeaseID("brief"), LeaseID("long")] {
            #expect(throws: LeaseError.ended) { try table.release(ended) }
            #expect(throws: LeaseError.ended) { try table.renew(ended, ttl: .seconds(1), at: .start) }
            #expect(throws: LeaseError.ended) { try table.lease(ended) }
        }
        #expect(throws: LeaseError.unknown) { try table.release(LeaseID("never")) }
        #expect(throws: LeaseError.unknown) { try table.renew(LeaseID("never"), ttl: .seconds(1), at: .start) }
        #expect(throws: LeaseError.unknown) { try table.lease(LeaseID("never")) }
    }

    @Test(arguments: [300, 303, 304, 305])
    mutating func `the last 256 ended leases are remembered, and only a few more`(count: Int) throws {
        _ = table.releaseAll()
        for number in 0..<count {
            _ = try table.grant(LeaseRequest(holder: "x"), as: LeaseID("\(number)"), at: .start)
            _ = try table.release(LeaseID("\(number)"))
        }
        #expect(throws: LeaseError.ended) { try table.lease(LeaseID("\(count - 1)")) }
        #expect(throws: LeaseError.ended) { try table.lease(LeaseID("\(count - 256)")) }
        #expect(throws: LeaseError.unknown) { try table.lease(LeaseID("\(count - 256 - 16)")) }
    }
}
