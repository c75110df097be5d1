// SPDX-License-Identifier: Apache-2.0

/// When a part listens.
package enum Lifespan: Hashable, Sendable {
    /// As long as the owner of the group lives.
    case lifetime
    /// Only while somebody is looking: at least one stream is open.
    case visible
    /// When the owner says.
    case custom
}
