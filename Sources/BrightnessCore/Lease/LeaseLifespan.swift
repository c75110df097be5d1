// SPDX-License-Identifier: Apache-2.0

/// The event that ends a lease. A release or the lease's time limit can end it earlier.
package enum LeaseLifespan: String, Hashable, Sendable, CaseIterable {
    /// The daemon stops: the lease lasts for the daemon's lifetime.
    case lifetime
    /// The holder has had no open stream for longer than `LeaseTable.grace`.
    case visible
    /// The lease reaches its time limit.
    case custom

    /// The time limit of a lease whose request names none; `nil` for none.
    var defaultTTL: Duration? { self == .custom ? LeaseRequest.defaultTTL : nil }
}
