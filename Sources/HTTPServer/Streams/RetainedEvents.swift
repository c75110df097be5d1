// SPDX-License-Identifier: Apache-2.0

/// The newest event of each key, and the newest ends of subjects, encoded for sending.
///
/// An event keeps its *slot* as long as it is retained. So streams remember pending events as small numbers, and a send
/// to thousands finds the event by its index. A slot is used for another key only under a new serial number. A
/// `ConflatingQueue` has neither: its values have no stable place and no identity.
struct RetainedEvents {
    struct Place: Hashable {
        let slot: Int
        let serial: UInt32

        static let nowhere = Place(slot: -1, serial: 0)
    }

    struct Entry {
        var event: Event
        /// The number of the post. A stream has everything up to the `version` at its start.
        var version: UInt64
        /// The labels by which streams receive it as news.
        fileprivate var reach: Reach
        /// Labels that its subject had, if this event changes them, or if streams have not received one that did. A
        /// filter that any of these does not match is one that the subject may enter.
        fileprivate var former: [[String]] = []
        /// The event's bytes by framing, shared by all streams, encoded at the first use. Empty before it, and after
        /// `encodedKept` other events were encoded.
        fileprivate var encoded: [[UInt8]?] = []
        fileprivate var isRecentlyEncoded = false
    }

    /// The streams that receive an event as news: those whose filter matches these labels of its subject.
    fileprivate enum Reach {
        case current
        /// Of an end, every label that the subject had; of an event that changes them, the previous ones, too, so that
        /// a stream learns what leaves its filter. `nil` stands for any label.
        case labels([String]?)
    }

    typealias Pending = (place: Place, version: UInt64)

    private struct Passing {
        let place: Place
        let version: UInt64
        let order: UInt64
    }

    /// The number of events that are not retained but stay available for slow and reconnecting clients.
    static let passingKept = 256
    /// The same number while streams still have to read some of them.
    static let passingLimit = 4_096

    /// The number of events that stay encoded: a gateway with 10,000 displays would need 1 KiB for each.
    static let encodedKept = 512

    let formats: StreamFormats
    private var entries: [Entry?] = []
    private var serials: [UInt32] = []
    private var vacant: [Int] = []
    private var slots: [String: Int] = [:]
    /// By subject, of those that have or had labels.
    private var labels: [String: LabelHistory] = [:]
    private var newest: UInt64 = 0
    /// The order from which on changes of labels are known.
    private var labelsKnownSince: UInt64 = 0
    private(set) var isBeginning = false
    private var slotsBySubject = SlotsBySubject()
    /// Oldest first.
    private var passing: ArraySlice<Passing> = []
    /// The places whose events are encoded, in the order of their first encoding.
    private var recentlyEncoded: ArraySlice<Place> = []
    private(set) var version: UInt64 = 0
    /// The version up to which events that were not retained may be missing.
    private(set) var forgotten: UInt64 = 0
    /// The order up to which ends may be missing.
    private(set) var horizon: UInt64 = 0

    init(_ formats: StreamFormats) { self.formats = formats }

    /// The version of the newest event of a key; `nil` if none is retained.
    func version(ofKey key: String) -> UInt64? { slots[key].flatMap { entries[$0]?.version } }

    /// Stores an event in place of the older one of its key.
    ///
    /// - Parameter isReplacing: Whether some streams have not received the older one. They receive this one if they
    ///   would have received either.
    /// - Returns: Its place, and the version of the event that it replaced there.
    mutating func post(
        _ event: Event,
        insteadOfUnsent isReplacing: Bool = false
    ) -> (place: Place, replaced: UInt64?) {
        version += 1
        if event.order != .max { newest = max(newest, event.order) }
        var (reach, former) = updateLabels(by: event)
        if event.endsSubject { letGo(of: event.subject) }
        let slot = slots[event.key] ?? takeSlot(for: event)
        let replaced = entries[slot]?.version
        if let old = entries[slot] {
            if old.event.subject != event.subject {
                slotsBySubject.remove(slot, of: old.event.subject)
                slotsBySubject.insert(slot, of: event.subject)
            }
            if isReplacing { (reach, former) = (union(old.reach, reach, of: event), old.former + former) }
        }
        let isRecentlyEncoded = entries[slot]?.isRecentlyEncoded ?? false
        entries[slot] = Entry(
            event: event,
            version: version,
            reach: reach,
            // Every filter that includes the subject is one that it may enter.
            former: former.count > LabelHistory.limit ? [[]] : former,
            isRecentlyEncoded: isRecentlyEncoded
        )
        let place = Place(slot: slot, serial: serials[slot])
        if !event.isRetained {
            // A later event of this key begins a new subject and gets another slot.
            slots[event.key] = nil
            slotsBySubject.remove(slot, of: event.subject)
            passing.append(Passing(place: place, version: version, order: event.order))
        }
        return (place, replaced)
    }

