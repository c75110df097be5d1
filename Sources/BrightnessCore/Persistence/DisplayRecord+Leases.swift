// SPDX-License-Identifier: Apache-2.0

extension DisplayRecord {
    /// The leases from which a display continues.
    ///
    /// The daemon's own leases without a time limit are computed again at each start. Within a boot a
    /// schedule's lasts until then, so that a restart at night does not light the panel for a moment and a person's
    /// change stays in force. A start counts as activity, so those of `idle` end.
    func recoveredLeases(isOfThisBoot: Bool, at now: Moment) -> [Lease] {
        leases.compactMap { lease in
            guard lease.principal == .daemon, let holder = lease.holder, ReservedHolder.includes(holder) else {
                return lease
            }
            if holder == ReservedHolder.idle { return nil }
            // That of `presence` goes on like a client's.
            if lease.end != nil { return lease }
            guard isOfThisBoot else { return nil }
            var lease = lease
            lease.end = now + LeaseTable.grace
            return lease
        }
    }
}
