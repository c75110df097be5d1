// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The published state of every known display, what executes its commands, and the one counter of revisions.
///
/// - States are numbered and put into the hub inside one lock, so the hub sees them in the order of their revisions.
/// - A display has one owner, decided inside that lock: a panel of this machine takes an id from a mirrored display, never the
///   other way round.
/// - Nothing is kept of a display that was withdrawn. Only its owner at that moment publishes a display, so a batch of
///   commands that is still under way does not bring it back.
final class DisplayStateStore: Sendable {
    /// Who has a display's rules.
    enum Owner: Sendable {
        case worker(DisplayWorker)
        /// Another daemon, and the way to it.
        case mirror(any CommandExecutor)

        var isOwn: Bool { worker != nil }

        var worker: DisplayWorker? { if case .worker(let worker) = self { worker } else { nil } }

        var executor: any CommandExecutor {
            switch self {
            case .worker(let worker): worker
            case .mirror(let executor): executor
            }
        }
    }

    struct Published: Sendable {
        var state: DisplayState
        var boosts: LeaseTable
        var deadline: Instant?
        /// Whether it is published; while it is not, its panel is unplugged.
        var isPresent: Bool
        var owner: Owner
    }

    private let state = Mutex(KnownDisplays())
    private let newest = Atomic<UInt64>(0)
    private let poster: NotificationPoster

    init(poster: NotificationPoster) { self.poster = poster }

    /// The newest revision of any display, without a lock: for asking whether anything is new at all.
    var revision: Revision { Revision(newest.load(ordering: .acquiring)) }

    var all: (revision: Revision, states: [DisplayState]) {
        state.withLock { ($0.revision, $0.all.filter(\.isPresent).map(\.state)) }
    }

    /// Of the first display that is here; if none is, of the first that is unplugged.
    var first: DisplayState? {
        state.withLock { known in (known.all.first(where: \.isPresent) ?? known.all.first { _ in true })?.state }
    }

    /// Also those that are unplugged.
    var displays: [DisplayID] { state.withLock { $0.all.map(\.state.id) } }

    /// The displays of this machine, also those that are unplugged.
    var workers: [(id: DisplayID, worker: DisplayWorker)] {
        state.withLock { $0.all.compactMap { display in display.owner.worker.map { (display.state.id, $0) } } }
    }

    func owner(of id: DisplayID) -> Owner? { state.withLock { $0[id]?.owner } }

    subscript(id: DisplayID) -> Published? { state.withLock { $0[id] } }

    /// When the display has something to do; `nil` while it has nothing, or is not known.
    func deadline(of id: DisplayID) -> Instant? { state.withLock { $0[id]?.deadline } }

    /// The first deadline that is not due yet.
    func nextDeadline(after now: Instant) -> Instant? {
        state.withLock { $0.all.compactMap(\.deadline).filter { $0 > now }.min() }
    }

    func displays(dueAt now: Instant) -> [DisplayID] {
        state.withLock { $0.all.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.state.id) }
    }

    /// A new display of this machine, with the leases of an earlier run that go on. A mirrored display of its id gives way.
    ///
    /// - Throws: `.taken` when another display of this machine has the id.
    func add(_ model: DisplayModel, _ worker: DisplayWorker) throws(DeviceError) {
        var isTaken = false
        post { known in
            isTaken = known[model.id]?.owner.isOwn ?? false
            return isTaken ? [] : known.remove(model.id) + known.introduce(model, .worker(worker))
        }
        if isTaken { throw .taken(model.id) }
    }

    /// Forgets a display if its owner is the one that is meant. Its leases are over.
    func withdraw(_ id: DisplayID, where isMeant: (Owner) -> Bool) {
        post { known in known[id].map { isMeant($0.owner) } ?? false ? known.remove(id) : [] }
    }

    /// What a batch of commands made of a display. There is a new revision only if it tells a client something new.
    ///
    /// The lease events go first: whoever has seen the state's revision has seen them too. Of a display that is not
    /// here nothing is told but that leases end.
    ///
    /// - Returns: The newest state; `nil` if the display is not this worker's any more.
    func commit(
        _ model: DisplayModel,
        _ events: [LeaseEvent],
        by worker: DisplayWorker,
        isPresent: Bool = true
    ) -> DisplayState? {
        var published: DisplayState?
        post { known in
            guard let old = known[model.id], old.owner.worker === worker else { return [] }
            defer { published = known[model.id]?.state }
            if isPresent == old.isPresent, events.isEmpty, !model.differs(from: old.state) {
                known[model.id]?.deadline = model.nextDeadline
                return []
            }
            if isPresent, !old.isPresent { return known.introduce(model, old.owner) }
            let new = known.publish(model, isPresent: isPresent, old.owner)
            let told = events.filter { isPresent || $0.change.isEnd }.map { Notification.boost($0, at: new.revision) }
            if isPresent { return told + [.brightness(new)] }
            guard old.isPresent else { return told }
            // Of its own, so that a client that resumes after the state's is still notified of the removal.
            known.revision = known.revision.next
            return told + [.brightness(new), .display(model.id, .removed, at: known.revision)]
        }
        return published
    }

    /// Publishes a display whose rules are not kept here. There is a new revision only if it is something new.
    ///
    /// - Returns: Whether it is published. It is not if a display of this machine has the id.
    func publish(
        _ state: DisplayState,
        boosts: LeaseTable,
        events: [LeaseEvent],
        executedBy executor: any CommandExecutor
    ) -> Bool {
        var isOwn = false
        post { known in
            let old = known[state.id]
            isOwn = old?.owner.isOwn ?? false
            if isOwn { return [] }
            var new = state
            new.revision = old?.state.revision ?? new.revision
            if old?.state == new, events.isEmpty { return [] }
            known.revision = known.revision.next
            new.revision = known.revision
            known[new.id] = Published(state: new, boosts: boosts, isPresent: true, owner: .mirror(executor))
            let told = events.map { Notification.boost($0, at: new.revision) } + [.brightness(new)]
            return old == nil ? told + [.display(new.id, .added, at: new.revision)] : told
        }
        return !isOwn
    }

    /// Changes displays inside the lock, and wakes listeners outside it. The number is stored last: whoever reads it finds the
    /// state in the hub.
    private func post(_ change: (inout KnownDisplays) -> [Notification]) {
        let wakes = state.withLock { known in
            let wakes = poster.put(change(&known))
            newest.store(known.revision.number, ordering: .releasing)
            return wakes
        }
        wakes()
    }
}
