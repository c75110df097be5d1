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
        var isPresent = true
        /// It is never told of again.
        var isWithdrawn = false
    }

    private struct State {
        var revision = Revision(0)
        var order: [DisplayID] = []
        var displays: [DisplayID: Published] = [:]

        mutating func publish(_ model: DisplayModel) -> DisplayState {
            revision = revision.next
            let new = model.state(at: revision)
            var published = displays[model.id] ?? Published(state: new, boosts: model.boosts)
            (published.state, published.boosts, published.deadline) = (new, model.boosts, model.nextDeadline)
            displays[model.id] = published
            return new
        }

        /// All there is to tell of a display that is here now.
        mutating func introduce(_ model: DisplayModel) -> [Notification] {
            displays[model.id]?.isPresent = true
            let published = publish(model)
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
        state.withLock { state in
            (state.revision, state.order.compactMap { state.displays[$0] }.filter(\.isPresent).map(\.state))
        }
    }

    /// Also those that are not told of.
    var displays: [DisplayID] { state.withLock { $0.order } }

    subscript(id: DisplayID) -> Published? { state.withLock { $0.displays[id] } }

    /// The first deadline that is not due yet.
    func nextDeadline(after now: Instant) -> Instant? {
        state.withLock { $0.displays.values.compactMap(\.deadline).filter { $0 > now }.min() }
    }

    func displays(dueAt now: Instant) -> [DisplayID] {
        state.withLock { state in
            state.order.filter { id in state.displays[id]?.deadline.map { $0 <= now } ?? false }
        }
    }

    /// A display that is new, with the leases of an earlier run that go on.
    func add(_ model: DisplayModel) {
        let wakes = state.withLock { state in
            state.order.append(model.id)
            return post(&state) { $0.introduce(model) }
        }
        wakes()
    }

    /// A display that is never told of again.
    func withdraw(_ id: DisplayID) {
        let wakes = state.withLock { state in
            guard let known = state.displays[id], !known.isWithdrawn else { return poster.put([]) }
            state.displays[id]?.isWithdrawn = true
            state.displays[id]?.isPresent = false
            return post(&state) { state in
                state.revision = state.revision.next
                return known.isPresent ? [.display(id, .removed)] : []
            }
        }
        wakes()
    }

    /// What a batch of commands made of a display. There is a new revision only if it tells a client something new.
    ///
    /// The lease events go first: whoever has seen the state's revision has seen them too. Of a display that is not
    /// here nothing is told but that leases end.
    func commit(_ model: DisplayModel, _ events: [LeaseEvent], isPresent: Bool = true) -> DisplayState {
        var published = model.state(at: Revision(0))
        let wakes = state.withLock { state in
            // One that is being added is told of by that.
            guard let known = state.displays[model.id] else { return poster.put([]) }
            let isPresent = isPresent && !known.isWithdrawn
            if isPresent == known.isPresent, events.isEmpty, !model.differs(from: known.state) {
                state.displays[model.id]?.deadline = model.nextDeadline
                published = known.state
                return poster.put([])
            }
            return post(&state) { state in
                defer { published = state.displays[model.id]?.state ?? published }
                if isPresent, !known.isPresent { return state.introduce(model) }
                let new = state.publish(model)
                state.displays[model.id]?.isPresent = isPresent
                let told = events.filter { isPresent || $0.change.isEnd }.map {
                    Notification.boost($0, at: new.revision)
                }
                if isPresent { return told + [.brightness(new)] }
                return known.isPresent ? told + [.brightness(new), .display(model.id, .removed)] : told
            }
        }
        wakes()
        return published
    }

    /// What is said of a display whose rules are not kept here. There is a new revision only if it is something new.
    func publish(_ state: DisplayState, _ boosts: BoostTable, _ events: [LeaseEvent]) {
        let wakes = self.state.withLock { ledger in
            let known = ledger.displays[state.id]
            var new = state
            new.revision = known?.state.revision ?? new.revision
            if let known, known.isPresent, known.state == new, events.isEmpty { return poster.put([]) }
            return post(&ledger) { ledger in
                ledger.revision = ledger.revision.next
                new.revision = ledger.revision
                if known == nil { ledger.order.append(new.id) }
                ledger.displays[new.id] = Published(state: new, boosts: boosts)
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
