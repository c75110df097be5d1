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
    /// The display has `BoostTable.limit` leases already.
    case tooMany
}

/// The leases of one display: the rules, without a clock, a panel or a lock.
///
/// - One lease a holder: the same holder again renews. The anonymous holder (`nil`) is one holder.
/// - Each holder ends only its own.
/// - A lease ends at its `end`: at that instant it is over. The table has no clock: whoever applies anything else calls
///   `expire` first.
package struct BoostTable: Sendable {
    /// How many leases a display may have at a time.
    package static let limit = 1_024

    /// How many ended leases are remembered, so that late comers get "ended" and not "unknown".
    static let rememberedEnds = 256

    private let display: DisplayID
    private var leases: [LeaseID: Lease] = [:]
    /// In the order they were granted, whatever the wall clock did.
    private var order: [LeaseID] = []
    private var holders: [String?: LeaseID] = [:]
    private var ended: [LeaseID] = []

    package init(display: DisplayID) { self.display = display }

    /// The leases in force, oldest first.
    package var all: [Lease] {
        order.compactMap { leases[$0] }
    }

    package var isEmpty: Bool { leases.isEmpty }

    package var count: Int { leases.count }

    /// The highest brightness asked for; `nil` without leases.
    package private(set) var brightness: Brightness?

    /// When the next lease ends.
    package private(set) var nextEnd: ContinuousClock.Instant?

    /// When the last lease ends at the latest.
    package private(set) var lastEnd: Moment?

    /// Grants a lease under `id`, or renews the holder's own with everything the request says.
    package mutating func grant(
        _ request: BoostRequest,
        as id: LeaseID,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        defer { sumUp() }
        if let held = holders[request.holder], var lease = leases[held] {
            lease.brightness = request.brightness
            lease.reason = request.reason
            lease.end = now + request.ttl
            leases[held] = lease
            return LeaseEvent(lease, .renewed)
        }
        guard leases.count < Self.limit else { throw .tooMany }
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
        order.append(id)
        holders[request.holder] = id
        return LeaseEvent(lease, .granted)
    }

    /// Moves a lease's end to `ttl` from now.
    package mutating func renew(_ id: LeaseID, ttl: Duration, at now: Moment) throws(LeaseError) -> Lease {
        var lease = try lease(id)
        lease.end = now + ttl
        leases[id] = lease
        sumUp()
        return lease
    }

    package mutating func release(_ id: LeaseID) throws(LeaseError) -> Lease {
        let lease = try lease(id)
        end([lease])
        return lease
    }

    /// Releases what this holder holds; `nil` when that is nothing.
    package mutating func release(heldBy holder: String?) -> Lease? {
        guard let id = holders[holder], let lease = leases[id] else { return nil }
        end([lease])
        return lease
    }

    /// Releases everybody's.
    package mutating func releaseAll() -> [Lease] {
        let released = all
        end(released)
        return released
    }

    /// Ends the leases whose time is over.
    package mutating func expire(at now: ContinuousClock.Instant) -> [Lease] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let over = all.filter { $0.end.instant <= now }
        end(over)
        return over
    }

    package func lease(_ id: LeaseID) throws(LeaseError) -> Lease {
        if let lease = leases[id] { return lease }
        throw ended.contains(id) ? .ended : .unknown
    }

    private mutating func end(_ over: [Lease]) {
        for lease in over {
            leases[lease.id] = nil
            holders[lease.holder] = nil
            ended.append(lease.id)
        }
        order.removeAll { leases[$0] == nil }
        if ended.count > Self.rememberedEnds { ended.removeFirst(ended.count - Self.rememberedEnds) }
        sumUp()
    }

    /// Once a change, so that asking costs nothing.
    private mutating func sumUp() {
        brightness = leases.values.lazy.map(\.brightness).max()
        nextEnd = leases.values.lazy.map(\.end.instant).min()
        lastEnd = leases.values.lazy.map(\.end).max { $0.instant < $1.instant }
    }
}
