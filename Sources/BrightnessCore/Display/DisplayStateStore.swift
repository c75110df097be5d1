// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The published state of every known display, its command executor, and the counter of revisions.
///
/// - States are numbered and posted to the hub inside one lock, so the hub receives them in the order of their
///   revisions.
/// - A display has one owner, decided inside that lock. A panel of this machine replaces a mirrored display with the
///   same id, never the reverse. A device precedes a client's display in the same way.
/// - A withdrawn display is removed completely. Only the current owner publishes a display, so a batch that is still
///   executing does not bring it back.
final class DisplayStateStore: Sendable {
    /// The part of the program that applies a display's rules.
    enum Owner: Sendable {
        case worker(DisplayWorker)
        /// Another daemon, reached by this executor.
        case mirror(any CommandExecutor)

        var isOwn: Bool { worker != nil }

        var worker: DisplayWorker? { if case .worker(let worker) = self { worker } else { nil } }
    }

    /// The published values of a display. An object, so that reading one property copies nothing else.
    final class Published: Sendable {
        let state: DisplayState
        let leases: LeaseTable
        /// The lessons of automatic brightness; `nil` for a display of another daemon.
        let lessons: [BrightnessCurve.Point]?
        /// The settings and the device's own name; `nil` for a display of another daemon.
        let settings: (DisplaySettings, deviceName: String)?
        let deadline: Instant?
        /// When the baseline last became another one, and when somebody or a schedule last set it, in this run.
        let changedAt: Moment?
        let setAt: Instant?
        /// Whether the display is published. `false` while its panel is unplugged.
        let isPresent: Bool
        let owner: Owner

        /// A display whose rules another daemon applies.
        init(_ state: DisplayState, _ leases: LeaseTable, by executor: any CommandExecutor) {
            self.state = state
            self.leases = leases
            (lessons, settings) = (nil, nil)
            (deadline, changedAt, setAt) = (nil, nil, nil)
            isPresent = true
            owner = .mirror(executor)
        }

        init(_ state: DisplayState, of model: DisplayModel, isPresent: Bool, _ owner: Owner) {
            self.state = state
            leases = model.leases
            lessons = model.automatic.record.lessons
            settings = (model.settings, model.deviceName)
            (deadline, changedAt, setAt) = (model.nextDeadline, model.changedAt, model.setAt)
            self.isPresent = isPresent
            self.owner = owner
        }
    }

    private let state = Mutex(KnownDisplays())
    private let newest = Atomic<UInt64>(0)
    private let poster: NotificationPoster
    /// The default display if one is named; otherwise it is the first one.
    private let namedDefault: DisplayID?

    /// - Parameter settings: The settings of displays that may appear later.
    init(
        poster: NotificationPoster,
        defaultDisplay: DisplayID? = nil,
        settings: [DisplayID: DisplaySettings] = [:]
    ) {
        self.poster = poster
        namedDefault = defaultDisplay
        state.withLock { $0.settings = settings }
    }

    /// The newest revision of any display. Reads without a lock, to check cheaply for changes.
    var revision: Revision { Revision(newest.load(ordering: .acquiring)) }

    /// The number of known displays, including absent ones.
    var count: Int { state.withLock { $0.count } }

    var all: (revision: Revision, states: [DisplayState]) {
        state.withLock { ($0.revision, $0.all.filter(\.isPresent).map(\.state)) }
    }

    /// The states of this machine's present displays. Costs nothing for mirrored ones.
    var own: [DisplayState] { state.withLock { $0.own.filter(\.isPresent).map(\.state) } }

    /// This machine's displays, unplugged ones included, which are not present.
    var allOwn: [Published] { state.withLock { Array($0.own) } }

    /// The state of the default display: the named one, or the first present one; without one, the first unplugged one.
    /// One that a client provides only if there is no other.
    var defaultState: DisplayState? { state.withLock { defaultState(in: $0) } }

    private func defaultState(in known: KnownDisplays) -> DisplayState? {
        if let namedDefault { return known[namedDefault]?.state }
        let present = known.all.lazy.filter(\.isPresent)
        let first = present.first { $0.state.kind != .provided } ?? present.first { _ in true }
        return (first ?? known.all.first { _ in true })?.state
    }

    /// The ids of all displays, including unplugged ones.
    var displays: [DisplayID] { state.withLock { $0.all.map(\.state.id) } }

    /// The displays of this machine, including unplugged ones.
    var workers: [(id: DisplayID, worker: DisplayWorker)] {
        state.withLock { $0.own.compactMap { display in display.owner.worker.map { (display.state.id, $0) } } }
    }

    /// The settings of this machine's displays, absent ones included.
    var settings: [DisplayID: DisplaySettings] { state.withLock { $0.settings } }

    /// - Parameter settings: `nil` for the device's own.
    func set(_ settings: DisplaySettings?, ofAbsent id: DisplayID) { state.withLock { $0.settings[id] = settings } }

    func owner(of id: DisplayID) -> Owner? { state.withLock { $0[id] }?.owner }

