// SPDX-License-Identifier: Apache-2.0

/// The write rate limit of one client: a token bucket that fills in `window` seconds. Rules only; time is an argument.
package struct WriteQuota: Sendable {
    /// In seconds. A burst may have twice the writes of a second.
    static let window = 2
    /// Higher rates count as this one, so that arithmetic does not overflow.
    private static let largest = 1_000_000

    private let rate: Int
    /// Writes in a full bucket.
    private let capacity: Int

    package init(perSecond rate: Int) {
        self.rate = rate
        capacity = min(max(1, rate), Self.largest) * Self.window
    }

    /// The bucket after a write.
    package struct Remaining: Equatable {
        package let isEnough: Bool
        let writes: Int
        /// Seconds until the bucket is full; after a rejected write, until the next write is accepted.
        let seconds: Int
    }

    /// Spends one write of the bucket. A rejected write spends nothing.
    ///
    /// - Parameter full: The time when the writer's bucket is full again; `nil` if it is full.
    package func spend(_ full: inout Instant?, at now: Instant) -> Remaining {
        let window = Duration.seconds(Self.window)
        let one = window / capacity
        let used = max(.zero, (full ?? now) - now)
        guard used + one <= window else {
            return Remaining(isEnough: false, writes: 0, seconds: Self.seconds(used + one - window))
        }
        full = now + used + one
        return Remaining(isEnough: true, writes: Int((window - used - one) / one), seconds: Self.seconds(used + one))
    }

    /// Returns the time from which a write is accepted.
    ///
    /// - Parameter full: The time when the writer's bucket is full again.
    func earliest(whenFullAt full: Instant) -> Instant {
        let window = Duration.seconds(Self.window)
        return full + window / capacity - window
    }

    private static func seconds(_ duration: Duration) -> Int { max(1, Int((duration / .seconds(1)).rounded(.up))) }

    /// The header fields that report the quota and the remaining writes.
    ///
    /// - SeeAlso: draft-ietf-httpapi-ratelimit-headers-10
    package func fields(_ left: Remaining) -> [Problem.Field] {
        [
            ("RateLimit-Policy", "\"writes\";q=\(capacity);w=\(Self.window)"),
            ("RateLimit", "\"writes\";r=\(left.writes);t=\(left.seconds)"),
        ]
    }

    /// The problem of a rejected write.
    ///
    /// - Parameter writer: The subject of the sentence, such as "This client".
    package func problem(_ left: Remaining, of writer: String) -> Problem {
        Problem(
            .rateLimited,
            "\(writer) sent more than \(rate) writes a second, the limit (--limit writes). Retry in "
                + "\(left.seconds) s. Nothing was changed.",
            fields: fields(left) + [("Retry-After", String(left.seconds))]
        )
    }

    /// The problem of a write that waited for room until a newer one of its kind came.
    package var skipped: Problem {
        Problem(
            .rateLimited,
            "More than \(rate) writes a second arrived, the limit (--limit writes), and a newer one replaced this one. "
                + "Nothing was changed."
        )
    }
}

/// The write quotas of writers, or of things that are written.
package protocol CommandQuotas<Writer> {
    associatedtype Writer: Hashable & Sendable

    var quota: WriteQuota { get }

    /// Spends one write. A rejected write spends nothing.
    mutating func spend(_ writer: Writer, at now: Instant) -> WriteQuota.Remaining

    /// Returns the earliest time at which `spend` may accept a write.
    func earliest(for writer: Writer, at now: Instant) -> Instant
}

/// The write quota of each writer. Rules only; time is an argument.
package struct WriteQuotas<Writer: Hashable & Sendable>: CommandQuotas, Sendable {
    /// The maximum number of writers with a bucket of their own. A full bucket is not stored.
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

    package func earliest(for writer: Writer, at now: Instant) -> Instant {
        full[writer].map { max(now, quota.earliest(whenFullAt: $0)) } ?? now
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
