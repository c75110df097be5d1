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
    /// - Parameter isPresent: Whether the holder has a stream open. Only `visible` leases ask for that.
    package mutating func grant(
        _ request: BoostRequest,
        as id: LeaseID,
        isPresent: Bool = false,
        at now: Moment
    ) throws(LeaseError) -> LeaseEvent {
        defer { sumUp() }
        let end = request.ttl.map { now + $0 }
        let graceEnd = request.lifespan == .visible && !isPresent ? now.instant + Self.grace : nil
        if let place = place(of: request.holder) {
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
    package mutating func renew(_ id: LeaseID, ttl: Duration, at now: Moment) throws(LeaseError) -> Lease {
        let place = try place(of: id)
        all[place].end = now + ttl
        sumUp()
        return all[place]
    }

    package mutating func release(_ id: LeaseID) throws(LeaseError) -> Lease { end(try place(of: id)) }

    /// Releases what this holder holds; `nil` when that is nothing.
    package mutating func release(heldBy holder: String?) -> Lease? { place(of: holder).map { end($0) } }

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
    package mutating func holderConnected(_ holder: String) { setGraceEnd(nil, of: holder) }

    /// A holder's last stream was closed.
    package mutating func holderGone(_ holder: String, at now: Moment) {
        setGraceEnd(now.instant + Self.grace, of: holder)
    }

    private mutating func setGraceEnd(_ end: Instant?, of holder: String) {
        guard let place = place(of: holder), all[place].lifespan == .visible else { return }
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

    package func lease(_ id: LeaseID) throws(LeaseError) -> Lease { all[try place(of: id)] }

    private func place(of id: LeaseID) throws(LeaseError) -> Int {
        if let place = all.indices.first(where: { all[$0].id == id }) { return place }
        throw ended.contains(id) ? .ended : .unknown
    }

    private func place(of holder: String?) -> Int? { all.indices.first { all[$0].holder == holder } }

    private mutating func end(_ place: Int) -> Lease {
        let lease = all.remove(at: place)
        graceEnds.remove(at: place)
        if ended.count == Self.rememberedEnds { ended.removeFirst() }
        ended.append(lease.id)
        sumUp()
        return lease
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
