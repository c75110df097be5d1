// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// What is published of every display, and the one counter of revisions.
///
/// States are numbered and put into the hub inside one lock, so the hub sees them in the order of their revisions.
final class StateLedger: Sendable {
    struct Published: Sendable {
        var state: DisplayState
        var boosts: BoostTable
        var deadline: Instant?
        /// Whether it is told of; while it is not, its panel is unplugged.
        var isPresent: Bool
        /// It is never told of again.
        var isWithdrawn = false
    }

    private struct State {
        var revision = Revision(0)
        /// In the order in which they came.
        var displays: [Published] = []
        private var places: [DisplayID: Int] = [:]

        func place(of id: DisplayID) -> Int? { places[id] }

        mutating func publish(_ model: DisplayModel, isPresent: Bool) -> DisplayState {
            revision = revision.next
            let new = model.state(at: revision)
            put(new, model.boosts, deadline: model.nextDeadline, isPresent: isPresent)
            return new
        }

        mutating func put(_ state: DisplayState, _ boosts: BoostTable, deadline: Instant?, isPresent: Bool) {
            if let place = places[state.id] {
                displays[place].state = state
                displays[place].boosts = boosts
                displays[place].deadline = deadline
                displays[place].isPresent = isPresent
            } else {
                places[state.id] = displays.count
                displays.append(Published(state: state, boosts: boosts, deadline: deadline, isPresent: isPresent))
            }
        }

        /// All there is to tell of a display that is here now.
        mutating func introduce(_ model: DisplayModel) -> [Notification] {
            let published = publish(model, isPresent: true)
            let leases = model.boosts.all.map { LeaseEvent($0, .granted) }
            return leases.map { .boost($0, at: published.revision) }
                + [.brightness(published), .display(model.id, .added)]
        }
    }

    private let state = Mutex(State())
    private let newest = Atomic<UInt64>(0)
    private let poster: NotificationPoster

    init(poster: NotificationPoster) { self.poster = poster }

    /// The newest revision of any display, without a lock: for asking whether anything is new at all.
    var revision: Revision { Revision(newest.load(ordering: .acquiring)) }

    var all: (revision: Revision, states: [DisplayState]) {
        state.withLock { ($0.revision, $0.displays.filter(\.isPresent).map(\.state)) }
    }

    /// Of the first display that is here; if none is, of the first that ever was.
    var first: DisplayState? {
        state.withLock { state in
            let place = state.displays.firstIndex { $0.isPresent } ?? state.displays.indices.first
            return place.map { state.displays[$0].state }
        }
    }

    /// Also those that are not told of.
    var displays: [DisplayID] { state.withLock { $0.displays.map(\.state.id) } }

    subscript(id: DisplayID) -> Published? {
        state.withLock { state in state.place(of: id).map { state.displays[$0] } }
    }

    /// When the display has something to do; `nil` while it has nothing, or is not known.
    func deadline(of id: DisplayID) -> Instant? {
        state.withLock { state in state.place(of: id).flatMap { state.displays[$0].deadline } }
    }

    /// The first deadline that is not due yet.
    func nextDeadline(after now: Instant) -> Instant? {
        state.withLock { $0.displays.compactMap(\.deadline).filter { $0 > now }.min() }
    }

    func displays(dueAt now: Instant) -> [DisplayID] {
        state.withLock { $0.displays.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.state.id) }
    }

    /// A display that is new, with the leases of an earlier run that go on.
    func add(_ model: DisplayModel) {
        let wakes = state.withLock { state in post(&state) { $0.introduce(model) } }
        wakes()
    }

    /// A display that is never told of again.
    func withdraw(_ id: DisplayID) {
        let wakes = state.withLock { state in
            guard let place = state.place(of: id), !state.displays[place].isWithdrawn else { return poster.put([]) }
            let wasPresent = state.displays[place].isPresent
            state.displays[place].isWithdrawn = true
            state.displays[place].isPresent = false
            return post(&state) { state in
                state.revision = state.revision.next
                return wasPresent ? [.display(id, .removed)] : []
            }
        }
        wakes()
    }

    /// What a batch of commands made of a display. There is a new revision only if it tells a client something new.
    ///
    /// The lease events go first: whoever has seen the state's revision has seen them too. Of a display that is not
    /// here nothing is told but that leases end.
    func commit(_ model: DisplayModel, _ events: [LeaseEvent], isPresent: Bool = true) -> DisplayState {
        var published: DisplayState?
        let wakes = state.withLock { state in
            // One that is being added is told of by that.
            guard let place = state.place(of: model.id) else { return poster.put([]) }
            let isWithdrawn = state.displays[place].isWithdrawn
            let (isPresent, wasPresent) = (isPresent && !isWithdrawn, state.displays[place].isPresent)
            if isPresent == wasPresent, events.isEmpty, !model.differs(from: state.displays[place].state) {
                state.displays[place].deadline = model.nextDeadline
                published = state.displays[place].state
                return poster.put([])
            }
            return post(&state) { state in
                defer { published = state.displays[place].state }
                if isPresent, !wasPresent { return state.introduce(model) }
                let new = state.publish(model, isPresent: isPresent)
                let told = events.filter { isPresent || $0.change.isEnd }.map {
                    Notification.boost($0, at: new.revision)
                }
                if isPresent { return told + [.brightness(new)] }
                return wasPresent ? told + [.brightness(new), .display(model.id, .removed)] : told
            }
        }
        wakes()
        return published ?? model.state(at: Revision(0))
    }

    /// What is said of a display whose rules are not kept here. There is a new revision only if it is something new.
    func publish(_ state: DisplayState, _ boosts: BoostTable, _ events: [LeaseEvent]) {
        let wakes = self.state.withLock { ledger in
            let known = ledger.place(of: state.id).map { ledger.displays[$0] }
            var new = state
            new.revision = known?.state.revision ?? new.revision
            if let known, known.isPresent, known.state == new, events.isEmpty { return poster.put([]) }
            return post(&ledger) { ledger in
                ledger.revision = ledger.revision.next
                new.revision = ledger.revision
                ledger.put(new, boosts, deadline: nil, isPresent: true)
                let told = events.map { Notification.boost($0, at: new.revision) } + [.brightness(new)]
                return known?.isPresent == true ? told : told + [.display(new.id, .added)]
            }
        }
        wakes()
    }

    /// The number is told last: whoever sees it finds the state in the hub.
    private func post(_ state: inout State, _ publish: (inout State) -> [Notification]) -> Wakes {
        let wakes = poster.put(publish(&state))
        newest.store(state.revision.number, ordering: .releasing)
        return wakes
    }
}
