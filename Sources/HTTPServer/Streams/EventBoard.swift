// SPDX-License-Identifier: Apache-2.0

/// The newest event of every key, ready to be sent.
///
/// An event keeps its *slot* as long as it is retained, so outlets remember what they owe as small numbers. A slot is
/// used again for another key only under a new serial number.
struct EventBoard {
    struct Place: Hashable {
        let slot: Int
        let serial: UInt32
    }

    struct Entry {
        var event: Event
        /// Counts posts; what an outlet got on connect is no newer than the board's version then.
        var version: UInt64
        /// The event's bytes by framing, the same for everybody; made when the first one needs them.
        fileprivate var encoded: [[UInt8]?] = Framing.allCases.map { _ in nil }
    }

    /// How many events that nobody retains stay readable for slow outlets.
    static let passingLimit = 256

    private var entries: [Entry?] = []
    private var serials: [UInt32] = []
    private var vacant: [Int] = []
    private var slots: [String: Int] = [:]
    private var passing: [Place] = []
    private(set) var version: UInt64 = 0

    /// Puts an event in place of the older one of its key.
    mutating func post(_ event: Event) -> Place {
        version += 1
        if event.endsSubject { letGo { _, other in other?.subject == event.subject } }
        let entry = Entry(event: event, version: version)
        let slot = slots[event.key] ?? takeSlot(for: event.key)
        entries[slot] = entry
        let place = Place(slot: slot, serial: serials[slot])
        if !event.isRetained {
            // The next event of this key, should there be one, is another story and gets another slot.
            slots[event.key] = nil
            passing.append(place)
            if passing.count > Self.passingLimit { vacate(passing.removeFirst()) }
        }
        return place
    }

    /// `nil` once the slot has been given to another key.
    subscript(place: Place) -> Entry? {
        serials[place.slot] == place.serial ? entries[place.slot] : nil
    }

    /// The bytes of the event in a place.
    mutating func encoded(_ place: Place, as framing: Framing) -> [UInt8] {
        guard let entry = self[place] else { return [] }
        if let bytes = entry.encoded[Int(framing.rawValue)] { return bytes }
        let bytes = framing.encode(entry.event)
        entries[place.slot]?.encoded[Int(framing.rawValue)] = bytes
        return bytes
    }

    /// What a newcomer gets: everything retained that the filter includes and that is newer than `order`.
    ///
    /// Events with an id come first, oldest first, so that a display's state is the first thing seen.
    func retained(_ filter: EventFilter, after order: UInt64?) -> [Event] {
        entries.compactMap { $0?.event }
            .filter { $0.isRetained && filter.includes($0) && $0.order > order ?? 0 }
            .sorted { ($0.id == nil ? 1 : 0, $0.order) < ($1.id == nil ? 1 : 0, $1.order) }
    }

    /// Whether this very event is what is retained of its key.
    func retains(_ event: Event) -> Bool {
        slots[event.key].flatMap { entries[$0]?.event }.map { $0.order == event.order && $0.data == event.data }
            ?? false
    }

    /// Lets go of what is retained of other keys: it is over, and nobody was told.
    mutating func retain(only keys: Set<String>) { letGo { key, _ in !keys.contains(key) } }

    private mutating func letGo(where isOver: (_ key: String, _ event: Event?) -> Bool) {
        for (key, slot) in slots where isOver(key, entries[slot]?.event) {
            slots[key] = nil
            vacate(Place(slot: slot, serial: serials[slot]))
        }
    }

    private mutating func takeSlot(for key: String) -> Int {
        let slot: Int
        if let free = vacant.popLast() {
            slot = free
        } else {
            slot = entries.count
            entries.append(nil)
            serials.append(0)
        }
        slots[key] = slot
        return slot
    }

    private mutating func vacate(_ place: Place) {
        guard serials[place.slot] == place.serial else { return }
        entries[place.slot] = nil
        serials[place.slot] += 1
        vacant.append(place.slot)
    }
}
