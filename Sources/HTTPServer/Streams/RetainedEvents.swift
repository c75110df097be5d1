// SPDX-License-Identifier: Apache-2.0

/// The newest event of each key, and the newest ends of subjects, encoded for sending.
///
/// An event keeps its *slot* as long as it is retained. So streams remember pending events as small numbers, and a send
/// to thousands finds the event by its index. A slot is used for another key only under a new serial number. A
/// `ConflatingQueue` has neither: its values have no stable index and no identity.
struct RetainedEvents {
    /// Refers to the event in a slot until another key gets the slot.
    struct Handle: Hashable {
        let slot: Int
        let serial: UInt32

        /// Refers to no event: its fan-out makes every stream start over.
        static let invalid = Handle(slot: -1, serial: 0)
    }

    struct Entry {
        var event: Event
        /// The number of the post. A stream has everything up to the `version` at its start.
        var version: UInt64
        fileprivate var audience: Audience
        /// Each set of labels that its subject had before this event, or before an older one of its key that some
        /// streams have not received. A filter that does not match one of them is one that the subject may enter.
        fileprivate var formerLabels: [[String]] = []
        /// The event's bytes by framing, shared by all streams, encoded at the first use. Empty before it, and after
        /// `encodedKept` other events were encoded.
        fileprivate var encoded: [[UInt8]?] = []
        fileprivate var isRecentlyEncoded = false
    }

    /// The streams that receive an event: those whose filter matches these labels of its subject.
    fileprivate enum Audience {
        /// The labels that the subject has when the event is sent.
        case current
        /// For an end, every label that the subject had. For an event that changes the labels, also the previous ones,
        /// so that a stream learns what leaves its filter. `nil` stands for any label.
        case labels([String]?)
    }

    typealias Pending = (handle: Handle, version: UInt64)

    private struct Passing {
        let handle: Handle
        let version: UInt64
        let order: UInt64
    }

    /// The number of events that are not retained but stay available for slow and reconnecting clients.
    static let passingKept = 256
    /// That number while streams still have to read some of them.
    static let passingLimit = 4_096

    /// The number of events that stay encoded: a gateway with 10,000 displays would need 1 KiB for each.
    static let encodedKept = 512

    let formats: StreamFormats
    private var entries: [Entry?] = []
    private var serials: [UInt32] = []
    private var vacant: [Int] = []
    private var slots: [String: Int] = [:]
    /// The labels of each subject that has or had some.
    private var histories: [String: LabelHistory] = [:]
    private var newestOrder: UInt64 = 0
    /// The order after which all changes of labels are known.
    private var labelsKnownSince: UInt64 = 0
    /// Whether `removeAll` was called, and `markComplete` not since.
    private(set) var isIncomplete = false
    /// The slots of each subject's retained events, so that its end does not search those of others.
    private var slotsBySubject: [String?: Set<Int>] = [:]
    /// Oldest first.
    private var passing: ArraySlice<Passing> = []
    /// Whether some of them have the order 0: they are for connected clients only.
    private var holdsTransient = false
    /// The events that are encoded, in the order of their first encoding.
    private var recentlyEncoded: ArraySlice<Handle> = []
    private(set) var version: UInt64 = 0
    /// The newest version of which an event that is not retained may be missing.
    private(set) var lastForgotten: UInt64 = 0
    /// The order after which all ends are kept. Earlier ends may be missing.
    private(set) var endsKnownSince: UInt64 = 0

    init(_ formats: StreamFormats) { self.formats = formats }

    /// The version of the newest event of a key; `nil` if none is retained.
    func version(ofKey key: String) -> UInt64? { slots[key].flatMap { entries[$0]?.version } }

    /// Stores an event in place of the older one of its key.
    ///
    /// - Parameter replacesUnsent: Whether some streams have not received the older one. They receive this one if they
    ///   would have received either.
    /// - Returns: Its handle, and the version of the event that it replaced.
    mutating func post(
        _ event: Event,
        insteadOfUnsent replacesUnsent: Bool = false
    ) -> (handle: Handle, replaced: UInt64?) {
        version += 1
        if event.order != .max { newestOrder = max(newestOrder, event.order) }
        var (audience, former) = updateLabels(by: event)
        if event.endsSubject { removeAll(of: event.subject) }
        let slot = slots[event.key] ?? takeSlot(for: event)
        let old = entries[slot]
        if let old, old.event.subject != event.subject {
            remove(slot, of: old.event.subject)
            slotsBySubject[event.subject, default: []].insert(slot)
        }
        if let old, replacesUnsent {
            (audience, former) = (union(old.audience, audience, of: event), old.formerLabels + former)
        }
        entries[slot] = Entry(
            event: event,
            version: version,
            audience: audience,
            // Too many: the subject may enter every filter by labels that includes it.
            formerLabels: former.count > LabelHistory.limit ? [[]] : former,
            isRecentlyEncoded: old?.isRecentlyEncoded ?? false
        )
        let handle = Handle(slot: slot, serial: serials[slot])
        if !event.isRetained {
            // A later event of this key gets another slot, and does not replace this one.
            slots[event.key] = nil
            remove(slot, of: event.subject)
            passing.append(Passing(handle: handle, version: version, order: event.order))
            if event.order == 0 { holdsTransient = true }
        }
        return (handle, old?.version)
    }

