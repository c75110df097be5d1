// SPDX-License-Identifier: Apache-2.0

/// When the subscriptions of a `SubscriptionGroup` run. Not to be confused with the `LeaseLifespan` of a lease.
package enum SubscriptionLifespan: Hashable, Sendable {
    /// From the group's `init` to its `end`.
    case lifetime
    /// While at least one viewer is present.
    case visible
    /// Between the group's `start` and `stop`.
    case custom
}
