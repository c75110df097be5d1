// SPDX-License-Identifier: Apache-2.0

/// The leases of presets. The newest press of a person counts: it ends those of every earlier one, by any principal.
extension LeaseTable {
    /// Ends the leases of all presets, overridden or not.
    mutating func endPresets() -> [LeaseEvent] {
        release { PresetHolder.includes($0.holder) }.map { LeaseEvent($0, .released) }
    }

    /// Grants all of the leases or none, in place of those of all presets.
    ///
    /// - Returns: The changes in their order.
    mutating func grantPreset(
        _ requests: [LeaseRequest],
        by principal: Principal,
        makeID: () -> LeaseID,
        at now: Moment
    ) throws(LeaseError) -> [LeaseEvent] {
        let before = self
        var events = endPresets()
        do throws(LeaseError) {
            for request in requests { events.append(try grant(request, by: principal, as: makeID(), at: now)) }
            return events
        } catch {
            self = before
            throw error
        }
    }
}

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