    /// Removes the retained event of a key. Streams that have not received it do not receive it any more.
    mutating func withdraw(_ key: String) {
        guard let slot = slots.removeValue(forKey: key) else { return }
        remove(slot, of: entries[slot]?.event.subject)
        vacate(Handle(slot: slot, serial: serials[slot]))
    }

    /// Updates the labels of the event's subject.
    ///
    /// - Returns: The audience of the event, and the previous labels if it changes them.
    private mutating func updateLabels(by event: Event) -> (Audience, former: [[String]]) {
        guard let subject = event.subject else { return (.current, []) }
        if event.endsSubject {
            // The labels of a subject that ended before this shard observed it are unknown.
            guard let history = histories.removeValue(forKey: subject) else {
                return (isIncomplete ? .labels(nil) : .current, [])
            }
            return (.labels(history.all), [])
        }
        guard let new = event.labels, !histories.isEmpty || !new.isEmpty else { return (.current, []) }
        var history = histories[subject] ?? LabelHistory()
        guard let old = history.change(to: new, at: event.order) else { return (.current, []) }
        histories[subject] = history
        return (.labels(old.union(new)), [old])
    }

    private func union(_ old: Audience, _ new: Audience, of event: Event) -> Audience {
        func labels(_ audience: Audience) -> [String]? {
            if case .labels(let labels) = audience { labels } else { self.labels(of: event) }
        }
        if case .current = old, case .current = new { return .current }
        return .labels(labels(old).flatMap { old in labels(new).map(old.union) })
    }

    private func labels(of event: Event) -> [String] {
        if histories.isEmpty { return [] }
        return event.subject.flatMap { histories[$0]?.current } ?? []
    }

    /// Returns whether a stream with this filter receives an event, and whether its subject enters the filter by it.
    func delivery(of entry: Entry, to filter: EventFilter) -> Delivery {
        switch entry.audience {
        case .current:
            return filter.includes(entry.event, labels: labels(of: entry.event)) ? .included : .excluded
        case .labels(let labels):
            // The type does not matter: a filter without this event may have others of the subject.
            let isEntering =
                entry.event.isRetained
                && entry.formerLabels.contains { !filter.includesSubject(of: entry.event, labels: $0) }
                && filter.includesSubject(of: entry.event, labels: self.labels(of: entry.event))
            if isEntering { return .entering }
            return filter.includes(entry.event, labels: labels) ? .included : .excluded
        }
    }

    /// Returns the other retained events of an event's subject that the filter includes, the oldest first.
    func siblings(of handle: Handle, in filter: EventFilter) -> [Pending] {
        guard let subject = self[handle]?.event.subject else { return [] }
        return (slotsBySubject[subject] ?? []).filter { $0 != handle.slot }
            .compactMap { slot in entries[slot].map { (slot, $0) } }
            .filter { filter.includes($0.1.event, labels: labels(of: $0.1.event)) }
            .sorted { ($0.1.event.order, $0.1.version) < ($1.1.event.order, $1.1.version) }
            .map { slot, entry in (Handle(slot: slot, serial: serials[slot]), entry.version) }
    }

    /// Forgets the oldest events that are not retained, beyond the limit; those for connected clients only as soon as
    /// no client awaits them.
    ///
    /// - Parameter areAwaited: Whether a stream may still have to read some of them.
    mutating func forgetPassing(areAwaited: Bool) {
        if holdsTransient, !areAwaited {
            for event in passing where event.order == 0 { vacate(event.handle) }
            passing.removeAll { $0.order == 0 }
            holdsTransient = false
        }
        while passing.count > (areAwaited ? Self.passingLimit : Self.passingKept), let oldest = passing.popFirst() {
            vacate(oldest.handle)
            lastForgotten = oldest.version
            endsKnownSince = max(endsKnownSince, oldest.order)
        }
    }

    /// The entry of a handle; `nil` once another key has its slot.
    subscript(handle: Handle) -> Entry? {
        handle.slot >= 0 && serials[handle.slot] == handle.serial ? entries[handle.slot] : nil
    }

    mutating func encoded(_ handle: Handle, as framing: Framing) -> [UInt8] {
        guard let event = self[handle]?.event else { return [] }
        let form = Int(framing.rawValue)
        if entries[handle.slot]?.encoded.isEmpty ?? true {
            entries[handle.slot]?.encoded = Framing.allCases.map { _ in nil }
            limitEncoded(adding: handle)
        }
        if let bytes = entries[handle.slot]?.encoded[form] { return bytes }
        let bytes = formats.encode(event, as: framing)
        entries[handle.slot]?.encoded[form] = bytes
        return bytes
    }

