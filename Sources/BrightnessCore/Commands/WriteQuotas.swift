// SPDX-License-Identifier: Apache-2.0

/// The write quotas of writers, or of things that are written.
package protocol CommandQuotas<Writer> {
    associatedtype Writer: Hashable & Sendable

    var quota: WriteQuota { get }

    /// Spends one write. A rejected write spends nothing.
    mutating func spend(_ writer: Writer, at now: Instant) -> WriteQuota.Remaining

    /// Returns the earliest time at which `spend` may accept a write.
    func room(for writer: Writer, at now: Instant) -> Instant
}

/// The write quota of each writer. Rules only; time is an argument.
package struct WriteQuotas<Writer: Hashable & Sendable>: CommandQuotas, Sendable {
    /// The most writers with a bucket of their own. A full bucket is not stored.
    package static var limit: Int { 4_096 }

    package let quota: WriteQuota
    /// The times when buckets are full again. `nil` is the bucket that all writers beyond the limit share.
    private var full: [Writer?: Instant] = [:]
    private var nextSweep: Instant?

    package init(_ quota: WriteQuota) { self.quota = quota }

    package mutating func spend(_ writer: Writer, at now: Instant) -> WriteQuota.Remaining {
        let key = key(for: writer, at: now)
        return quota.spend(&full[key], at: now)
    }

    package func room(for writer: Writer, at now: Instant) -> Instant {
        full[writer].map { max(now, quota.room(untilFull: $0)) } ?? now
    }

    private mutating func key(for writer: Writer, at now: Instant) -> Writer? {
        if full[writer] != nil || full.count < Self.limit { return writer }
        if nextSweep ?? now <= now {
            nextSweep = now + .seconds(1)
            full = full.filter { $0.value > now }
        }
        return full.count < Self.limit ? writer : nil
    }
}
