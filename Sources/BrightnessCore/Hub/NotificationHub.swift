// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// The hub that every notification passes through. Any thread.
///
/// ```
///   poster ──put──►  retained (newest of each key)  ──copy──► a new listener's mailbox
///                └►  the mailbox of every listener whose filter includes it ──► wake
/// ```
///
/// - A new listener first receives every retained notification in its filter, atomically with subscribing. So it never
///   receives an older one after a newer one, and always ends on the newest.
/// - Mailboxes are filled inside the lock. Wakes happen outside it and mean only "drain the mailbox".
package final class NotificationHub: Sendable {
    struct ListenerID: Equatable, Sendable {
        let number: UInt64
    }

    private struct Entry {
        let id: ListenerID
        let filter: NotificationFilter
        var mailbox: Mailbox
        let wake: @Sendable () -> Void
    }

    private struct State {
        var retained = ConflatingQueue<Notification.Key, Notification>()
        /// The leases among `retained`.
        var leases: [DisplayID: Set<LeaseID>] = [:]
        var listeners: [Entry] = []
        /// The number of posts of each kind, indexed by its raw value.
        var counts = Notification.Kind.allCases.map { _ in UInt64(0) }
        var lastListener: UInt64 = 0
        var ends = RecentEnds()
        var health: Health?
        var followers = LightFollowers()

        mutating func expect(_ displays: Set<DisplayID>, wakes: inout [@Sendable () -> Void]) {
            health?.expect(displays)
            if let health { put(.health(health), wakes: &wakes) }
        }

        /// Delivers a notification and those derived from it.
        mutating func receive(_ notification: Notification, wakes: inout [@Sendable () -> Void]) {
            put(notification, wakes: &wakes)
            if health?.receive(notification) == true, let health { put(.health(health), wakes: &wakes) }
            if followers.receive(notification) { put(.following(!followers.isEmpty), wakes: &wakes) }
        }

        private mutating func put(_ notification: Notification, wakes: inout [@Sendable () -> Void]) {
            counts[notification.kind.rawValue] += 1
            updateRetained(by: notification)
            for index in listeners.indices where listeners[index].filter.includes(notification) {
                if listeners[index].mailbox.isEmpty { wakes.append(listeners[index].wake) }
                listeners[index].mailbox.put(notification)
                listeners[index].mailbox.forget(unless: { retained[$0] != nil }, beyond: retained.count)
            }
        }

        mutating func updateRetained(by notification: Notification) {
            ends.put(notification)
            guard let key = notification.key else { return }
            switch notification.retention {
            case .retained:
                retained.append(notification, for: key)
                if let display = key.display, let lease = key.lease { leases[display, default: []].insert(lease) }
            case .passing:
                retained.removeValue(for: key)
                if let display = key.display, let lease = key.lease { forget(lease, of: display) }
            case .transient: break
            }
            if case .display(let id, .removed, _) = notification { forget(id) }
        }

        private mutating func forget(_ lease: LeaseID, of display: DisplayID) {
            leases[display]?.remove(lease)
            if leases[display]?.isEmpty == true { leases[display] = nil }
        }

        /// Removes the state and the leases of a removed display.
        private mutating func forget(_ display: DisplayID) {
            retained.removeValue(for: Notification.Key(kind: .state, display: display))
            for lease in leases.removeValue(forKey: display) ?? [] {
                retained.removeValue(for: Notification.Key(kind: .lease, display: display, lease: lease))
            }
        }

        mutating func add(
            _ filter: NotificationFilter,
            withEnds: Bool,
            keepsStates: Bool,
            wake: @escaping @Sendable () -> Void
        ) -> (ListenerID, endsKnownSince: Revision) {
            lastListener += 1
            let id = ListenerID(number: lastListener)
            var entry = Entry(id: id, filter: filter, mailbox: Mailbox(keepsStates: keepsStates), wake: wake)
            if withEnds { for end in ends.all where filter.includes(end) { entry.mailbox.put(end) } }
            for notification in retained.values where filter.includes(notification) {
                entry.mailbox.put(notification)
            }
            listeners.append(entry)
            return (id, ends.knownSince)
        }
    }

    private let state: Mutex<State>

    /// - Parameter health: The initial health. The hub derives later ones from what is posted, and posts them after it;
    ///   `nil` derives none.
    package init(health: Health? = nil) {
        var state = State()
        state.health = health
        if let health { state.updateRetained(by: .health(health)) }
        self.state = Mutex(state)
    }

    /// Reports displays that an earlier run has changed: the daemon is not ready until they have come back.
    package func expect(_ displays: Set<DisplayID>) {
        if displays.isEmpty { return }
        let pending = PendingWakes(
            state.withLock { state in
                var wakes: [@Sendable () -> Void] = []
                state.expect(displays, wakes: &wakes)
                return wakes
            }
        )
        pending()
    }

    package var poster: NotificationPoster { NotificationPoster(hub: self) }

    package var source: NotificationSource { NotificationSource(hub: self) }

    func put(_ notifications: [Notification]) -> PendingWakes {
        PendingWakes(
            state.withLock { state in
                var wakes: [@Sendable () -> Void] = []
                for notification in notifications { state.receive(notification, wakes: &wakes) }
                return wakes
            }
        )
    }

    func add(
        _ filter: NotificationFilter,
        withEnds: Bool,
        keepsStates: Bool,
        wake: @escaping @Sendable () -> Void
    ) -> (ListenerID, endsKnownSince: Revision) {
        state.withLock { $0.add(filter, withEnds: withEnds, keepsStates: keepsStates, wake: wake) }
    }

    /// - Returns: All unread notifications, and the number of dropped ones.
    func drain(_ id: ListenerID) -> (notifications: [Notification], dropped: Int) {
        // Taken inside the lock, sorted outside it.
        var mailbox = state.withLock { state in
            guard let index = state.listeners.firstIndex(where: { $0.id == id }) else { return Mailbox() }
            let full = state.listeners[index].mailbox
            state.listeners[index].mailbox = full.emptied
            return full
        }
        let dropped = mailbox.dropped
        return (mailbox.drain(), dropped)
    }

    func remove(_ id: ListenerID) {
        state.withLock { $0.listeners.removeAll { $0.id == id } }
    }

    func posts(of kind: Notification.Kind) -> UInt64 { state.withLock { $0.counts[kind.rawValue] } }

    func retained(_ key: Notification.Key) -> Notification? {
        state.withLock { $0.retained[key] }
    }
}

