// SPDX-License-Identifier: Apache-2.0

/// The event that ends a lease, apart from a release.
package enum LeaseLifespan: String, Hashable, Sendable, CaseIterable {
    /// The daemon stops.
    case lifetime
    /// The holder's last stream is closed, and the grace period is over.
    case visible
    /// The lease's time is over.
    case custom
}
