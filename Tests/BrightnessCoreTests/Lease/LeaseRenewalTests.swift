// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The effects of a changed lease, and the changes that are rejected.
@Suite struct LeaseRenewalTests {
    private static let id = LeaseID("x")
    private static let later = Moment.after(.seconds(100))

    private func table(_ request: LeaseRequest) throws -> LeaseTable {
        var table = LeaseTable(display: .left)
        _ = try table.grant(request, as: Self.id, at: .start)
        return table
    }

    @Test(
        arguments: [
            (LeaseRenewal(ttl: .seconds(60)), .full, .custom, "qr", .seconds(160)),
            (LeaseRenewal(at: .fraction(.at(0.5))), .at(0.5), .custom, "qr", .seconds(300)),
            (LeaseRenewal(reason: "code"), .full, .custom, "code", .seconds(300)),
            (LeaseRenewal(lifespan: .custom), .full, .custom, "qr", .seconds(400)),
            (LeaseRenewal(lifespan: .visible), .full, .visible, "qr", nil),
            (LeaseRenewal(lifespan: .visible, ttl: .seconds(5)), .full, .visible, "qr", .seconds(105)),
            (LeaseRenewal(lifespan: .lifetime), .full, .lifetime, "qr", nil),
        ] as [(LeaseRenewal, Brightness, LeaseLifespan, String, Duration?)]
    )
    func `a renewal changes what it names, and a lifespan also the end`(
        change: LeaseRenewal,
        brightness: Brightness,
        lifespan: LeaseLifespan,
        reason: String,
        end: Duration?
    ) throws {
        var table = try table(LeaseRequest(holder: "page", reason: "qr"))
        let lease = try table.renew(Self.id, with: change, at: Self.later)
        #expect((lease.brightness, lease.lifespan, lease.reason) == (brightness, lifespan, reason))
        #expect(lease.end == end.map { .after($0) })
        #expect(table.all == [lease])
        #expect(table.effect.boost == brightness)
    }

    @Test func `a lease that becomes visible depends on its own holder's streams`() throws {
        let connected: (String, Principal) -> HolderConnectivity = { name, principal in
            (name, principal) == ("page", .anonymous) ? .connected(since: .start) : .unknown
        }
        let admin = Requester(Principal("admin"), isAdmin: true)
        var table = try table(LeaseRequest(holder: "page"))
        let visible = LeaseRenewal(lifespan: .visible)
        #expect(
            try table.renew(Self.id, with: visible, by: admin, connectivity: connected, at: Self.later).graceEnd == nil
        )
        let alone = try table.renew(Self.id, with: visible, by: admin, at: Self.later)
        #expect(alone.graceEnd == Self.later + LeaseTable.grace)
        #expect(table.nextEnd == alone.graceEnd?.instant)
        let custom = try table.renew(Self.id, with: LeaseRenewal(lifespan: .custom), at: Self.later)
        #expect((custom.graceEnd, table.nextEnd) == (nil, custom.end?.instant))
    }

    @Test(
        arguments: [
            (.dim, "schedule:night", LeaseRenewal(ttl: .seconds(60)), .ofDaemon),
            (.dim, "idle", LeaseRenewal(at: .fraction(.full)), .ofDaemon),
            (.wake, "page", LeaseRenewal(at: .fraction(.full)), .withoutBrightness(.wake)),
            (.sleep, "page", LeaseRenewal(at: .fraction(.full)), .withoutBrightness(.sleep)),
            (.dim, nil, LeaseRenewal(lifespan: .visible), .withoutHolder(.dim)),
            (.sleep, "page", LeaseRenewal(lifespan: .lifetime), .endlessSleep),
            (.sleep, "page", LeaseRenewal(lifespan: .lifetime, ttl: .seconds(1)), .endlessSleep),
            (.sleep, "page", LeaseRenewal(lifespan: .visible), .endlessSleep),
            (
                .boost, "page", LeaseRenewal(at: .fraction(.at(0.5)), ttl: .seconds(3_601)),
                .tooLong(longest: .seconds(3_600))
            ),
        ] as [(LeaseKind, String?, LeaseRenewal, LeaseError)]
    )
    func `an impossible renewal changes nothing`(
        kind: LeaseKind,
        holder: String?,
        change: LeaseRenewal,
        error: LeaseError
    ) throws {
        var table = try table(LeaseRequest(kind, holder: holder))
        let before = table.all
        #expect(throws: error) { try table.renew(Self.id, with: change, at: Self.later) }
        #expect(table.all == before)
    }

    @Test func `a sleep gets a lifespan with a time limit`() throws {
        var table = try table(LeaseRequest(.sleep, holder: "page"))
        let lease = try table.renew(Self.id, with: LeaseRenewal(lifespan: .visible, ttl: .seconds(5)), at: Self.later)
        #expect((lease.lifespan, lease.end) == (.visible, Self.later + .seconds(5)))
        #expect(
            try table.renew(Self.id, with: LeaseRenewal(lifespan: .custom), at: .start).end == .after(.seconds(300))
        )
    }
}