    private mutating func limitEncoded(adding handle: Handle) {
        guard entries[handle.slot]?.isRecentlyEncoded == false else { return }
        entries[handle.slot]?.isRecentlyEncoded = true
        recentlyEncoded.append(handle)
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
    func beginning(_ filter: EventFilter, _ start: StreamStart) -> (isReset: Bool, events: [Pending]) {
        switch start {
        case .everything:
            return (false, events(for: filter))
        case .after(let order) where order >= endsKnownSince:
            let ends = passing.filter { passing in
                self[passing.handle].map { $0.event.order > order && delivery(of: $0, to: filter) != .excluded }
                    ?? false
            }
            return (false, ends.map { ($0.handle, $0.version) } + changes(for: filter, after: order))
        case .after, .reset:
            return (filter.includes(formats.encoding.reset), events(for: filter))
        }
    }

    /// Returns all retained events that the filter includes.
    ///
    /// Events without an id precede those with one, oldest first: a client that resumes after an id has them all. The
    /// events with which every stream begins come last.
    func events(for filter: EventFilter) -> [Pending] {
        pending { filter.includes($0.event, labels: labels(of: $0.event)) }
    }

    /// Returns the retained events that a client with everything up to `order` lacks: the newer ones, all those of
    /// subjects that have entered the filter, and the states of those that have left it.
    private func changes(for filter: EventFilter, after order: UInt64) -> [Pending] {
        guard filter.hasLabels else {
            return pending { $0.event.order > order && filter.includes($0.event) }
        }
        // The labels before this shard observed them are unknown for subjects that have changed since.
        let unknown =
            order >= labelsKnownSince
            ? [] : Set(entries.compactMap { $0?.event }.filter { $0.labels != nil && $0.order > order }.map(\.subject))
        return pending { entry in
            let event = entry.event
            let isNewer = event.order > order
            // Unknown labels count as outside and inside: the client rather gets one event too many.
            let former = unknown.contains(event.subject) ? nil : labels(of: event, at: order)
            if filter.includes(event, labels: labels(of: event)) {
                let mayHaveEntered = !filter.includes(event, labels: former ?? [])
                return isNewer || mayHaveEntered
            }
            let mayHaveLeft = event.labels != nil && filter.includes(event, labels: former)
            return isNewer && mayHaveLeft
        }
    }

    /// The labels of the event's subject after all events up to `order`; `nil` if they are forgotten.
    private func labels(of event: Event, at order: UInt64) -> [String]? {
        guard let history = event.subject.flatMap({ histories[$0] }) else { return [] }
        return history.labels(at: order)
    }

    private func pending(where isChosen: (Entry) -> Bool) -> [Pending] {
        entries.indices.compactMap { slot in entries[slot].map { (slot, $0) } }
            .filter { _, entry in entry.event.isRetained && isChosen(entry) }
            .sorted { ($0.1.event.rank, $0.1.event.order) < ($1.1.event.rank, $1.1.event.order) }
            .map { slot, entry in (Handle(slot: slot, serial: serials[slot]), entry.version) }
    }

    func contains(_ event: Event) -> Bool {
        slots[event.key].flatMap { entries[$0]?.event }.map { $0.order == event.order && $0.data == event.data }
            ?? false
    }

    /// Removes all events. Post all retained ones, and then call `markComplete`.
    ///
    /// - Parameter endsKnownSince: The order after which all ends will be posted.
    mutating func removeAll(endsKnownSince: UInt64) {
        for slot in slots.values { vacate(Handle(slot: slot, serial: serials[slot])) }
        for event in passing { vacate(event.handle) }
        (slots, slotsBySubject, histories, passing) = ([:], [:], [:], [])
        // In order: streams begin with events of one order in the order of their slots.
        vacant = entries.indices.reversed()
        self.endsKnownSince = endsKnownSince
        lastForgotten = version
        isIncomplete = true
    }

    mutating func markComplete() {
        isIncomplete = false
        labelsKnownSince = newestOrder
    }

    /// Treats every event up to now as possibly missed by the streams.
    ///
    /// - Returns: The version up to which they may have missed something.
    mutating func markAllMissed() -> UInt64 {
        version += 1
        lastForgotten = version
        return version
    }

    private mutating func removeAll(of subject: String?) {
        // In order, as above: a set has another one in each run.
        for slot in (slotsBySubject.removeValue(forKey: subject) ?? []).sorted(by: >) {
            guard let key = entries[slot]?.event.key else { continue }
            slots[key] = nil
            vacate(Handle(slot: slot, serial: serials[slot]))
        }
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
        slotsBySubject[event.subject, default: []].insert(slot)
        return slot
    }

    private mutating func remove(_ slot: Int, of subject: String?) {
        slotsBySubject[subject]?.remove(slot)
        if slotsBySubject[subject]?.isEmpty ?? false { slotsBySubject[subject] = nil }
    }

    private mutating func vacate(_ handle: Handle) {
        guard serials[handle.slot] == handle.serial else { return }
        entries[handle.slot] = nil
        serials[handle.slot] += 1
        vacant.append(handle.slot)
    }
}

extension Event {
    /// Its rank when a stream begins.
    fileprivate var rank: Int {
        if id != nil { return 1 }
        return order == .max ? 2 : 0
    }
}
