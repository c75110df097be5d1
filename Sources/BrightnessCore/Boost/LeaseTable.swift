// SPDX-License-Identifier: Apache-2.0

/// What somebody who asks for a boost says.
package struct BoostRequest: Hashable, Sendable {
    package static let defaultTTL: Duration = .seconds(300)
    package static let longestTTL: Duration = .seconds(3_600)

    package var brightness: Brightness
    package var lifespan: LeaseLifespan
    /// `nil` is no time limit, which `custom` does not have.
    package var ttl: Duration?
    package var holder: String?
    package var reason: String?

    package init(
        brightness: Brightness = .full,
        lifespan: LeaseLifespan = .custom,
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
    /// The display has `LeaseTable.limit` leases already.
    case tooMany
    /// It belongs to another principal.
    case foreign
}

/// The leases of one display: the rules, without a clock, a panel or a lock.
///
/// - One lease a principal and holder: the same holder of the same principal again renews. `nil` is one holder.
/// - Each principal renews and ends only its own; clients with the scope `admin` and the daemon itself end every lease.
/// - A `visible` lease ends when its holder has been away for `grace`.
/// - A lease ends at its `end`: at that instant it is over. The table has no clock: whoever applies anything else calls
///   `expire` first.
package struct LeaseTable: Sendable {
    /// How many leases a display may have at a time.
    package static let limit = 1_024

    /// How long a holder may be away, for a reconnect.
    package static let grace: Duration = .seconds(10)

    /// How many ended leases are remembered, so that late comers get "ended" and not "unknown".
    static let rememberedEnds = 256

    private let display: DisplayID
    /// The leases in force, in the order they were granted, whatever the wall clock did. Looked up one after another:
    /// a display has few, and every change hands out all of them.
    package private(set) var all: [Lease] = []
    /// Of each lease in `all`: when it ends unless its holder comes back. `nil` while the holder is there, or need not
    /// be. Who is connected is no part of a lease, and does not survive the daemon.
    private var graceEnds: [Instant?] = []
    private var ended: [LeaseID] = []

    package init(display: DisplayID) { self.display = display }

    /// The leases of an earlier run that are not over. Their holders have `grace` to come back.
    package init(display: DisplayID, goingOnWith earlier: [Lease], at now: Moment) {
        self.init(display: display)
        all = earlier.filter { lease in lease.end.map { $0.instant > now.instant } ?? true }
        graceEnds = all.map { $0.lifespan == .visible ? now.instant + Self.grace : nil }
        sumUp()
    }

    package var isEmpty: Bool { all.isEmpty }

    package var count: Int { all.count }

    /// The highest brightness asked for; `nil` without leases.
    package private(set) var brightness: Brightness?

    /// When the next lease ends.
    package private(set) var nextEnd: Instant?

    /// When the last lease ends at the latest; `nil` when one of them has no time limit.
    package private(set) var lastEnd: Moment?

    /// Grants a lease under `id`, or renews the holder's own with everything the request says.
    ///
    /// - Parameters:
    ///   - principal: Whose lease it is.
    ///   - isPresent: Whether the holder has a stream open. Only `visible` leases ask for that.
    package mutating func grant(
        _ request: BoostRequest,
        by principal: Principal,
        as id: LeaseID,
        isPresent: Bool = false,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        defer { sumUp() }
        let end = request.ttl.map { now + $0 }
        let graceEnd = request.lifespan == .visible && !isPresent ? now.instant + Self.grace : nil
        if let place = place(of: request.holder, principal) {
            all[place].brightness = request.brightness
            all[place].reason = request.reason
            all[place].lifespan = request.lifespan
            all[place].end = end
            graceEnds[place] = graceEnd
            return LeaseEvent(all[place], .renewed)
        }
        guard all.count < Self.limit else { throw .tooMany }
        let lease = Lease(
            id: id,
            display: display,
            holder: request.holder,
            principal: principal,
            grantedAt: now.wall,
            brightness: request.brightness,
            reason: request.reason,
            lifespan: request.lifespan,
            end: end
        )
        all.append(lease)
        graceEnds.append(graceEnd)
        return LeaseEvent(lease, .granted)
    }

    /// Moves a lease's end to `ttl` from now.
    ///
    /// - Parameter asker: `nil` for the daemon itself.
    package mutating func renew(
        _ id: LeaseID,
        ttl: Duration,
        by asker: Asker? = nil,
        at now: Moment
    ) throws(LeaseError) -> Lease {
        let place = try place(of: id, for: asker)
        all[place].end = now + ttl
        sumUp()
        return all[place]
    }

    /// - Parameter asker: `nil` for the daemon itself.
    package mutating func release(_ id: LeaseID, by asker: Asker? = nil) throws(LeaseError) -> Lease {
        end(try place(of: id, for: asker))
    }

    /// Releases what this holder of a principal holds; `nil` when that is nothing.
    package mutating func release(heldBy holder: String?, of principal: Principal) -> Lease? {
        place(of: holder, principal).map { end($0) }
    }

    /// Releases everybody's.
    package mutating func releaseAll() -> [Lease] {
        let released = all
        while !all.isEmpty { _ = end(all.count - 1) }
        return released
    }

    /// Ends the leases whose time, or whose holder's grace, is over.
    package mutating func expire(at now: Instant) -> [LeaseEvent] {
        guard let nextEnd, nextEnd <= now else { return [] }
        var events: [LeaseEvent] = []
        for place in all.indices.reversed() {
            let isOver = all[place].end.map { $0.instant <= now } ?? false
            guard isOver || graceEnds[place].map({ $0 <= now }) ?? false else { continue }
            events.append(LeaseEvent(end(place), isOver ? .expired : .disconnected))
        }
        return events.reversed()
    }

    /// A holder's first stream was opened.
    package mutating func holderConnected(_ holder: String, of principal: Principal) {
        setGraceEnd(nil, of: holder, principal)
    }

    /// A holder's last stream was closed.
    package mutating func holderGone(_ holder: String, of principal: Principal, at now: Moment) {
        setGraceEnd(now.instant + Self.grace, of: holder, principal)
    }

    private mutating func setGraceEnd(_ end: Instant?, of holder: String, _ principal: Principal) {
        guard let place = place(of: holder, principal), all[place].lifespan == .visible else { return }
        graceEnds[place] = end
        sumUp()
    }

    /// The wall clock was set. Returns the leases whose ends people read differently now.
    mutating func correctWallTimes(at now: Moment) -> [Lease] {
        var corrected: [Lease] = []
        for place in all.indices {
            guard let end = all[place].end?.corrected(at: now), end != all[place].end else { continue }
            all[place].end = end
            corrected.append(all[place])
        }
        sumUp()
        return corrected
    }

    /// - Parameter asker: `nil` for the daemon itself.
    /// - Throws: `.foreign` if it is not the asker's to see, renew or release.
    package func lease(_ id: LeaseID, for asker: Asker? = nil) throws(LeaseError) -> Lease {
        all[try place(of: id, for: asker)]
    }

    private func place(of id: LeaseID, for asker: Asker?) throws(LeaseError) -> Int {
        guard let place = all.indices.first(where: { all[$0].id == id }) else {
            throw ended.contains(id) ? .ended : .unknown
        }
        guard asker?.mayUse(all[place]) ?? true else { throw .foreign }
        return place
    }

    private func place(of holder: String?, _ principal: Principal) -> Int? {
        all.indices.first { all[$0].holder == holder && all[$0].principal == principal }
    }

    private mutating func end(_ place: Int) -> Lease {
        let lease = all.remove(at: place)
        graceEnds.remove(at: place)
        remember(lease.id)
        sumUp()
        return lease
    }

    private mutating func remember(_ id: LeaseID) {
        if ended.count == Self.rememberedEnds { ended.removeFirst() }
        ended.append(id)
    }

    /// Remembers the ends of a table that this one replaces: those it had, and those of leases that are not here any more.
    mutating func inheritEnds(of earlier: LeaseTable) {
        ended = earlier.ended
        let ids = Set(all.map(\.id))
        for lease in earlier.all where !ids.contains(lease.id) { remember(lease.id) }
    }

    /// Once a change, so that asking costs nothing.
    private mutating func sumUp() {
        brightness = nil
        nextEnd = nil
        lastEnd = nil
        var hasLimits = true
        for place in all.indices {
            brightness = max(brightness ?? all[place].brightness, all[place].brightness)
            if let graceEnd = graceEnds[place] { nextEnd = min(nextEnd ?? graceEnd, graceEnd) }
            guard let end = all[place].end else {
                hasLimits = false
                continue
            }
            nextEnd = min(nextEnd ?? end.instant, end.instant)
            if lastEnd.map({ $0.instant < end.instant }) ?? true { lastEnd = end }
        }
        if !hasLimits { lastEnd = nil }
    }
}