    /// Updates the labels of the event's subject.
    ///
    /// - Returns: The reach of the event, and the previous labels if it changes them.
    private mutating func updateLabels(by event: Event) -> (Reach, former: [[String]]) {
        guard let subject = event.subject else { return (.current, []) }
        if event.endsSubject {
            // Of a subject that ended before this shard observed it, the labels are unknown.
            guard let history = labels.removeValue(forKey: subject) else {
                return (isBeginning ? .labels(nil) : .current, [])
            }
            return (.labels(history.all), [])
        }
        guard let new = event.labels, !labels.isEmpty || !new.isEmpty else { return (.current, []) }
        var history = labels[subject] ?? LabelHistory()
        guard let old = history.change(to: new, at: event.order) else { return (.current, []) }
        labels[subject] = history
        return (.labels(old.union(new)), [old])
    }

    private func union(_ old: Reach, _ new: Reach, of event: Event) -> Reach {
        func labels(_ reach: Reach) -> [String]? {
            if case .labels(let labels) = reach { labels } else { self.labels(of: event) }
        }
        if case .current = old, case .current = new { return .current }
        return .labels(labels(old).flatMap { old in labels(new).map(old.union) })
    }

    private func labels(of event: Event) -> [String] {
        if labels.isEmpty { return [] }
        return event.subject.flatMap { labels[$0]?.current } ?? []
    }

    /// Returns how a stream with this filter receives an event as news.
    func delivery(of entry: Entry, to filter: EventFilter) -> Delivery {
        switch entry.reach {
        case .current:
            return filter.includes(entry.event, labels: labels(of: entry.event)) ? .included : .excluded
        case .labels(let labels):
            // The name does not matter: a filter without this event may have others of the subject.
            let isEntering =
                entry.event.isRetained && entry.former.contains { !filter.includesSubject(of: entry.event, labels: $0) }
                && filter.includesSubject(of: entry.event, labels: self.labels(of: entry.event))
            if isEntering { return .entering }
            return filter.includes(entry.event, labels: labels) ? .included : .excluded
        }
    }

    /// Returns the other retained events of the subject of the event in a place, as far as the filter includes them,
    /// the oldest first.
    func companions(of place: Place, in filter: EventFilter) -> [Pending] {
        guard let subject = self[place]?.event.subject else { return [] }
        return slotsBySubject.slots(of: subject).filter { $0 != place.slot }
            .compactMap { slot in entries[slot].map { (slot, $0) } }
            .filter { filter.includes($0.1.event, labels: labels(of: $0.1.event)) }
            .sorted { $0.1.event.order < $1.1.event.order }
            .map { slot, entry in (Place(slot: slot, serial: serials[slot]), entry.version) }
    }

    /// Forgets the oldest events that are not retained, beyond the limit.
    ///
    /// - Parameter areAwaited: Whether a stream may still have to read some of them.
    mutating func forgetPassing(areAwaited: Bool) {
        while passing.count > (areAwaited ? Self.passingLimit : Self.passingKept), let oldest = passing.popFirst() {
            vacate(oldest.place)
            forgotten = oldest.version
            horizon = max(horizon, oldest.order)
        }
    }

    /// The event in a place; `nil` once the slot has been given to another key.
    subscript(place: Place) -> Entry? {
        place.slot >= 0 && serials[place.slot] == place.serial ? entries[place.slot] : nil
    }

    mutating func encoded(_ place: Place, as framing: Framing) -> [UInt8] {
        guard let event = self[place]?.event else { return [] }
        let form = Int(framing.rawValue)
        if entries[place.slot]?.encoded.isEmpty ?? true {
            entries[place.slot]?.encoded = Framing.allCases.map { _ in nil }
            keepEncoded(place)
        }
        if let bytes = entries[place.slot]?.encoded[form] { return bytes }
        let bytes = formats.encode(event, as: framing)
        entries[place.slot]?.encoded[form] = bytes
        return bytes
    }

    private mutating func keepEncoded(_ place: Place) {
        guard entries[place.slot]?.isRecentlyEncoded == false else { return }
        entries[place.slot]?.isRecentlyEncoded = true
        recentlyEncoded.append(place)
        guard recentlyEncoded.count > Self.encodedKept, let oldest = recentlyEncoded.popFirst(), self[oldest] != nil
        else { return }
        entries[oldest.slot]?.encoded = []
        entries[oldest.slot]?.isRecentlyEncoded = false
    }

