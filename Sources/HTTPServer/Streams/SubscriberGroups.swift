// SPDX-License-Identifier: Apache-2.0

/// The distinct subscriber groups of a shard's streams, each under a small number.
struct SubscriberGroups {
    private(set) var all: [SubscriberGroup] = []
    private var numbers: [SubscriberGroup: UInt32] = [:]
    private var uses: [Int] = []

    subscript(number: UInt32) -> SubscriberGroup { all[Int(number)] }

    /// Adds a stream to a group. Returns the group's number.
    mutating func join(_ group: SubscriberGroup) -> UInt32 {
        if let number = numbers[group] {
            uses[Int(number)] += 1
            return number
        }
        let place = uses.firstIndex(of: 0) ?? all.count
        if place == all.count {
            all.append(group)
            uses.append(1)
        } else {
            numbers[all[place]] = nil
            all[place] = group
            uses[place] = 1
        }
        numbers[group] = UInt32(place)
        return UInt32(place)
    }

    /// Removes a stream from a group.
    mutating func leave(_ number: UInt32) { uses[Int(number)] -= 1 }
}

/// Streams with the same filter and the same authorization. Both are checked once per group.
struct SubscriberGroup: Hashable {
    var filter: EventFilter
    let authorization: (any StreamAuthorization)?

    static func == (left: SubscriberGroup, right: SubscriberGroup) -> Bool {
        left.filter == right.filter && left.authorization === right.authorization
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(filter)
        hasher.combine(authorization.map(ObjectIdentifier.init))
    }
}
