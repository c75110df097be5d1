// SPDX-License-Identifier: Apache-2.0

extension DisplayRecord {
    /// The leases from which a display continues.
    ///
    /// Those that the daemon held itself, such as a schedule's, are computed again at each start. Within a boot they
    /// last until then, so that a restart at night does not light the panel for a moment and a person's change stays
    /// in force.
    func recoveredLeases(isOfThisBoot: Bool, at now: Moment) -> [Lease] {
        leases.compactMap { lease in
            guard lease.principal == .daemon, let holder = lease.holder, ReservedHolder.includes(holder) else {
                return lease
            }
            guard isOfThisBoot else { return nil }
            var lease = lease
            lease.end = now + LeaseTable.grace
            return lease
        }
    }
}
