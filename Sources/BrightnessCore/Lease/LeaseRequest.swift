// SPDX-License-Identifier: Apache-2.0

package struct LeaseRequest: Hashable, Sendable {
    package static let defaultTTL: Duration = .seconds(300)

    package let kind: LeaseKind
    /// `nil` for kinds without a brightness. The display's model converts steps.
    package var level: BrightnessLevel?
    package var lifespan: LeaseLifespan
    /// The time limit; `nil` for none. A `custom` request always has one.
    package var ttl: Duration?
    package var holder: String?
    package var reason: String?

    /// - Parameter level: Default: the kind's default. Ignored for kinds without a brightness.
    package init(
        _ kind: LeaseKind = .boost,
        at level: BrightnessLevel? = nil,
        lifespan: LeaseLifespan = .custom,
        ttl: Duration? = nil,
        holder: String? = nil,
        reason: String? = nil
    ) {
        self.kind = kind
        self.level = kind.defaultBrightness.map { level ?? .fraction($0) }
        self.lifespan = lifespan
        self.ttl = ttl ?? lifespan.defaultTTL
        self.holder = holder
        self.reason = reason
    }
}

/// A client's change of a lease, which keeps its kind and its holder. What is `nil` stays as it is.
package struct LeaseRenewal: Hashable, Sendable {
    /// The display's model converts steps.
    package var level: BrightnessLevel?
    /// The new lifespan. It sets the time limit, too: without a `ttl` the lease has the one of a new lease.
    package var lifespan: LeaseLifespan?
    /// The time limit from now on.
    package var ttl: Duration?
    package var reason: String?

    package init(
        at level: BrightnessLevel? = nil,
        lifespan: LeaseLifespan? = nil,
        ttl: Duration? = nil,
        reason: String? = nil
    ) {
        self.level = level
        self.lifespan = lifespan
        self.ttl = ttl
        self.reason = reason
    }

    /// - Throws: An error if a lease of this kind and holder cannot be changed so. What the daemon itself holds follows
    ///   from its options and the time alone.
    func check(for lease: Lease) throws(LeaseError) {
        let kind = lease.kind
        if let holder = lease.holder, ReservedHolder.includes(holder) { throw .ofDaemon }
        if level != nil, kind.defaultBrightness == nil { throw .withoutBrightness(kind) }
        if let ttl, ttl > kind.longestTTL { throw .tooLong(longest: kind.longestTTL) }
        if lifespan == .visible, lease.holder == nil { throw .withoutHolder(kind) }
        let isEndless = lifespan == .lifetime || (lifespan == .visible && ttl == nil)
        if kind == .sleep, isEndless { throw .endlessSleep }
    }
}
