// SPDX-License-Identifier: Apache-2.0

/// The time since when a display is unavailable.
package struct Unavailability: Hashable, Sendable {
    package let since: Timestamp
    /// Whether it began at `since` or earlier: it was noticed then, and nobody observed its beginning.
    package let isAtLatest: Bool
    /// Whether the display only waits for a client that provides it. For the health of this machine; not published.
    package let isAbandoned: Bool

    package init(since: Timestamp, isAtLatest: Bool = false, isAbandoned: Bool = false) {
        (self.since, self.isAtLatest, self.isAbandoned) = (since, isAtLatest, isAbandoned)
    }

    /// Returns the one that began first, of a display that is unavailable for two reasons.
    package static func earlier(_ one: Unavailability?, _ other: Unavailability) -> Unavailability {
        one.map { $0.since <= other.since ? $0 : other } ?? other
    }
}
