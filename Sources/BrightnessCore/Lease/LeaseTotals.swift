// SPDX-License-Identifier: Apache-2.0

/// The leases of one kind that count: those that are not overridden; all of them once all are overridden.
package struct LeaseTotal: Hashable, Sendable {
    /// The highest brightness of boosts, the lowest of dims.
    package private(set) var brightness: Brightness?
    package private(set) var count = 0
    /// The latest end, be it of the time limit or of the grace period; `nil` when nothing ends a lease.
    package private(set) var lastEnd: Moment?
    /// Whether a person has overridden all leases of the kind: they have no effect.
    package private(set) var isOverridden = false
    private var hasEndless = false

    mutating func add(_ lease: Lease) {
        if count > 0, lease.isOverridden != isOverridden {
            if lease.isOverridden { return }
            self = LeaseTotal()
        }
        isOverridden = lease.isOverridden
        count += 1
        if let new = lease.brightness {
            brightness = brightness.map { lease.kind == .dim ? min($0, new) : max($0, new) } ?? new
        }
        guard let end = lease.nextEnd, !hasEndless else {
            (lastEnd, hasEndless) = (nil, true)
            return
        }
        if lastEnd.map({ $0.instant < end.instant }) ?? true { lastEnd = end }
    }
}

/// The total of each kind of lease; `nil` for a kind without leases.
package struct LeaseTotals: Hashable, Sendable {
    /// Indexed by `place(of:)`; empty without leases, which is most of the time.
    private var byKind: [LeaseTotal?] = []

    package var boost: LeaseTotal? { self[.boost] }
    package var dim: LeaseTotal? { self[.dim] }
    package var wake: LeaseTotal? { self[.wake] }
    package var sleep: LeaseTotal? { self[.sleep] }

    private subscript(kind: LeaseKind) -> LeaseTotal? { byKind.isEmpty ? nil : byKind[Self.place(of: kind)] }

    private static func place(of kind: LeaseKind) -> Int {
        switch kind {
        case .boost: 0
        case .dim: 1
        case .wake: 2
        case .sleep: 3
        }
    }

    mutating func add(_ lease: Lease) {
        if byKind.isEmpty { byKind = [nil, nil, nil, nil] }
        let place = Self.place(of: lease.kind)
        if byKind[place] == nil { byKind[place] = LeaseTotal() }
        byKind[place]?.add(lease)
    }

    /// The combined requests.
    package var effect: LeaseEffect {
        func effective(_ total: LeaseTotal?) -> LeaseTotal? { total.flatMap { $0.isOverridden ? nil : $0 } }
        return LeaseEffect(
            boost: effective(boost)?.brightness,
            dim: effective(dim)?.brightness,
            wakes: effective(wake) != nil,
            sleeps: effective(sleep) != nil
        )
    }
}
