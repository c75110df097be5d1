// SPDX-License-Identifier: Apache-2.0
internal import Support

/// A listener's unread notifications: the newest of each key in the order of posting, then the transient ones.
///
/// - A key that is posted again moves to the end. So the revisions of one drain ascend, and a display's state follows
///   the lease events that led to it.
/// - Memory is bounded by twice the number that the hub retains, plus `limit` passing and `limit` transient
///   notifications. Beyond that limit the older half of them is dropped and counted; those that the hub no
///   longer retains, of removed displays, are dropped.
package struct Mailbox: Sendable {
    /// Enough for the ends of all leases of four displays at once.
    package static let limit = 4 * LeaseTable.limit

    private var newest = ConflatingQueue<Notification.Key, Notification>()
    /// The number of passing notifications in `newest`.
    private var passing = 0
    private var transient: [Notification] = []
    private let keepsStates: Bool
    private var replacedStates: [Notification] = []

    /// The number of passing or transient notifications dropped since the last drain.
    private(set) var dropped = 0

    /// - Parameter keepsStates: Whether a display's states stay until they are read, instead of only the newest one. At
    ///   most `limit` of them; beyond that the older half is dropped and not counted.
    init(keepsStates: Bool = false) { self.keepsStates = keepsStates }

    var isEmpty: Bool { newest.isEmpty && transient.isEmpty }

    mutating func put(_ notification: Notification) {
        guard let key = notification.key else {
            transient.append(notification)
            dropOldestTransient()
            return
        }
        let old = newest.append(notification, for: key)
        if keepsStates, let old, case .state = old { keep(old) }
        if old?.retention == .passing { passing -= 1 }
        if notification.retention == .passing { passing += 1 }
        dropOldestPassing()
    }

    /// Drops retained notifications that the hub no longer retains, once they may outnumber the others.
    ///
    /// - Parameter count: The number of notifications that the hub retains.
    mutating func forget(unless isRetained: (Notification.Key) -> Bool, beyond count: Int) {
        guard newest.count - passing > 2 * count + Self.limit else { return }
        newest.removeOldest { notification in
            notification.retention == .retained && notification.key.map(isRetained) == false
        }
    }

    /// Returns all unread notifications and empties the mailbox. Replaced states come first.
    mutating func drain() -> [Notification] {
        defer { self = emptied }
        return replacedStates + newest.values + transient
    }

    /// An empty mailbox of the same kind.
    var emptied: Mailbox { Mailbox(keepsStates: keepsStates) }

    private mutating func keep(_ state: Notification) {
        replacedStates.append(state)
        if replacedStates.count > Self.limit { replacedStates.removeFirst(Self.limit / 2) }
    }

    private mutating func dropOldestPassing() {
        guard passing > Self.limit else { return }
        let excess = passing - Self.limit / 2
        newest.removeOldest(excess) { $0.retention == .passing }
        passing -= excess
        dropped += excess
    }

    private mutating func dropOldestTransient() {
        guard transient.count > Self.limit else { return }
        let excess = transient.count - Self.limit / 2
        transient.removeFirst(excess)
        dropped += excess
    }
}
