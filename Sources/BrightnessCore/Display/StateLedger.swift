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
    }

    private struct State {
        var revision = Revision(0)
        var order: [DisplayID] = []
        var displays: [DisplayID: Published] = [:]

        mutating func publish(_ model: DisplayModel) -> DisplayState {
            revision = revision.next
            let new = model.state(at: revision)
            displays[model.id] = Published(state: new, boosts: model.boosts, deadline: model.nextDeadline)
            return new
        }
    }

    private let state = Mutex(State())
    private let newest = Atomic<UInt64>(0)
    private let poster: NotificationPoster

    init(poster: NotificationPoster) { self.poster = poster }

    /// The newest revision of any display, without a lock: for asking whether anything is new at all.
    var revision: Revision { Revision(newest.load(ordering: .acquiring)) }

    var all: (revision: Revision, states: [DisplayState]) {
        state.withLock { state in (state.revision, state.order.compactMap { state.displays[$0]?.state }) }
    }

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
            return post(&state) { state in
                let published = state.publish(model)
                let leases = model.boosts.all.map { LeaseEvent($0, .granted) }
                return leases.map { .boost($0, at: published.revision) }
                    + [.brightness(published), .display(model.id, .added)]
            }
        }
        wakes()
    }

    /// What a batch of commands made of a display. There is a new revision only if it tells a client something new.
    ///
    /// The lease events go first: whoever has seen the state's revision has seen them too.
    func commit(_ model: DisplayModel, _ events: [LeaseEvent]) -> DisplayState {
        var published = model.state(at: Revision(0))
        let wakes = state.withLock { state in
            if let old = state.displays[model.id]?.state, events.isEmpty, !model.differs(from: old) {
                state.displays[model.id]?.deadline = model.nextDeadline
                published = old
                return poster.put([])
            }
            return post(&state) { state in
                published = state.publish(model)
                return events.map { .boost($0, at: published.revision) } + [.brightness(published)]
            }
        }
        wakes()
        return published
    }

    /// The number is told last: whoever sees it finds the state in the hub.
    private func post(_ state: inout State, _ publish: (inout State) -> [Notification]) -> Wakes {
        let wakes = poster.put(publish(&state))
        newest.store(state.revision.number, ordering: .releasing)
        return wakes
    }
}
