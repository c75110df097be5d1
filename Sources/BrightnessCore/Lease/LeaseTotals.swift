// SPDX-License-Identifier: Apache-2.0

/// The leases of one kind that count: those that are not overridden; all of them once all are overridden.
struct LeaseTotal: Hashable, Sendable {
    /// The highest brightness of boosts, the lowest of dims.
    private(set) var brightness: Brightness?
    private(set) var count = 0
    /// The latest end, be it of the time limit or of the grace period; `nil` when nothing ends a lease.
    private(set) var lastEnd: Moment?
    /// Whether a person has overridden all leases of the kind: they have no effect.
    private(set) var isOverridden = false
    private var hasEndless = false

    mutating func add(_ lease: Lease) {
        if count > 0, lease.isOverridden != isOverridden {
            if lease.isOverridden { return }
            self = LeaseTotal()
        }
        isOverridden = lease.isOverridden
        count += 1
        brightness = lease.kind.combined(brightness, lease.brightness)
        guard let end = lease.nextEnd, !hasEndless else {
            (lastEnd, hasEndless) = (nil, true)
            return
        }
        if lastEnd.map({ $0.instant < end.instant }) ?? true { lastEnd = end }
    }
}

/// The total of each kind of lease; `nil` for a kind without leases.
struct LeaseTotals: Hashable, Sendable {
    private(set) var byKind: ByLeaseKind<LeaseTotal> = [:]

    mutating func add(_ lease: Lease) {
        var total = byKind[lease.kind] ?? LeaseTotal()
        total.add(lease)
        byKind[lease.kind] = total
    }

    /// The combined requests.
    var effect: LeaseEffect {
        var effect = LeaseEffect()
        for kind in LeaseKind.allCases {
            guard let total = byKind[kind], !total.isOverridden else { continue }
            switch kind.demand {
            case .atLeast: effect.boost = kind.combined(effect.boost, total.brightness)
            case .atMost: effect.dim = kind.combined(effect.dim, total.brightness)
            case .on: effect.wakes = true
            case .off: effect.sleeps = true
            }
        }
        return effect
    }
}