    /// Returns the events with which a stream begins.
    ///
    /// A reconnecting client receives the ends it missed, then the retained events that are newer than its last one. If
    /// some of those ends are forgotten, it receives the reset event, and then all retained events.
    ///
    /// - Returns: Whether the reset event comes first, and the events that follow.
    func beginning(_ filter: EventFilter, _ start: StreamStart) -> (isReset: Bool, places: [Pending]) {
        switch start {
        case .everything:
            return (false, all(filter))
        case .after(let order) where order >= horizon:
            let ends = passing.filter { passing in
                self[passing.place].map { $0.event.order > order && delivery(of: $0, to: filter) != .excluded } ?? false
            }
            return (false, ends.map { ($0.place, $0.version) } + all(filter, after: order))
        case .after, .reset:
            return (filter.includes(formats.encoding.reset), all(filter))
        }
    }

    /// Returns the places of all retained events that the filter includes.
    ///
    /// Events without an id precede those with one, oldest first: a client that resumes after an id has them all. The
    /// events with which every stream begins come last.
    func all(_ filter: EventFilter) -> [Pending] {
        places { filter.includes($0.event, labels: labels(of: $0.event)) }
    }

    /// Returns the places of the retained events that are news for a client with everything up to `order`: the newer
    /// ones, all those of subjects that have entered the filter, and the states of those that have left it.
    private func all(_ filter: EventFilter, after order: UInt64) -> [Pending] {
        guard filter.hasLabels else {
            return places { $0.event.order > order && filter.includes($0.event) }
        }
        // The labels before this shard observed them are unknown for subjects that have changed since.
        let changed =
            order >= labelsKnownSince
            ? [] : Set(entries.compactMap { $0?.event }.filter { $0.labels != nil && $0.order > order }.map(\.subject))
        return places { entry in
            let event = entry.event
            let isNewer = event.order > order
            let former = changed.contains(event.subject) ? nil : labels(of: event, at: order)
            guard filter.includes(event, labels: labels(of: event)) else {
                return isNewer && event.labels != nil && filter.includes(event, labels: former)
            }
            return isNewer || !filter.includes(event, labels: former ?? [])
        }
    }

    private func labels(of event: Event, at order: UInt64) -> [String]? {
        guard let history = event.subject.flatMap({ labels[$0] }) else { return [] }
        return history.labels(at: order)
    }

    private func places(where isChosen: (Entry) -> Bool) -> [Pending] {
        entries.indices.compactMap { slot in entries[slot].map { (slot, $0) } }
            .filter { _, entry in entry.event.isRetained && isChosen(entry) }
            .sorted { ($0.1.event.rank, $0.1.event.order) < ($1.1.event.rank, $1.1.event.order) }
            .map { slot, entry in (Place(slot: slot, serial: serials[slot]), entry.version) }
    }

    func contains(_ event: Event) -> Bool {
        slots[event.key].flatMap { entries[$0]?.event }.map { $0.order == event.order && $0.data == event.data }
            ?? false
    }

    /// Forgets all events. All retained ones follow, and then `endBeginning`.
    ///
    /// - Parameter horizon: The order up to which ends will be missing.
    mutating func beginAgain(endsAfter horizon: UInt64) {
        for slot in slots.values { vacate(Place(slot: slot, serial: serials[slot])) }
        for event in passing { vacate(event.place) }
        (slots, slotsBySubject, labels, passing) = ([:], SlotsBySubject(), [:], [])
        // In order: streams begin with events of one order in the order of their slots.
        vacant = entries.indices.reversed()
        self.horizon = horizon
        forgotten = version
        isBeginning = true
    }

    mutating func endBeginning() {
        isBeginning = false
        labelsKnownSince = newest
    }

    /// Treats every event up to now as possibly missed by the streams.
    ///
    /// - Returns: The version up to which they may have missed something.
    mutating func forgetAll() -> UInt64 {
        version += 1
        forgotten = version
        return version
    }

    private mutating func letGo(of subject: String?) {
        for slot in slotsBySubject.removeAll(of: subject) {
            if let key = entries[slot]?.event.key { letGo(slot, of: key) }
        }
    }

    private mutating func letGo(_ slot: Int, of key: String) {
        slots[key] = nil
        vacate(Place(slot: slot, serial: serials[slot]))
    }

    private mutating func takeSlot(for event: Event) -> Int {
        let slot: Int
        if let free = vacant.popLast() {
            slot = free
        } else {
            slot = entries.count
            entries.append(nil)
            serials.append(0)
        }
        slots[event.key] = slot
        slotsBySubject.insert(slot, of: event.subject)
        return slot
    }

    private mutating func vacate(_ place: Place) {
        guard serials[place.slot] == place.serial else { return }
        entries[place.slot] = nil
        serials[place.slot] += 1
        vacant.append(place.slot)
    }
}

extension Event {
    /// Its rank when a stream begins.
    fileprivate var rank: Int {
        if id != nil { return 1 }
        return order == .max ? 2 : 0
    }
}
