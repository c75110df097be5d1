// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Leases of all kinds in one table.
@Suite struct LeaseKindTests {
    private var table = LeaseTable(display: .left)

    private mutating func grant(_ request: LeaseRequest, as id: String = "x") throws {
        _ = try table.grant(request, as: LeaseID(id), at: .start)
    }

    @Test mutating func `a holder has one lease of each kind`() throws {
        for kind in LeaseKind.allCases { try grant(LeaseRequest(kind, holder: "a"), as: kind.rawValue) }
        #expect(table.all.map(\.kind) == LeaseKind.allCases)
        let again = try table.grant(LeaseRequest(.dim, holder: "a"), as: LeaseID("y"), at: .start)
        #expect((again.change, again.lease.id) == (.renewed, LeaseID("dim")))
        #expect(table.release(heldBy: "a", of: .anonymous, kind: .wake).map(\.id) == [LeaseID("wake")])
        #expect(table.release(heldBy: "a", of: .anonymous).map(\.kind) == [.boost, .dim, .sleep])
    }

    @Test(arguments: [
        (LeaseKind.boost, Brightness.full as Brightness?), (.dim, .at(0.2)), (.wake, nil), (.sleep, nil),
    ])
    func `only boosts and dims have a brightness`(kind: LeaseKind, brightness: Brightness?) {
        #expect(LeaseRequest(kind).level?.brightness == brightness)
        let named = LeaseRequest(kind, at: .fraction(.at(0.5))).level
        #expect(named?.brightness == brightness.map { _ in .at(0.5) })
        #expect(LeaseRequest(kind).ttl == .seconds(300))
    }

    @Test mutating func `the highest boost and the lowest dim count`() throws {
        for (index, fraction) in [0.5, 0.9, 0.7].enumerated() {
            try grant(LeaseRequest(.boost, at: .fraction(.at(fraction)), holder: "\(index)"))
            try grant(LeaseRequest(.dim, at: .fraction(.at(fraction)), holder: "\(index)"))
        }
        #expect(table.effect == LeaseEffect(boost: .at(0.9), dim: .at(0.5)))
        #expect(table.totals.byKind[.dim]?.count == 3)
        #expect(table.totals.byKind[.sleep] == nil)
    }

    @Test(arguments: [(LeaseKind.boost, 3_600), (.wake, 3_600), (.dim, 86_400), (.sleep, 86_400)])
    func `a renewal is limited to the kind's longest time`(kind: LeaseKind, longest: Int) throws {
        var table = LeaseTable(display: .left)
        _ = try table.grant(LeaseRequest(kind), as: LeaseID("x"), at: .start)
        #expect(try table.renew(LeaseID("x"), ttl: .seconds(longest), at: .start).end == .after(.seconds(longest)))
        #expect(throws: LeaseError.tooLong(longest: .seconds(longest))) {
            try table.renew(LeaseID("x"), ttl: .seconds(longest + 1), at: .start)
        }
    }

    @Test mutating func `a summary counts the leases that are not overridden, and all once all are`() throws {
        try grant(LeaseRequest(at: .fraction(.at(0.9)), ttl: .seconds(900), holder: "a"), as: "a")
        try grant(LeaseRequest(.sleep, holder: "a"), as: "s")
        #expect(table.overrideAll(about: .brightness, at: .start) == [LeaseID("a")])
        #expect(table.totals.byKind[.boost]?.isOverridden == true)
        #expect(table.totals.byKind[.boost]?.count == 1)
        #expect(table.effect == LeaseEffect(sleeps: true))
        try grant(LeaseRequest(at: .fraction(.at(0.5)), ttl: .seconds(60), holder: "b"), as: "b")
        #expect(table.totals.byKind[.boost]?.isOverridden == false)
        #expect(table.totals.byKind[.boost]?.count == 1)
        #expect(table.totals.byKind[.boost]?.lastEnd == .after(.seconds(60)))
        #expect(table.effect == LeaseEffect(boost: .at(0.5), sleeps: true))
        // A renewal stays overridden.
        try grant(LeaseRequest(at: .fraction(.full), holder: "a"))
        #expect(table.effect.boost == .at(0.5))
        #expect(table.overrideAll(about: .brightness, at: .start) == [LeaseID("b")])
        #expect(table.totals.byKind[.boost]?.count == 2)
        table.reinstate([LeaseID("b")])
        #expect(table.effect.boost == .at(0.5))
        #expect(table.overrideAll(about: .power, at: .start) == [LeaseID("s")])
        #expect(table.effect == LeaseEffect(boost: .at(0.5)))
    }
}
