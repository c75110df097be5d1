// SPDX-License-Identifier: Apache-2.0

/// The newest ends of leases and displays, for clients that come back and must learn what is over.
struct RecentEnds: Sendable {
    /// At least this many are kept, and fewer than twice as many.
    static let limit = 256

    /// Oldest first.
    private(set) var all: [Notification] = []
    /// All ends after this revision are here; earlier ones may be missing.
    private(set) var horizon = Revision(0)

    mutating func put(_ notification: Notification) {
        guard notification.end != nil else { return }
        all.append(notification)
        guard all.count == 2 * Self.limit else { return }
        for forgotten in all.prefix(Self.limit) { horizon = max(horizon, forgotten.end ?? horizon) }
        all.removeFirst(Self.limit)
    }
}
