// SPDX-License-Identifier: Apache-2.0

/// The labels of a subject, and those that it had before: a client that was away, or that a delivery has not reached,
/// may know it by any of them.
struct LabelHistory {
    /// The number of remembered changes.
    static let limit = 8

    private(set) var current: [String] = []
    /// The order of each change, and the labels before it; the oldest first.
    private var changes: [(order: UInt64, former: [String])] = []
    /// The order of the newest change that was forgotten.
    private var forgotten: UInt64 = 0

    /// All current and former labels; `nil` if some were forgotten.
    var all: [String]? { forgotten > 0 ? nil : changes.reduce(current) { $0.union($1.former) } }

    /// Sets the labels. Returns the previous ones if they differ.
    mutating func change(to new: [String], at order: UInt64) -> [String]? {
        if new == current { return nil }
        defer { current = new }
        changes.append((order, current))
        if changes.count > Self.limit { forgotten = changes.removeFirst().order }
        return current
    }

    /// Returns the labels after the events up to `order`; `nil` if they were forgotten.
    func labels(at order: UInt64) -> [String]? {
        if forgotten > order { return nil }
        return changes.first { $0.order > order }?.former ?? current
    }
}

extension [String] {
    /// These strings, and those of `others` that are not among them.
    func union(_ others: [String]) -> [String] { self + others.filter { !contains($0) } }
}
