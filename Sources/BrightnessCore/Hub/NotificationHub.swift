// SPDX-License-Identifier: Apache-2.0
internal import Conflation
import Synchronization

/// The one place every fact passes through.
///
/// ```
///   poster ──put──►  retained (newest of each key)  ──copy──► a newcomer's mailbox
///                └►  the mailbox of every listener whose filter includes it ──► wake
/// ```
///
/// - A listener starts with every retained notification it asked for, atomically with reading: it never sees an older
///   fact after a newer one, and always ends on the newest.
/// - All mailboxes are filled inside the lock; wakes happen outside it and mean only "look".
/// - Any thread.
package final class NotificationHub: Sendable {
    struct ListenerID: Hashable, Sendable {
        let number: UInt64
    }

    private struct Entry {
        let filter: NotificationFilter
        var mailbox = Mailbox()
        let wake: @Sendable () -> Void
    }

    private struct State {
        var retained = ConflatingQueue<Notification.Key, Notification>()
        var listeners: [ListenerID: Entry] = [:]
        /// By the number of the kind.
        var counts = Notification.Kind.allCases.map { _ in UInt64(0) }
        var lastListener: UInt64 = 0
        var ends = RecentEnds()
        var health: Health?
        var followers = LightFollowers()

        /// Also puts what follows from the fact.
        mutating func take(_ notification: Notification, wakes: inout [@Sendable () -> Void]) {
            put(notification, wakes: &wakes)
            if health?.take(notification) == true, let health { put(.health(health), wakes: &wakes) }
            if followers.take(notification) { put(.following(!followers.isEmpty), wakes: &wakes) }
        }

        private mutating func put(_ notification: Notification, wakes: inout [@Sendable () -> Void]) {
            counts[notification.kind.rawValue] += 1
            retain(notification)
            // Not `for index in listeners.values.indices`: that holds a copy, so every post would copy every mailbox.
            var index = listeners.values.startIndex
            while index != listeners.values.endIndex {
                if listeners.values[index].filter.includes(notification) {
                    if listeners.values[index].mailbox.isEmpty { wakes.append(listeners.values[index].wake) }
                    listeners.values[index].mailbox.put(notification)
                }
                listeners.values.formIndex(after: &index)
            }
        }

        mutating func retain(_ notification: Notification) {
            ends.put(notification)
            guard let key = notification.key else { return }
            switch notification.retention {
            case .retained: retained.append(notification, for: key)
            case .passing: retained.removeValue(for: key)
            case .transient: break
            }
            // With a display go its state and its leases.
            if case .display(let id, .removed, _) = notification { retained.removeOldest { $0.displayID == id } }
        }

        mutating func add(
            _ filter: NotificationFilter,
            withEnds: Bool,
            wake: @escaping @Sendable () -> Void
        ) -> (ListenerID, horizon: Revision) {
            lastListener += 1
            let id = ListenerID(number: lastListener)
            var entry = Entry(filter: filter, wake: wake)
            if withEnds { for end in ends.all where filter.includes(end) { entry.mailbox.put(end) } }
            for notification in retained.values where filter.includes(notification) {
                entry.mailbox.put(notification)
            }
            listeners[id] = entry
            return (id, ends.horizon)
        }
    }

    private let state: Mutex<State>

    /// - Parameter health: Derived from all facts and posted behind them, from this one on; `nil` to derive none.
    package init(health: Health? = nil) {
        var state = State()
        state.health = health
        if let health { state.retain(.health(health)) }
        self.state = Mutex(state)
    }

    /// The facet of those who may say something.
    package var poster: NotificationPoster { NotificationPoster(hub: self) }

    /// The facet of those who may only listen.
    package var source: NotificationSource { NotificationSource(hub: self) }

    func put(_ notifications: [Notification]) -> PendingWakes {
        PendingWakes(
            state.withLock { state in
                var wakes: [@Sendable () -> Void] = []
                for notification in notifications { state.take(notification, wakes: &wakes) }
                return wakes
            }
        )
    }

    func add(
        _ filter: NotificationFilter,
        withEnds: Bool,
        wake: @escaping @Sendable () -> Void
    ) -> (ListenerID, horizon: Revision) {
        state.withLock { $0.add(filter, withEnds: withEnds, wake: wake) }
    }

    /// - Returns: All that waits, and how much of it was forgotten.
    func drain(_ id: ListenerID) -> (notifications: [Notification], forgotten: Int) {
        // Taken inside the lock, put in order outside.
        var mailbox = state.withLock { state in
            let full = state.listeners[id]?.mailbox
            state.listeners[id]?.mailbox = Mailbox()
            return full ?? Mailbox()
        }
        let forgotten = mailbox.forgotten
        return (mailbox.drain(), forgotten)
    }

    func remove(_ id: ListenerID) {
        _ = state.withLock { $0.listeners.removeValue(forKey: id) }
    }

    func posts(of kind: Notification.Kind) -> UInt64 { state.withLock { $0.counts[kind.rawValue] } }

    func retained(_ key: Notification.Key) -> Notification? {
        state.withLock { $0.retained[key] }
    }
}

/// The wakes that a post owes. To be called once, outside every lock.
package struct PendingWakes: ~Copyable, Sendable {
    private let wakes: [@Sendable () -> Void]

    init(_ wakes: [@Sendable () -> Void]) { self.wakes = wakes }

    package consuming func callAsFunction() {
        for wake in wakes { wake() }
    }
}

/// The displays of this machine that follow the light, or would if a person had not just set them.
private struct LightFollowers: Sendable {
    private var ids: Set<DisplayID> = []

    var isEmpty: Bool { ids.isEmpty }

    /// Adds a fact. Returns whether the first display follows now, or none any more.
    mutating func take(_ notification: Notification) -> Bool {
        let wasEmpty = ids.isEmpty
        switch notification {
        case .brightness(let state) where state.automatic.isEnabled && state.kind != .remote: ids.insert(state.id)
        case .brightness(let state): ids.remove(state.id)
        case .display(let id, .removed, _): ids.remove(id)
        case .display, .boost, .ambient, .audience, .following, .journal, .broker, .health, .room, .failure: break
        }
        return ids.isEmpty != wasEmpty
    }
}

/// The newest ends of leases and displays, for clients that come back and must learn what is over.
struct RecentEnds: Sendable {
    /// At least this many are kept, and fewer than twice as many.
    static let limit = 256

    /// Oldest first.
    private(set) var all: [Notification] = []
    /// All ends after this revision are here; earlier ones may be missing.
    private(set) var horizon = Revision(0)

    mutating func put(_ notification: Notification) {
        guard notification.end != nil else { return }
        all.append(notification)
        guard all.count == 2 * Self.limit else { return }
        for forgotten in all.prefix(Self.limit) { horizon = max(horizon, forgotten.end ?? horizon) }
        all.removeFirst(Self.limit)
    }
}
