// SPDX-License-Identifier: Apache-2.0

/// Compares what holders want with what displays were asked for. Has no clock, display or lock.
///
/// - A wish is carried out once in its episode. A display that is unplugged and plugged in is not a new episode.
/// - A later end only renews a lease that was granted in the episode: a person may have ended it. One that is over by
///   itself, on a display that was unplugged or refused to renew it, is granted again.
/// - Nothing is carried out again in an episode if a person has decided otherwise since the first time.
/// - A suspended wish has no lease, and is granted afterwards unless a person has ended or overridden its lease.
/// - Of several baselines of a display only the one whose episode began last is set. The others wait until it is over.
/// - Grants come before ends, so that a handover from one lease to another shows nothing in between.
/// - A refused wish is carried out again at its next try, or, if its display is not available, once that is. An end is
///   never refused.
struct HolderTable: Sendable {
    /// A part of a display that a holder can have: one lease of each kind, and a baseline (`nil`).
    fileprivate struct Slot: Hashable {
        let holder: String
        let display: DisplayID
        let kind: LeaseKind?
    }

    enum Action: Hashable, Sendable {
        /// - Parameter isNewEpisode: Whether the lease continues from an earlier episode, in which a person may have
        ///   overridden it; `nil` if that is not known, as after a start.
        case grant(Wish, isNewEpisode: Bool?)
        /// A grant in the same episode, after a refusal or the end of the lease by itself.
        ///
        /// - Parameter since: When it was granted first: what a person has decided after that stays.
        case regrant(Wish, since: Instant)
        /// A new end. It changes nothing if a person has ended the lease.
        case renew(Wish)
        /// - Parameter since: When it was carried out first: what a person has chosen after that stays.
        case set(Wish, since: Instant)
        case end(Wish)
    }

    fileprivate struct Entry {
        var wish: Wish
        /// When it was carried out first; `nil` if that is to be now, since its rules were changed.
        var since: Instant?
        /// When to carry it out again: the display refused it, or a later baseline comes first.
        var retry: Instant?
        /// Whether it is carried out again once its display is available.
        var waitsForDisplay = false
        var wasRefused = false
        /// The wish as the display has last accepted it: only the end of the lease may differ.
        var accepted: Wish?
        /// Whether the end of its lease was requested because the wish is suspended: nothing is granted before the
        /// answer, which removes the entry or leaves it until the next episode.
        var wasSuspended = false
    }

    /// The retry of a baseline while a later one is set: it is due in each `update`, and wakes nobody.
    private static let atOnce = Instant(sinceBoot: .zero)

    /// The order in which leases begin; they end in the reverse order. A kind that prevails over others begins first
    /// and ends last, so that a handover shows nothing in between.
    private static let order: [LeaseKind?] =
        [LeaseKind.Demand.on, .off, .atMost, .atLeast].flatMap { demand in
            LeaseKind.allCases.filter { $0.demand == demand }
        } + [nil]

    private var entries: [Slot: Entry] = [:]
    /// Whether `update` would do something with the same wishes and displays.
    private var isOutdated = true
    /// When the next refused wish is carried out again. One that is due already waits for its display to be plugged in.
    private(set) var nextRetry: Instant?

    /// Whether `update` may do something with the wishes and displays of the last one.
    func isOutdated(at now: Instant) -> Bool { isOutdated || nextRetry.map { $0 <= now } ?? false }

    /// Returns what has to be done now, in order, and notes it as done.
    ///
    /// - Parameters:
    ///   - wishes: All wishes of all holders.
    ///   - displays: The displays of this machine. An unplugged one gets its leases when it is back, and loses them in
    ///     time.
    mutating func update(_ wishes: [Wish], on displays: [Situation.Display], at now: Instant) -> [Action] {
        defer {
            isOutdated = false
            nextRetry = entries.values.compactMap(\.retry).filter { $0 > now }.min()
        }
        let (known, present) = (Set(displays.map(\.id)), Set(displays.filter(\.isPresent).map(\.id)))
        let available = Set(displays.filter { $0.isPresent && $0.isAvailable }.map(\.id))
        let wishes = wishes.filter { known.contains($0.display) }.sorted { $0.precedes($1) }
        // The last one in that order: the latest episode.
        let decisive = Dictionary(wishes.filter { $0.kind == nil }.map { ($0.display, $0) }) { $1 }
        var actions: [Action] = []
        for wish in wishes where present.contains(wish.display) && !wish.isSuspended {
            let entry = entries[Slot(wish)]
            // When this wish was carried out first, perhaps with another end of its lease; `nil` for a new one.
            let first = entry?.wish.isSame(as: wish) == true ? entry?.since : nil
            let isDone = first != nil && entry?.wish == wish
            let isBack = entry?.waitsForDisplay == true && available.contains(wish.display)
            let isRetryDue = entry?.retry.map { $0 <= now } ?? false
            guard !isDone || isBack || isRetryDue else { continue }
            let since = first ?? wish.since ?? now
            let accepted = first == nil ? nil : entry?.accepted
            let wasRefused = isDone && entry?.wasRefused == true
            entries[Slot(wish)] = Entry(wish: wish, since: since, wasRefused: wasRefused, accepted: accepted)
            if let end = accepted?.leaseEnd, end > now {
                actions.append(.renew(wish))
            } else if wish.kind != nil, first != nil {
                actions.append(.regrant(wish, since: since))
            } else if wish.kind != nil {
                actions.append(.grant(wish, isNewEpisode: entry.map { $0.wish.episode != wish.episode }))
            } else if decisive[wish.display] != wish {
                entries[Slot(wish)]?.retry = Self.atOnce
            } else if wish.setsBaseline {
                actions.append(.set(wish, since: since))
            }
        }
        // The entry of a suspended wish stays until the next episode: its lease may be granted again.
        let wanted = Set(wishes.filter { !$0.isSuspended || isOfEpisode($0) }.map(Slot.init))
        let unwanted = entries.filter { !wanted.contains($0.key) }
        for slot in unwanted.keys { entries[slot] = nil }
        // The end of the lease of a wish that was suspended before has been requested then.
        let finished = unwanted.values.filter { !$0.wasSuspended }.map(\.wish) + suspend(wishes.filter(\.isSuspended))
        let ended = finished.filter { $0.kind != nil && known.contains($0.display) && !$0.isOver(at: now) }
        return actions.sorted { Self.rank(of: $0) < Self.rank(of: $1) }
            + ended.sorted { $0.precedes($1) }.map { .end($0) }.sorted { Self.rank(of: $0) > Self.rank(of: $1) }
    }

