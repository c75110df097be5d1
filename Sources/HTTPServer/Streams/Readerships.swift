// SPDX-License-Identifier: Apache-2.0

/// The distinct readerships of a shard's streams, each under a small number.
struct Readerships {
    private(set) var all: [Readership] = []
    private var numbers: [Readership: UInt32] = [:]
    private var uses: [Int] = []

    subscript(number: UInt32) -> Readership { all[Int(number)] }

    /// One stream more. Returns the readership's number.
    mutating func join(_ readership: Readership) -> UInt32 {
        if let number = numbers[readership] {
            uses[Int(number)] += 1
            return number
        }
        let place = uses.firstIndex(of: 0) ?? all.count
        if place == all.count {
            all.append(readership)
            uses.append(1)
        } else {
            numbers[all[place]] = nil
            all[place] = readership
            uses[place] = 1
        }
        numbers[readership] = UInt32(place)
        return UInt32(place)
    }

    /// One stream less.
    mutating func leave(_ number: UInt32) { uses[Int(number)] -= 1 }
}

/// Whom an event is for, and until when: streams with the same filter and permit have one between them.
struct Readership: Hashable {
    var filter: EventFilter
    let permit: (any StreamPermit)?

    static func == (left: Readership, right: Readership) -> Bool {
        left.filter == right.filter && left.permit === right.permit
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(filter)
        hasher.combine(permit.map(ObjectIdentifier.init))
    }
}
