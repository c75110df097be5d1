// SPDX-License-Identifier: Apache-2.0

/// What somebody who asks for a boost says.
package struct BoostRequest: Hashable, Sendable {
    package static let defaultTTL: Duration = .seconds(300)
    package static let longestTTL: Duration = .seconds(3_600)

    package var brightness: Brightness
    package var ttl: Duration
    package var holder: String?
    package var reason: String?

    package init(
        brightness: Brightness = .full,
        ttl: Duration = defaultTTL,
        holder: String? = nil,
        reason: String? = nil
    ) {
        self.brightness = brightness
        self.ttl = ttl
        self.holder = holder
        self.reason = reason
    }
}

package enum LeaseError: Error, Equatable {
    /// No such lease was ever granted, or it ended so long ago that it is forgotten.
    case unknown
    /// It was released or its time is over.
    case ended
}

/// The leases of one display: the rules, without a clock, a panel or a lock.
///
/// - One lease a holder: the same holder again renews. The anonymous holder (`nil`) is one holder.
/// - Each holder ends only its own.
/// - A lease ends at its `end`: at that instant it is over.
package struct BoostTable: Sendable {
    /// How many ended leases are remembered, so that late comers get "ended" and not "unknown".
    static let rememberedEnds = 256

    private let display: DisplayID
    private var leases: [LeaseID: Lease] = [:]
    private var holders: [String?: LeaseID] = [:]
    private var ended: [LeaseID] = []

    package init(display: DisplayID) { self.display = display }

    /// The leases in force, oldest first.
    package var all: [Lease] {
        leases.values.sorted { ($0.grantedAt, $0.id.text) < ($1.grantedAt, $1.id.text) }
    }

    package var isEmpty: Bool { leases.isEmpty }

    package var count: Int { leases.count }

    /// The highest brightness asked for; `nil` without leases.
    package var brightness: Brightness? { leases.values.lazy.map(\.brightness).max() }

    /// When the next lease ends.
    package var nextEnd: ContinuousClock.Instant? { leases.values.lazy.map(\.end.instant).min() }

    /// When the last lease ends at the latest.
    package var lastEnd: Moment? { leases.values.lazy.map(\.end).max { $0.instant < $1.instant } }

    /// Grants a lease under `id`, or renews the holder's own with everything the request says.
    package mutating func grant(
        _ request: BoostRequest,
        as id: LeaseID,
        at now: Moment
    ) -> LeaseEvent {
        if let held = holders[request.holder], var lease = leases[held] {
            lease.brightness = request.brightness
            lease.reason = request.reason
            lease.end = now + request.ttl
            leases[held] = lease
            return LeaseEvent(lease, .renewed)
        }
        let lease = Lease(
            id: id,
            display: display,
            holder: request.holder,
            grantedAt: now.wall,
            brightness: request.brightness,
            reason: request.reason,
            end: now + request.ttl
        )
        leases[id] = lease
        holders[request.holder] = id
        return LeaseEvent(lease, .granted)
    }

    /// Moves a lease's end to `ttl` from now.
    package mutating func renew(_ id: LeaseID, ttl: Duration, at now: Moment) throws(LeaseError) -> Lease {
        var lease = try lease(id)
        lease.end = now + ttl
        leases[id] = lease
        return lease
    }

    package mutating func release(_ id: LeaseID) throws(LeaseError) -> Lease {
        let lease = try lease(id)
        end(lease)
        return lease
    }

    /// Releases what this holder holds; `nil` when that is nothing.
    package mutating func release(heldBy holder: String?) -> Lease? {
        guard let id = holders[holder], let lease = leases[id] else { return nil }
        end(lease)
        return lease
    }

    /// Releases everybody's.
    package mutating func releaseAll() -> [Lease] {
        let released = all
        for lease in released { end(lease) }
        return released
    }

    /// Ends the leases whose time is over.
    package mutating func expire(at now: ContinuousClock.Instant) -> [Lease] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let over = all.filter { $0.end.instant <= now }
        for lease in over { end(lease) }
        return over
    }

    package func lease(_ id: LeaseID) throws(LeaseError) -> Lease {
        if let lease = leases[id] { return lease }
        throw ended.contains(id) ? .ended : .unknown
    }

    private mutating func end(_ lease: Lease) {
        leases[lease.id] = nil
        holders[lease.holder] = nil
        ended.append(lease.id)
        if ended.count > Self.rememberedEnds { ended.removeFirst(ended.count - Self.rememberedEnds) }
    }
}
