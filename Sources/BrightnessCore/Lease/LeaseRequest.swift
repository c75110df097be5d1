// SPDX-License-Identifier: Apache-2.0

/// A client's request for a lease.
package struct LeaseRequest: Hashable, Sendable {
    package static let defaultTTL: Duration = .seconds(300)

    package let kind: LeaseKind
    /// `nil` for kinds without a brightness.
    package var brightness: Brightness?
    /// The requested brightness in the panel's own steps, in place of `brightness`. The display's model converts it.
    package var step: Int?
    package var lifespan: LeaseLifespan
    /// The time limit; `nil` for none. A `custom` request always has one.
    package var ttl: Duration?
    package var holder: String?
    package var reason: String?

    /// - Parameter brightness: Default: the kind's default. Ignored for kinds without a brightness.
    package init(
        _ kind: LeaseKind = .boost,
        brightness: Brightness? = nil,
        lifespan: LeaseLifespan = .custom,
        ttl: Duration? = nil,
        holder: String? = nil,
        reason: String? = nil
    ) {
        self.kind = kind
        self.brightness = kind.defaultBrightness.map { brightness ?? $0 }
        self.lifespan = lifespan
        self.ttl = ttl ?? lifespan.defaultTTL
        self.holder = holder
        self.reason = reason
    }
}
