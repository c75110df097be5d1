// SPDX-License-Identifier: Apache-2.0

/// How long something goes on: a part's listening, or a lease.
package enum Lifespan: String, Hashable, Sendable, CaseIterable {
    /// As long as the owner of the group lives; for a lease, until it is released or the daemon stops.
    case lifetime
    /// Only while the `Audience` is present: at least one stream is open; for a lease, one of its holder's.
    case visible
    /// When the owner says; for a lease, until it is released or its time is over.
    case custom
}
