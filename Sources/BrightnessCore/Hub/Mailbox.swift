// SPDX-License-Identifier: Apache-2.0
internal import Conflation

/// What a listener has yet to read: the newest notification of each key, in the order they were posted, then the
/// transient ones.
///
/// - A key that is posted again moves to the end: so what is read in one drain has growing revisions, and a display's
///   state comes after the lease events it sums up.
/// - Memory is bounded by the number of retained keys plus `limit` passing and `limit` transient notifications. Beyond
///   that the older half of those is forgotten, and counted.
package struct Mailbox: Sendable {
    /// All leases of four displays may end at once.
    package static let limit = 4 * LeaseTable.limit

    private var newest = ConflatingQueue<Notification.Key, Notification>()
    private var passing = 0
    private var transient: [Notification] = []

    /// How many passing or transient notifications were forgotten since the last drain.
    package private(set) var forgotten = 0

    package init() {}

    package var isEmpty: Bool { newest.isEmpty && transient.isEmpty }

    package mutating func put(_ notification: Notification) {
        guard let key = notification.key else {
            transient.append(notification)
            forgetOldestTransient()
            return
        }
        let old = newest.append(notification, for: key)
        if old?.retention == .passing { passing -= 1 }
        if notification.retention == .passing { passing += 1 }
        forgetOldestPassing()
    }

    /// Everything that waits; the mailbox is empty afterwards.
    package mutating func drain() -> [Notification] {
        defer { self = Mailbox() }
        return newest.values + transient
    }

    private mutating func forgetOldestPassing() {
        guard passing > Self.limit else { return }
        let excess = passing - Self.limit / 2
        newest.removeOldest(excess) { $0.retention == .passing }
        passing -= excess
        forgotten += excess
    }

    private mutating func forgetOldestTransient() {
        guard transient.count > Self.limit else { return }
        let excess = transient.count - Self.limit / 2
        transient.removeFirst(excess)
        forgotten += excess
    }
}
