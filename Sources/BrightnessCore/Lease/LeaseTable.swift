// SPDX-License-Identifier: Apache-2.0

package enum LeaseError: Error, Equatable {
    /// The lease was never granted, or it ended too long ago to be remembered.
    case unknown
    /// The lease was released or has expired.
    case ended
    /// The display already has `LeaseTable.clientLimit` leases of clients.
    case tooMany
    /// The display already has `LeaseTable.principalLimit` leases of this principal.
    case tooManyOfPrincipal
    /// The lease belongs to another principal.
    case foreign
    /// The lease's kind allows no time limit longer than this.
    case tooLong(longest: Duration)
    /// The daemon itself holds the lease. It can be released, but not changed.
    case ofDaemon
    case withoutBrightness(LeaseKind)
    /// A `visible` lease lasts while its holder has an open stream, and this one has no holder.
    case withoutHolder(LeaseKind)
    /// A sleep always has a time limit.
    case endlessSleep
}

/// The rules of one display's leases. Has no clock, panel or lock.
///
/// - Each principal and holder has at most one lease of each kind; a second request renews it. `nil` is a holder, too.
/// - Each principal renews and ends only its own leases. Clients with the scope `admin` and the daemon end every lease.
/// - A preset ends the leases of earlier presets, also those of other principals.
/// - A `visible` lease ends when its holder has been disconnected for `grace`.
/// - A lease is over at the instant `end`. The table has no clock: callers call `expire` before any other change.
package struct LeaseTable: Sendable {
    /// The maximum number of leases per display.
    package static let limit = 1_024

    /// The maximum number of clients' leases per display: the others are reserved for the daemon's own holders.
    package static let clientLimit = limit - limit / 8

    /// The maximum number of leases of one principal per display, so that none takes the places of the others.
    package static let principalLimit = limit / 8

    /// How long a holder may be disconnected, for a reconnect.
    package static let grace: Duration = .seconds(10)

    private let display: DisplayID
    /// The leases in force, in the order in which they were granted, independent of the wall clock. Searched linearly:
    /// a display has few, and every change publishes all of them.
    package private(set) var all: [Lease] = []
    private var ended = EndedLeases()
    /// The number of changes of any lease's `isOverridden`.
    private(set) var overrides = 0
    /// When a person last overrode leases, or ended one of the daemon's; also without leases.
    private(set) var decidedAt: [LeaseKind.Subject: Instant] = [:]
    /// The `version` of the last update of grace periods; `nil` without one.
    private var comparedVersion: Int?

    /// The leases of each kind. This and the next three are summed up from `all` at each change.
    private(set) var totals = LeaseTotals()
    /// The combined requests of the leases that are not overridden.
    private(set) var effect = LeaseEffect()
    private(set) var nextEnd: Instant?
    /// Whether a lease depends on its holder's streams.
    private(set) var hasVisible = false

    package init(display: DisplayID) { self.display = display }

    /// Restores the unexpired leases of an earlier run. Their holders have `grace` to reconnect.
    package init(display: DisplayID, goingOnWith earlier: [Lease], at now: Moment) {
        self.init(display: display)
        all = earlier.filter { lease in lease.end.map { $0.instant > now.instant } ?? true }
        for index in all.indices { all[index].graceEnd = all[index].lifespan == .visible ? now + Self.grace : nil }
        sumUp()
    }

    /// The leases of another daemon's display, as it reports them.
    init(display: DisplayID, mirroring leases: [Lease]) {
        self.init(display: display)
        all = leases
        sumUp()
    }

    package var isEmpty: Bool { all.isEmpty }

    /// The leases as they are persisted: without what depends on connections.
    var persisted: [Lease] {
        guard hasVisible else { return all }
        return all.map { lease in
            var lease = lease
            lease.graceEnd = nil
            return lease
        }
    }

    /// Grants a lease with `id`, or replaces every attribute of the holder's existing lease.
    ///
    /// - Parameters:
    ///   - principal: The lease's owner.
    ///   - connectivity: Whether the holder has an open stream. Matters only for `visible` leases.
    mutating func grant(
        _ request: LeaseRequest,
        by principal: Principal,
        as id: LeaseID,
        connectivity: HolderConnectivity = .unknown,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        defer { sumUp() }
        let end = request.ttl.map { now + $0 }
        let graceEnd = request.lifespan == .visible ? Self.graceEnd(after: connectivity, at: now) : nil
        if let index = index(of: request.kind, request.holder, principal) {
            all[index].brightness = request.level?.brightness
            all[index].reason = request.reason
            all[index].lifespan = request.lifespan
            all[index].end = end
            all[index].graceEnd = graceEnd
            return LeaseEvent(all[index], .renewed)
        }
        try checkLimits(of: principal)
        let lease = Lease(
            id: id,
            kind: request.kind,
            display: display,
            holder: request.holder,
            principal: principal,
            grantedAt: now.wall,
            brightness: request.level?.brightness,
            reason: request.reason,
            lifespan: request.lifespan,
            end: end,
            graceEnd: graceEnd
        )
        all.append(lease)
        return LeaseEvent(lease, .granted)
    }

    func holds(_ kind: LeaseKind, by holder: String?, of principal: Principal) -> Bool {
        index(of: kind, holder, principal) != nil
    }

    private func checkLimits(of principal: Principal) throws(LeaseError) {
        guard principal != .daemon else {
            if all.count >= Self.limit { throw .tooMany }
            return
        }
        var (own, ofClients) = (0, 0)
        for lease in all where lease.principal != .daemon {
            ofClients += 1
            if lease.principal == principal { own += 1 }
        }
        if own >= Self.principalLimit { throw .tooManyOfPrincipal }
        if ofClients >= Self.clientLimit { throw .tooMany }
    }

    /// Changes a lease.
    ///
    /// - Parameters:
    ///   - requester: `nil` for the daemon itself.
    ///   - connectivity: Returns the connectivity of a holder. Matters only if the lease becomes `visible`.
    mutating func renew(
        _ id: LeaseID,
        with change: LeaseRenewal,
        by requester: Requester? = nil,
        connectivity: (String, Principal) -> HolderConnectivity = { _, _ in .unknown },
        at now: Moment
    ) throws(LeaseError) -> Lease {
        let index = try index(of: id, for: requester)
        var lease = all[index]
        try change.check(for: lease)
        lease.brightness = change.level?.brightness ?? lease.brightness
        lease.reason = change.reason ?? lease.reason
        if let ttl = change.ttl ?? change.lifespan?.defaultTTL {
            lease.end = now + ttl
        } else if change.lifespan != nil {
            lease.end = nil
        }
        if let lifespan = change.lifespan {
            lease.lifespan = lifespan
            let holder = lease.holder.map { connectivity($0, lease.principal) } ?? .unknown
            lease.graceEnd = lifespan == .visible ? Self.graceEnd(after: holder, at: now) : nil
        }
        all[index] = lease
        sumUp()
        return lease
    }

    /// Ends a lease before its time.
    ///
    /// - Parameter requester: `nil` for the daemon itself.
    mutating func release(_ id: LeaseID, by requester: Requester? = nil) throws(LeaseError) -> Lease {
        defer { sumUp() }
        return remove(try index(of: id, for: requester))
    }

    /// Releases the leases of this holder of the principal, and those of a preset that it has applied.
    ///
    /// - Parameter kind: `nil` for every kind.
    mutating func release(heldBy holder: String?, of principal: Principal, kind: LeaseKind? = nil) -> [Lease] {
        if all.isEmpty { return [] }
        let preset = PresetHolder.name(for: holder)
        return release { lease in
            let isMeant = lease.holder == holder || (preset != nil && lease.holder == preset)
            return isMeant && lease.principal == principal && lease.kind == kind ?? lease.kind
        }
    }

    /// Releases the leases of all principals.
    ///
    /// - Parameter kind: `nil` for every kind.
    mutating func releaseAll(kind: LeaseKind? = nil, keepsOverridden: Bool = false) -> [Lease] {
        release { $0.kind == kind ?? $0.kind && !(keepsOverridden && $0.isOverridden) }
    }

    mutating func release(where isMeant: (Lease) -> Bool) -> [Lease] {
        let indices = all.indices.filter { isMeant(all[$0]) }
        guard !indices.isEmpty else { return [] }
        let released = indices.map { all[$0] }
        for index in indices.reversed() { remove(index) }
        sumUp()
        return released
    }

    /// Ends the leases whose time or whose holder's grace period is over.
    mutating func expire(at now: Instant) -> [LeaseEvent] {
        guard let nextEnd, nextEnd <= now else { return [] }
        defer { sumUp() }
        var events: [LeaseEvent] = []
        for index in all.indices.reversed() {
            let isOver = all[index].end.map { $0.instant <= now } ?? false
            guard isOver || all[index].graceEnd.map({ $0.instant <= now }) ?? false else { continue }
            events.append(LeaseEvent(remove(index), isOver ? .expired : .disconnected))
        }
        return events.reversed()
    }

    /// Begins and ends grace periods by the holders' streams. A grace period that was over when the holder came back is
    /// not ended: its lease is over.
    ///
    /// - Parameters:
    ///   - version: The number of changes of streams so far, read before. Without a change nothing is updated.
    ///   - now: The time of the update, which may be later than the changes.
    /// - Returns: The leases whose `graceEnd` changed.
    mutating func updateGracePeriods(
        by connectivity: (String, Principal) -> HolderConnectivity,
        version: Int,
        at now: Moment
    ) -> [Lease] {
        guard hasVisible, version != comparedVersion else { return [] }
        comparedVersion = version
        var changed: [Lease] = []
        for index in all.indices where all[index].lifespan == .visible {
            let (lease, old) = (all[index], all[index].graceEnd)
            let new =
                switch lease.holder.map({ connectivity($0, lease.principal) }) ?? .unknown {
                // The holder came back in time, unless the period was over by then.
                case .connected(let since): old.flatMap { $0.instant <= since.instant ? $0 : nil }
                // A lease that was requested afterwards has a later end already.
                case .gone(let since): (since + Self.grace).later(than: old)
                case .unknown: old ?? now + Self.grace
                }
            guard new != old else { continue }
            all[index].graceEnd = new
            changed.append(all[index])
        }
        if !changed.isEmpty { sumUp() }
        return changed
    }

    /// The `graceEnd` of a `visible` lease that is requested at `now`, possibly before its holder came or went.
    private static func graceEnd(after connectivity: HolderConnectivity, at now: Moment) -> Moment? {
        switch connectivity {
        case .connected: nil
        case .gone(let since): now.later(than: since) + grace
        case .unknown: now + grace
        }
    }

    // MARK: People

    /// Notes that a person has ended a lease of the daemon.
    mutating func noteDecision(about subject: LeaseKind.Subject, at now: Moment) { decidedAt[subject] = now.instant }

    /// Overrides the leases of these kinds that are in force. Leases that are granted later have an effect.
    ///
    /// - Returns: The leases that were not overridden before.
    mutating func overrideAll(about subject: LeaseKind.Subject, at now: Moment) -> Set<LeaseID> {
        noteDecision(about: subject, at: now)
        let indices = all.indices.filter { all[$0].kind.subject == subject && !all[$0].isOverridden }
        setOverridden(true, at: indices)
        return Set(indices.map { all[$0].id })
    }

    /// Undoes an `overrideAll` about the brightness, because the change was not a person's.
    mutating func reinstate(_ ids: Set<LeaseID>) {
        decidedAt[.brightness] = nil
        setOverridden(false, at: all.indices.filter { ids.contains(all[$0].id) })
    }

    private mutating func setOverridden(_ isOverridden: Bool, at indices: [Int]) {
        guard !indices.isEmpty else { return }
        for index in indices { all[index].isOverridden = isOverridden }
        overrides += 1
        sumUp()
    }

    /// The leases whose `isOverridden` differs from the published ones.
    func overridden(since published: LeaseTable) -> [Lease] {
        guard overrides != published.overrides else { return [] }
        let known = Set(published.all.lazy.filter(\.isOverridden).map(\.id))
        return all.filter { $0.isOverridden != known.contains($0.id) }
    }

    /// Corrects wall-clock ends after the wall clock was set. Returns the leases that changed.
    mutating func correctWallTimes(at now: Moment) -> [Lease] {
        var corrected: [Lease] = []
        for index in all.indices {
            let (end, graceEnd) = (all[index].end?.corrected(at: now), all[index].graceEnd?.corrected(at: now))
            guard end != all[index].end || graceEnd != all[index].graceEnd else { continue }
            (all[index].end, all[index].graceEnd) = (end, graceEnd)
            corrected.append(all[index])
        }
        sumUp()
        return corrected
    }

    /// Returns a lease that the requester may use.
    ///
    /// - Parameter requester: `nil` for the daemon itself.
    /// - Throws: `.foreign` if the lease belongs to another principal.
    package func lease(_ id: LeaseID, for requester: Requester? = nil) throws(LeaseError) -> Lease {
        all[try index(of: id, for: requester)]
    }

    private func index(of id: LeaseID, for requester: Requester?) throws(LeaseError) -> Int {
        guard let index = all.indices.first(where: { all[$0].id == id }) else {
            throw ended.contains(id) ? .ended : .unknown
        }
        guard requester?.mayUse(all[index]) ?? true else { throw .foreign }
        return index
    }

    private func index(of kind: LeaseKind, _ holder: String?, _ principal: Principal) -> Int? {
        all.indices.first { all[$0].kind == kind && all[$0].holder == holder && all[$0].principal == principal }
    }

    /// Removes a lease. The caller sums up.
    @discardableResult
    private mutating func remove(_ index: Int) -> Lease {
        let lease = all.remove(at: index)
        ended.add(lease.id)
        return lease
    }

    /// Remembers the ended leases of the replaced table, and its leases that are missing here.
    mutating func inheritEnds(of earlier: LeaseTable) {
        ended = earlier.ended
        let ids = Set(all.map(\.id))
        for lease in earlier.all where !ids.contains(lease.id) { ended.add(lease.id) }
    }

    /// Computes the totals once per change, so that reading them is cheap.
    private mutating func sumUp() {
        totals = LeaseTotals()
        (nextEnd, hasVisible) = (nil, false)
        for lease in all {
            totals.add(lease)
            if lease.lifespan == .visible { hasVisible = true }
            if let end = lease.nextEnd?.instant { nextEnd = min(nextEnd ?? end, end) }
        }
        effect = totals.effect
    }
}

extension Moment {
    fileprivate func later(than other: Moment?) -> Moment {
        guard let other else { return self }
        return other.instant > instant ? other : self
    }
}
