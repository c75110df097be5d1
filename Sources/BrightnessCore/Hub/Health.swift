// SPDX-License-Identifier: Apache-2.0

/// Whether the daemon does its work: its displays, its journal and its broker. `/readyz` and `health` events report it.
package struct Health: Hashable, Sendable {
    /// The displays of this machine that are not available, by id.
    package private(set) var unavailable: [DisplayID] = []
    /// `nil` where boosts are kept in memory only.
    package private(set) var journal: JournalHealth?
    /// `nil` without a broker.
    package private(set) var broker: BrokerHealth?

    package init() {}

    /// Whether every display of this machine can be read and shows its brightness. A journal that fails and a broker that is
    /// away are reported, and do not change that.
    package var isReady: Bool { unavailable.isEmpty }

    /// Adds a fact. Returns whether the health is another one now.
    mutating func take(_ notification: Notification) -> Bool {
        switch notification {
        case .brightness(let state):
            return mark(state.id, isUnavailable: !state.isAvailable && state.kind != .remote)
        case .display(let id, .removed, _):
            return mark(id, isUnavailable: false)
        case .journal(let health):
            defer { journal = health }
            return journal != health
        case .broker(let health):
            defer { broker = health }
            return broker != health
        case .boost, .ambient, .display, .audience, .following, .health, .room, .failure:
            return false
        }
    }

    private mutating func mark(_ id: DisplayID, isUnavailable: Bool) -> Bool {
        let known = unavailable.firstIndex(of: id)
        if let known, !isUnavailable { unavailable.remove(at: known) }
        if known == nil, isUnavailable {
            let place = unavailable.firstIndex { $0.text > id.text } ?? unavailable.endIndex
            unavailable.insert(id, at: place)
        }
        return (known != nil) != isUnavailable
    }
}

/// Whether what is told reaches the MQTT broker, and what is asked there reaches the daemon.
package enum BrokerHealth: Hashable, Sendable {
    /// For the first time.
    case connecting
    /// The broker has taken the daemon. `limitation` is what it does not let the daemon do, for people.
    case connected(limitation: String? = nil)
    /// There is no connection; it is tried again. Why, for people.
    case away(String)
}
