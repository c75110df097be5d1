// SPDX-License-Identifier: Apache-2.0

/// What somebody who asks for a boost says.
package struct BoostRequest: Hashable, Sendable {
    package static let defaultTTL: Duration = .seconds(300)
    package static let longestTTL: Duration = .seconds(3_600)

    package var brightness: Brightness
    package var lifespan: Lifespan
    /// `nil` is no time limit, which `custom` does not have.
    package var ttl: Duration?
    package var holder: String?
    package var reason: String?

    package init(
        brightness: Brightness = .full,
        lifespan: Lifespan = .custom,
        ttl: Duration? = nil,
        holder: String? = nil,
        reason: String? = nil
    ) {
        self.brightness = brightness
        self.lifespan = lifespan
        self.ttl = ttl ?? (lifespan == .custom ? Self.defaultTTL : nil)
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
/// - A `visible` lease ends when its holder has been away for `grace`.
/// - A lease ends at its `end`: at that instant it is over. The table has no clock: whoever applies anything else calls
///   `expire` first.
package struct BoostTable: Sendable {
    /// How many leases a display may have at a time.
    package static let limit = 1_024

    /// How long a holder may be away, for a reconnect.
    package static let grace: Duration = .seconds(10)

    /// How many ended leases are remembered, so that late comers get "ended" and not "unknown".
    static let rememberedEnds = 256

    private let display: DisplayID
    private var leases: [LeaseID: Lease] = [:]
    /// In the order they were granted, whatever the wall clock did.
    private var order: [LeaseID] = []
    private var holders: [String?: LeaseID] = [:]
    private var ended: [LeaseID] = []

    package init(display: DisplayID) { self.display = display }

    /// The leases of an earlier run that are not over. Their holders have `grace` to come back.
    package init(display: DisplayID, goingOnWith earlier: [Lease], at now: Moment) {
        self.init(display: display)
        for var lease in earlier where lease.end.map({ $0.instant > now.instant }) ?? true {
            lease.graceEnd = lease.lifespan == .visible ? now + Self.grace : nil
            leases[lease.id] = lease
            holders[lease.holder] = lease.id
            order.append(lease.id)
        }
        sumUp()
    }

    /// The leases in force, oldest first.
    package var all: [Lease] {
        order.compactMap { leases[$0] }
    }

    /// The same without who is connected: what survives the daemon.
    var durable: [Lease] {
        all.map { lease in
            var lease = lease
            lease.graceEnd = nil
            return lease
        }
    }

    package var isEmpty: Bool { leases.isEmpty }

    package var count: Int { leases.count }

    /// The highest brightness asked for; `nil` without leases.
    package private(set) var brightness: Brightness?

    /// When the next lease ends.
    package private(set) var nextEnd: ContinuousClock.Instant?

    /// When the last lease ends at the latest; `nil` when one of them has no time limit.
    package private(set) var lastEnd: Moment?

    /// Grants a lease under `id`, or renews the holder's own with everything the request says.
    ///
    /// - Parameter isPresent: Whether the holder has a stream open. Only `visible` leases ask for that.
    package mutating func grant(
        _ request: BoostRequest,
        as id: LeaseID,
        isPresent: Bool = false,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        defer { sumUp() }
        let end = request.ttl.map { now + $0 }
        let graceEnd = request.lifespan == .visible && !isPresent ? now + Self.grace : nil
        if let held = holders[request.holder], var lease = leases[held] {
            lease.brightness = request.brightness
            lease.reason = request.reason
            lease.lifespan = request.lifespan
            lease.end = end
            lease.graceEnd = graceEnd
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
            lifespan: request.lifespan,
            end: end,
            graceEnd: graceEnd
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

    /// Ends the leases whose time, or whose holder's grace, is over.
    package mutating func expire(at now: ContinuousClock.Instant) -> [LeaseEvent] {
        guard let nextEnd, nextEnd <= now else { return [] }
        let over = all.filter { $0.nextEnd.map { $0 <= now } ?? false }
        end(over)
        return over.map { lease in
            LeaseEvent(lease, lease.end.map { $0.instant <= now } ?? false ? .expired : .disconnected)
        }
    }

    /// A holder's first stream was opened.
    package mutating func holderConnected(_ holder: String) { setGraceEnd(nil, of: holder) }

    /// A holder's last stream was closed.
    package mutating func holderGone(_ holder: String, at now: Moment) { setGraceEnd(now + Self.grace, of: holder) }

    private mutating func setGraceEnd(_ end: Moment?, of holder: String) {
        guard let id = holders[holder], leases[id]?.lifespan == .visible else { return }
        leases[id]?.graceEnd = end
        sumUp()
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
        nextEnd = leases.values.lazy.compactMap(\.nextEnd).min()
        let ends = leases.values.map(\.end)
        lastEnd = ends.contains { $0 == nil } ? nil : ends.compactMap { $0 }.max { $0.instant < $1.instant }
    }
}
