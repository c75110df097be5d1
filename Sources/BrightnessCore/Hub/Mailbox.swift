// SPDX-License-Identifier: Apache-2.0

/// What a listener has yet to read: the newest notification of each key, in order of first arrival, then the transient
/// ones.
///
/// Memory is bounded by the number of retained keys plus `limit` passing and `limit` transient notifications. Beyond
/// that the older half of those is forgotten, and counted.
package struct Mailbox: Sendable {
    package static let limit = 1_024

    private var order: [Notification.Key] = []
    private var newest: [Notification.Key: Notification] = [:]
    private var passing = 0
    private var transient: [Notification] = []

    /// How many passing or transient notifications were forgotten since the last drain.
    package private(set) var forgotten = 0

    package init() {}

    package var isEmpty: Bool { order.isEmpty && transient.isEmpty }

    package mutating func put(_ notification: Notification) {
        guard let key = notification.key else {
            transient.append(notification)
            forgetOldestTransient()
            return
        }
        let old = newest.updateValue(notification, forKey: key)
        if old == nil { order.append(key) }
        if old?.retention == .passing { passing -= 1 }
        if notification.retention == .passing { passing += 1 }
        forgetOldestPassing()
    }

    /// Everything that waits; the mailbox is empty afterwards.
    package mutating func drain() -> [Notification] {
        defer { self = Mailbox() }
        return order.compactMap { newest[$0] } + transient
    }

    private mutating func forgetOldestPassing() {
        guard passing > Self.limit else { return }
        var excess = passing - Self.limit / 2
        passing -= excess
        forgotten += excess
        order.removeAll { key in
            guard excess > 0, newest[key]?.retention == .passing else { return false }
            newest[key] = nil
            excess -= 1
            return true
        }
    }

    private mutating func forgetOldestTransient() {
        guard transient.count > Self.limit else { return }
        let excess = transient.count - Self.limit / 2
        transient.removeFirst(excess)
        forgotten += excess
    }
}
