// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// Leases that the daemon held itself when it ended.
@Suite struct DaemonLeaseRecoveryTests {
    private func lease(_ holder: String?, of principal: Principal) -> Lease {
        Lease(
            id: LeaseID("lease"),
            kind: .dim,
            display: .left,
            holder: holder,
            principal: principal,
            grantedAt: Moment.start.wall,
            brightness: .at(0.2),
            reason: nil,
            lifespan: .lifetime,
            end: nil,
            isOverridden: true
        )
    }

    private func recovered(_ lease: Lease, isOfThisBoot: Bool) -> [Lease] {
        let record = DisplayRecord(id: .left, maximum: 100, baseline: .at(0.5), baselineStep: 50, leases: [lease])
        return record.recoveredLeases(isOfThisBoot: isOfThisBoot, at: .start)
    }

    @Test func `a schedule's lease lasts until the rules are evaluated, and stays overridden`() throws {
        let found = recovered(lease("schedule:night", of: .daemon), isOfThisBoot: true)
        #expect(found.map(\.end) == [Moment.start + LeaseTable.grace])
        #expect(found.map(\.isOverridden) == [true])
    }

    @Test func `after a restart of the machine it is gone`() {
        #expect(recovered(lease("schedule:night", of: .daemon), isOfThisBoot: false).isEmpty)
    }

    @Test func `a start is activity, so a lease of idle ends`() {
        var lease = lease("idle", of: .daemon)
        #expect(recovered(lease, isOfThisBoot: true).isEmpty)
        // An administrator has renewed it with a time limit.
        lease.end = .after(.seconds(60))
        #expect(recovered(lease, isOfThisBoot: true).isEmpty)
    }

    @Test func `a wake of presence goes on until its time is over`() {
        let wake = Lease(
            id: LeaseID("lease"),
            kind: .wake,
            display: .left,
            holder: "presence",
            principal: .daemon,
            grantedAt: Moment.start.wall,
            brightness: nil,
            reason: nil,
            lifespan: .custom,
            end: .after(.seconds(60))
        )
        #expect(recovered(wake, isOfThisBoot: true) == [wake])
    }

    @Test func `the leases of clients go on unchanged`() {
        for client in [lease("page", of: .anonymous), lease(nil, of: .daemon), lease("schedule:night", of: .mqtt)] {
            #expect(recovered(client, isOfThisBoot: true) == [client])
            #expect(recovered(client, isOfThisBoot: false) == [client])
        }
    }
}
