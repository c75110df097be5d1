// SPDX-License-Identifier: Apache-2.0

/// The part of a group's life in which a subscription runs.
package enum SubscriptionLifespan: Hashable, Sendable {
    /// While the group exists.
    case lifetime
    /// While at least one viewer is present.
    case visible
    /// Between the group's `start` and `stop`.
    case custom
}
