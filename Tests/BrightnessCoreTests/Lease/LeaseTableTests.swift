// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

@Suite(.timeLimit(.minutes(10)))
struct LeaseTableTests {
    private var table = LeaseTable(display: .left)

    /// Grants a lease to holder `name`, with the same name as its id.
    @discardableResult
    private mutating func grant(
        _ name: String,
        _ fraction: Double = 1,
        for ttl: Duration = .seconds(60),
        at now: Moment = .start
    ) throws -> Lease {
        try table.grant(LeaseRequest(at: .fraction(.at(fraction)), ttl: ttl, holder: name), as: LeaseID(name), at: now)
            .lease
    }

    @Test func `a lease has every attribute of its request`() throws {
        var table = LeaseTable(display: .right)
        let request = LeaseRequest(at: .fraction(.at(0.8)), ttl: .seconds(20), holder: "kiosk-3", reason: "qr")
        let event = try table.grant(request, as: LeaseID("a"), at: .after(.seconds(5)))
        let lease = Lease(
            id: LeaseID("a"),
            display: .right,
            holder: "kiosk-3",
            grantedAt: Moment.after(.seconds(5)).wall,
            brightness: .at(0.8),
            reason: "qr",
            lifespan: .custom,
            end: .after(.seconds(25))
        )
        #expect(event == LeaseEvent(lease, .granted))
        #expect(table.all == [lease])
    }

    @Test func `an empty request is full brightness for five minutes without a holder`() {
        let request = LeaseRequest()
        #expect(request.level == .fraction(.full))
        #expect(request.ttl == .seconds(300))
        #expect(request.holder == nil)
    }

    @Test(arguments: [String?.none, "kiosk-3", ""])
    func `a second request by a holder renews its lease with every attribute`(holder: String?) throws {
        var table = table
        let first = LeaseRequest(at: .fraction(.full), ttl: .seconds(60), holder: holder, reason: "qr")
        let second = LeaseRequest(at: .fraction(.at(0.5)), ttl: .seconds(10), holder: holder)
        let granted = try table.grant(first, as: LeaseID("a"), at: .start).lease
        let event = try table.grant(second, as: LeaseID("b"), at: .after(.seconds(20)))
        var renewed = granted
        renewed.brightness = .at(0.5)
        renewed.reason = nil
        renewed.end = .after(.seconds(30))
        #expect(event == LeaseEvent(renewed, .renewed))
        #expect(table.all == [renewed])
    }

    @Test func `no holder, an empty name and a name are three holders`() throws {
        var table = table
        for (index, holder) in [nil, "", "kiosk-3"].enumerated() {
            _ = try table.grant(LeaseRequest(holder: holder), as: LeaseID("\(index)"), at: .start)
        }
        #expect(table.all.count == 3)
        #expect(table.release(heldBy: "")?.id == LeaseID("1"))
        #expect(table.release(heldBy: nil)?.id == LeaseID("0"))
        #expect(table.all.map(\.id) == [LeaseID("2")])
    }

    @Test(
        arguments: [
            ([], nil),
            ([0.5], 0.5),
            ([0.5, 0.8, 0.2], 0.8),
            ([1, 1], 1),
            ([0], 0),
        ] as [([Double], Double?)]
    )
    mutating func `the highest brightness counts`(asked: [Double], highest: Double?) throws {
        for (index, fraction) in asked.enumerated() { try grant("\(index)", fraction) }
        #expect(table.effect.boost == highest.map(Brightness.at))
        #expect(table.all.count == asked.count)
        #expect(table.isEmpty == asked.isEmpty)
    }

    @Test mutating func `the table knows the earliest and the latest end`() throws {
        #expect(table.nextEnd == nil)
        #expect(table.totals.byKind[.boost] == nil)
        for (name, seconds) in [("a", 60), ("b", 10), ("c", 300)] { try grant(name, for: .seconds(seconds)) }
        #expect(table.nextEnd == Moment.after(.seconds(10)).instant)
        #expect(table.totals.byKind[.boost]?.lastEnd == .after(.seconds(300)))
    }

    @Test mutating func `leases are listed oldest first, independent of ids and the wall clock`() throws {
        try grant("z")
        try grant("a")
        let setBack = Moment(instant: Moment.after(.seconds(5)).instant, wall: Moment.after(.seconds(-3_600)).wall)
        try grant("m", at: setBack)
        #expect(table.all.map(\.id.text) == ["z", "a", "m"])
        #expect(table.releaseAll().map(\.id.text) == ["z", "a", "m"])
    }
}

extension LeaseTableTests {
    @Test func `the number of leases is limited, and renewing is not`() throws {
        var table = LeaseTable(display: .left)
        func grant(_ number: Int, by principal: Principal) throws(LeaseError) -> LeaseEvent {
            try table.grant(LeaseRequest(holder: "\(number)"), by: principal, as: LeaseID("\(number)"), at: .start)
        }
        for client in 0..<7 {
            let principal = Principal("client \(client)")
            for number in 0..<128 { _ = try grant(client * 128 + number, by: principal) }
            // One principal leaves room for the others.
            #expect(throws: LeaseError.tooManyOfPrincipal) { try grant(2_000, by: principal) }
        }
        #expect(throws: LeaseError.tooMany) { try grant(3_000, by: .anonymous) }
        // The daemon's own holders have places of their own.
        for number in 0..<128 { _ = try grant(4_000 + number, by: .daemon) }
        #expect(throws: LeaseError.tooMany) { try grant(5_000, by: .daemon) }
        #expect(try grant(7, by: Principal("client 0")).change == .renewed)
        #expect(table.releaseAll().count == LeaseTable.limit)
        #expect(table.isEmpty && table.totals == LeaseTotals() && table.nextEnd == nil)
    }
}

@Suite(.timeLimit(.minutes(10)))
struct LeaseIDTests {
    @Test func `an id has 128 random bits in 32 digits`() {
        let ids = (0..<100).map { _ in LeaseID.random() }
        #expect(Set(ids).count == 100)
        #expect(ids.allSatisfy { $0.text.utf8.count == 32 && $0.text.allSatisfy(\.isHexDigit) })
    }
}