/// The pending wakes of a post. Call it once, outside every lock.
package struct PendingWakes: ~Copyable, Sendable {
    package static var none: PendingWakes { PendingWakes([]) }

    private let wakes: [@Sendable () -> Void]

    init(_ wakes: [@Sendable () -> Void]) { self.wakes = wakes }

    package consuming func callAsFunction() {
        for wake in wakes { wake() }
    }
}

/// The displays of this machine that follow the light, including those with a hold.
private struct LightFollowers: Sendable {
    private var ids: Set<DisplayID> = []

    var isEmpty: Bool { ids.isEmpty }

    /// Returns whether the set became empty or stopped being empty.
    mutating func receive(_ notification: Notification) -> Bool {
        let wasEmpty = ids.isEmpty
        switch notification {
        case .state(let state) where state.automatic.isEnabled && state.kind != .remote: ids.insert(state.id)
        case .state(let state) where !wasEmpty: ids.remove(state.id)
        case .display(let id, .removed, _): ids.remove(id)
        default: break
        }
        return ids.isEmpty != wasEmpty
    }
}

/// The newest ends of leases and displays, for clients that reconnect and missed them.
struct RecentEnds: Sendable {
    /// The minimum number of kept ends; there are always fewer than twice as many.
    static let minimum = 256

    /// The oldest first.
    private(set) var all: [Notification] = []
    /// All ends after this revision are kept; earlier ones may be missing.
    private(set) var knownSince = Revision(0)

    mutating func put(_ notification: Notification) {
        guard notification.end != nil else { return }
        all.append(notification)
        guard all.count == 2 * Self.minimum else { return }
        for forgotten in all.prefix(Self.minimum) { knownSince = max(knownSince, forgotten.end ?? knownSince) }
        all.removeFirst(Self.minimum)
    }
}