    subscript(id: DisplayID) -> Published? { state.withLock { $0[id] } }

    func nextDeadline(after now: Instant) -> Instant? {
        state.withLock { $0.own.compactMap(\.deadline).filter { $0 > now }.min() }
    }

    func displays(dueAt now: Instant) -> [DisplayID] {
        state.withLock { $0.own.filter { $0.deadline.map { $0 <= now } ?? false }.map(\.state.id) }
    }

    /// Adds a display of this machine with its restored leases. Replaces a mirrored display with the same id; the
    /// machine's own also replaces one that a client provides.
    ///
    /// - Returns: Its settings, which may have changed since the model was made.
    /// - Throws: `.taken` if another display of this machine has the id.
    func add(_ model: DisplayModel, _ worker: DisplayWorker) throws(DeviceError) -> DisplaySettings {
        var (isTaken, settings) = (false, model.settings)
        post { known in
            let old = known[model.id]
            let isOwn = old?.owner.isOwn ?? false
            if !isOwn { settings = known.settings[model.id] ?? .none }
            isTaken = isOwn && (old?.state.provider == nil || model.principal != nil)
            return isTaken ? [] : known.remove(model.id) + known.introduce(model, .worker(worker))
        }
        if isTaken { throw .taken(model.id) }
        return settings
    }

    /// Removes a display if its owner matches. Its leases end.
    func withdraw(_ id: DisplayID, where isMeant: (Owner) -> Bool) {
        post { known in
            guard let display = known[id], isMeant(display.owner) else { return [] }
            return known.remove(id)
        }
    }

    /// Publishes the result of a batch of commands. Creates a revision only if a published property changed.
    ///
    /// Posts lease events first: a client that has the state's revision has received them too. For an absent display
    /// only the ends of leases are posted.
    ///
    /// - Parameter model: Not changed; `inout` avoids a copy.
    /// - Returns: The newest values; `nil` if the worker no longer owns the display.
    func commit(
        _ model: inout DisplayModel,
        _ events: [LeaseEvent],
        by worker: DisplayWorker,
        isPresent: Bool = true
    ) -> Published? {
        var published: Published?
        post { known in
            guard let old = known[model.id], old.owner.worker === worker else { return [] }
            let overridden = model.leases.overridden(since: old.leases)
            let new = model.state(at: known.revision.next)
            if isPresent == old.isPresent, events.isEmpty, overridden.isEmpty, !new.differs(from: old.state) {
                published = known.update(model, to: old.state, isPresent: isPresent, old.owner)
                return []
            }
            if isPresent, !old.isPresent {
                let introduction = known.introduce(model, old.owner)
                published = known[model.id]
                // The returning display has only its leases in force. Clients know those that ended in this batch.
                let ends = events.filter(\.change.isEnd).map { Notification.lease($0, at: known.revision) }
                return ends + introduction
            }
            published = known.update(model, to: new, isPresent: isPresent, old.owner)
            let changes = events + overridden.map { LeaseEvent($0, .renewed) }
            let reported = changes.filter { isPresent || $0.change.isEnd }.map {
                Notification.lease($0, at: new.revision)
            }
            if isPresent { return reported + [.state(new)] }
            guard old.isPresent else { return reported }
            // A revision of its own, so that a client that resumes after the state's still receives the removal.
            known.revision = known.revision.next
            return reported + [.state(new), .display(model.id, .removed, at: known.revision)]
        }
        return published
    }

    /// Publishes a display whose rules another daemon applies. Creates a revision only if a published property changed.
    ///
    /// - Returns: Whether it is published. It is not if a display of this machine has the id.
    func publish(
        _ state: DisplayState,
        leases: LeaseTable,
        events: [LeaseEvent],
        executedBy executor: any CommandExecutor
    ) -> Bool {
        var isOwn = false
        post { known in
            let old = known[state.id]
            isOwn = old?.owner.isOwn ?? false
            if isOwn { return [] }
            if let old, events.isEmpty, old.state.isSame(as: state) { return [] }
            known.revision = known.revision.next
            var new = state
            new.revision = known.revision
            known[new.id] = Published(new, leases, by: executor)
            let reported = events.map { Notification.lease($0, at: new.revision) } + [.state(new)]
            return old == nil ? reported + [.display(new.id, .added, at: new.revision)] : reported
        }
        return !isOwn
    }

    /// Changes displays inside the lock and wakes listeners outside it. Stores the revision last: a client that has
    /// read it finds the state in the hub.
    private func post(_ change: (inout KnownDisplays) -> [Notification]) {
        let wakes = state.withLock { known in
            var notifications = change(&known)
            let defaultDisplay = defaultState(in: known)?.id
            if known.defaultDisplay != defaultDisplay {
                known.defaultDisplay = defaultDisplay
                notifications.append(.defaultDisplay(defaultDisplay))
            }
            let wakes = poster.put(notifications)
            newest.store(known.revision.number, ordering: .releasing)
            return wakes
        }
        wakes()
    }
}
