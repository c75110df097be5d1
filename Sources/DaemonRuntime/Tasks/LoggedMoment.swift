// SPDX-License-Identifier: Apache-2.0

/// Limits the lines about the changes of one moment. A client can take thousands of leases in a second.
struct LoggedMoment {
    static let limit = 32

    private var changes = 0

    /// Counts a change. Returns whether it is logged.
    mutating func add() -> Bool {
        changes += 1
        return changes <= Self.limit
    }

    /// Ends the moment. Returns how many of its changes were not logged.
    mutating func end() -> Int {
        defer { changes = 0 }
        return max(changes - Self.limit, 0)
    }
}
