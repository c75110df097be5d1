// SPDX-License-Identifier: Apache-2.0

/// The newest ended leases of a display, so that late requests get "ended" and not "unknown".
///
/// In groups, because every command works on a copy of its display: one more end copies a group, not everything.
struct EndedLeases: Sendable {
    /// The minimum number of leases to remember; there are always less than `groupSize` more.
    static let minimum = 256

    private static let groupSize = 16

    /// The oldest first. Only the last group grows.
    private var groups: [[LeaseID]] = []

    mutating func add(_ id: LeaseID) {
        if let last = groups.indices.last, groups[last].count < Self.groupSize { return groups[last].append(id) }
        if groups.count > Self.minimum / Self.groupSize { groups.removeFirst() }
        groups.append([id])
    }

    func contains(_ id: LeaseID) -> Bool { groups.contains { $0.contains(id) } }
}
