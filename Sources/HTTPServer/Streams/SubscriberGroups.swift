// SPDX-License-Identifier: Apache-2.0

/// The distinct subscriber groups of a shard's streams, each under a small number.
///
/// A group exists as long as one of its streams: groups of closed streams cost nothing.
struct SubscriberGroups {
    private struct Entry {
        var group: SubscriberGroup
        var streams: Int
    }

    /// `nil` in place of a group whose last stream has left.
    private var entries: [Entry?] = []
    private var vacant: [UInt32] = []
    private var numbers: [SubscriberGroup: UInt32] = [:]

    var count: Int { numbers.count }

    /// All numbers are below this limit.
    var limit: Int { entries.count }

    /// The filter of a group; one that includes nothing once its last stream has left.
    func filter(of number: UInt32) -> EventFilter { entries[Int(number)]?.group.filter ?? EventFilter(types: []) }

    /// Whether the authorization of a group's streams is no longer valid.
    func isRevoked(_ number: UInt32) -> Bool { entries[Int(number)]?.group.authorization.map { !$0.isValid } ?? false }

    /// Adds a stream to a group. Returns the group's number.
    mutating func join(_ group: SubscriberGroup) -> UInt32 {
        if let number = numbers[group] {
            entries[Int(number)]?.streams += 1
            return number
        }
        let number = vacant.popLast() ?? UInt32(entries.count)
        if number == entries.count { entries.append(nil) }
        entries[Int(number)] = Entry(group: group, streams: 1)
        numbers[group] = number
        return number
    }

    mutating func leave(_ number: UInt32) {
        guard let entry = entries[Int(number)] else { return }
        guard entry.streams == 1 else {
            entries[Int(number)]?.streams -= 1
            return
        }
        numbers[entry.group] = nil
        entries[Int(number)] = nil
        vacant.append(number)
    }

    /// Moves a stream to the group with the same authorization and another filter. Returns that group's number.
    mutating func move(from number: UInt32, to filter: EventFilter) -> UInt32 {
        let authorization = entries[Int(number)]?.group.authorization
        leave(number)
        return join(SubscriberGroup(filter: filter, authorization: authorization))
    }
}

/// Streams with the same filter and the same authorization. The filter is checked once per event and group.
struct SubscriberGroup: Hashable {
    let filter: EventFilter
    let authorization: (any StreamAuthorization)?

    static func == (left: SubscriberGroup, right: SubscriberGroup) -> Bool {
        left.filter == right.filter && left.authorization === right.authorization
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(filter)
        hasher.combine(authorization.map(ObjectIdentifier.init))
    }
}

/// How a group's streams receive an event.
enum Delivery: UInt8 {
    case excluded
    case included
    /// The event's subject enters the filter: its other retained events come first. The filter may exclude the event
    /// itself by its type.
    case entering
}

/// How each group receives one event, determined when the first stream of the group is served.
///
/// So the filters cost a fan-out nothing in advance, and each turn makes progress, with any number of groups.
struct GroupDeliveries {
    /// The version of the event; 0 for none.
    private(set) var version: UInt64 = 0
    private var known: [Delivery?] = []

    /// Begins, or continues, with the event of this version.
    mutating func begin(_ version: UInt64, groups limit: Int) {
        if version != self.version {
            self.version = version
            for index in known.indices { known[index] = nil }
        }
        // The streams of a group that joined since have the event already.
        while known.count < limit { known.append(nil) }
    }

    subscript(group: UInt32) -> Delivery? {
        get { known[Int(group)] }
        set { known[Int(group)] = newValue }
    }
}
