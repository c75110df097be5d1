// SPDX-License-Identifier: Apache-2.0

/// The slots of each subject's retained events, in one list a subject: adding and removing a slot have constant cost,
/// and the slots of a subject are found without a search through those of others.
struct SlotsBySubject {
    private struct Link {
        var next: Int32 = none
        var previous: Int32 = none
    }

    private static let none: Int32 = -1

    private var heads: [String?: Int32] = [:]
    private var links: [Link] = []

    /// Adds a slot that is not in any list.
    mutating func insert(_ slot: Int, of subject: String?) {
        while links.count <= slot { links.append(Link()) }
        let next = heads.updateValue(Int32(slot), forKey: subject) ?? Self.none
        links[slot] = Link(next: next)
        if next != Self.none { links[Int(next)].previous = Int32(slot) }
    }

    mutating func remove(_ slot: Int, of subject: String?) {
        let link = links[slot]
        if link.next != Self.none { links[Int(link.next)].previous = link.previous }
        if link.previous != Self.none {
            links[Int(link.previous)].next = link.next
        } else {
            heads[subject] = link.next == Self.none ? nil : link.next
        }
        links[slot] = Link()
    }

    func slots(of subject: String?) -> [Int] {
        var slots: [Int] = []
        var slot = heads[subject] ?? Self.none
        while slot != Self.none {
            slots.append(Int(slot))
            slot = links[Int(slot)].next
        }
        return slots
    }

    mutating func removeAll(of subject: String?) -> [Int] {
        let slots = slots(of: subject)
        heads[subject] = nil
        for slot in slots { links[slot] = Link() }
        return slots
    }
}

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