    private func isOfEpisode(_ wish: Wish) -> Bool { entries[Slot(wish)]?.wish.episode == wish.episode }

    /// Notes which wishes are suspended. Returns those whose leases have to end now.
    private mutating func suspend(_ wishes: [Wish]) -> [Wish] {
        wishes.compactMap { wish in
            guard let entry = entries[Slot(wish)], !entry.wasSuspended else { return nil }
            entries[Slot(wish)]?.wasSuspended = true
            return entry.wish
        }
    }

    /// Notes that a display has ended the lease of a wish.
    ///
    /// - Parameter hadEffect: Whether the lease existed and was not overridden.
    /// - Returns: Whether the wish was suspended and is granted again once it is not.
    mutating func ended(_ wish: Wish, hadEffect: Bool) -> Bool {
        guard let entry = entries[Slot(wish)], entry.wasSuspended, entry.wish == wish,
            hadEffect || entry.accepted == nil
        else { return false }
        entries[Slot(wish)] = nil
        isOutdated = true
        return true
    }

    /// Notes that a display has carried out a wish.
    mutating func accepted(_ wish: Wish) {
        if entries[Slot(wish)]?.wish.isSame(as: wish) == true { entries[Slot(wish)]?.accepted = wish }
    }

    /// Notes that a display has refused a wish, which is carried out again if it is still wanted.
    ///
    /// - Parameter retry: When to do that; `nil` for once the display is available.
    /// - Returns: Whether the wish was refused for the first time.
    @discardableResult
    mutating func refused(_ wish: Wish, until retry: Instant?) -> Bool {
        guard let entry = entries[Slot(wish)], entry.wish == wish else { return false }
        var refused = entry
        (refused.retry, refused.waitsForDisplay, refused.wasRefused) = (retry, retry == nil, true)
        entries[Slot(wish)] = refused
        isOutdated = isOutdated || retry == nil
        if let retry { nextRetry = min(nextRetry ?? retry, retry) }
        return !entry.wasRefused
    }

    /// Carries out the wishes of a holder again at the next `update`: a person has changed its rules.
    mutating func redo(_ holder: String) {
        for slot in entries.keys where slot.holder == holder { entries[slot]?.since = nil }
        isOutdated = true
    }

    /// Whether a holder has, or was refused, a lease of this kind.
    func holds(_ kind: LeaseKind, on display: DisplayID, for holder: String) -> Bool {
        entries[Slot(holder: holder, display: display, kind: kind)]?.wasSuspended == false
    }

    private static func rank(of action: Action) -> Int {
        let kind: LeaseKind? =
            switch action {
            case .grant(let wish, _), .regrant(let wish, _), .renew(let wish), .set(let wish, _), .end(let wish):
                wish.kind
            }
        return order.firstIndex(of: kind) ?? order.count
    }
}

extension HolderTable.Slot {
    fileprivate init(_ wish: Wish) { self.init(holder: wish.holder, display: wish.display, kind: wish.kind) }
}

extension Wish {
    /// Whether it began before another one. Wishes of one episode have the order of their holders' names.
    fileprivate func precedes(_ other: Wish) -> Bool {
        let (began, otherBegan) = (episode.milliseconds, other.episode.milliseconds)
        if began != otherBegan { return began < otherBegan }
        return holder == other.holder ? display.text < other.display.text : ResourceName.isBefore(holder, other.holder)
    }
}
