// SPDX-License-Identifier: Apache-2.0

/// Names a lease. Whoever knows it may renew and release, so it is drawn at random and not counted.
package struct LeaseID: Hashable, Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }

    /// 128 random bits as 32 hexadecimal digits.
    package static func random() -> LeaseID {
        let digits = String(UInt128.random(in: .min ... .max), radix: 16)
        return LeaseID(String(repeating: "0", count: 32 - digits.utf8.count) + digits)
    }
}

/// The time-limited right to have a display at least this bright.
package struct Lease: Hashable, Sendable {
    package let id: LeaseID
    package let display: DisplayID
    /// Who holds it; `nil` is the anonymous holder.
    package let holder: String?
    package let grantedAt: Timestamp
    /// What was asked for; the panel may show less (`cap`) or more (a higher baseline or lease).
    package internal(set) var brightness: Brightness
    package internal(set) var reason: String?
    /// What it is bound to beside its time limit.
    package internal(set) var lifespan: Lifespan
    /// When it ends unless renewed; `nil` without a time limit.
    package internal(set) var end: Moment?
    /// When it ends unless its holder comes back; `nil` while the holder is there, or need not be.
    package internal(set) var graceEnd: Moment?

    /// As it was written down by an earlier run.
    package init(
        id: LeaseID,
        display: DisplayID,
        holder: String?,
        grantedAt: Timestamp,
        brightness: Brightness,
        reason: String?,
        lifespan: Lifespan,
        end: Moment?,
        graceEnd: Moment? = nil
    ) {
        self.id = id
        self.display = display
        self.holder = holder
        self.grantedAt = grantedAt
        self.brightness = brightness
        self.reason = reason
        self.lifespan = lifespan
        self.end = end
        self.graceEnd = graceEnd
    }

    /// Whichever of the two comes first.
    var nextEnd: ContinuousClock.Instant? { [end, graceEnd].compactMap { $0?.instant }.min() }
}

/// What happened to a lease.
package enum LeaseChange: String, Hashable, Sendable {
    case granted, renewed, released, expired
    /// Its holder was gone for longer than the grace.
    case disconnected

    /// Whether the lease is over.
    package var isEnd: Bool {
        switch self {
        case .granted, .renewed: false
        case .released, .expired, .disconnected: true
        }
    }
}

/// A lease and what happened to it.
package struct LeaseEvent: Hashable, Sendable {
    package let lease: Lease
    package let change: LeaseChange

    package init(_ lease: Lease, _ change: LeaseChange) {
        self.lease = lease
        self.change = change
    }
}
