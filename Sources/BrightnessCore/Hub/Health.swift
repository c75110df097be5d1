// SPDX-License-Identifier: Apache-2.0

/// The health of the daemon: its displays, its journal and its broker. Reported by `/readyz` and `health` events.
package struct Health: Hashable, Sendable {
    /// The unavailable displays of this machine, sorted by id.
    package private(set) var unavailable: [DisplayID] = []
    /// `nil` if boosts are kept in memory only.
    package private(set) var journal: JournalHealth?
    /// `nil` without a broker.
    package private(set) var broker: BrokerHealth?
    package private(set) var schedules = ScheduleHealth.none

    package init() {}

    /// Whether every display of this machine can be read and shows its brightness. A failing journal and an unreachable
    /// broker are reported, but do not change this. Nor does an unset clock, which schedules wait for.
    package var isReady: Bool { unavailable.isEmpty }

    /// Adds a fact. Returns whether the health changed.
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
        case .schedules(let report):
            let health = ScheduleHealth(report)
            defer { schedules = health }
            return schedules != health
        case .lease, .ambient, .display, .audience, .following, .activity, .health, .room, .failure:
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

/// The state of the connection to the MQTT broker.
package enum BrokerHealth: Hashable, Sendable {
    /// The first connection attempt is in progress.
    case connecting
    /// The broker accepted the connection. `limitation` states, for people, which operation the broker rejects.
    case connected(limitation: String? = nil)
    /// The connection failed and is retried. The payload is the reason, for people.
    case away(String)
}

/// Whether the schedules are carried out.
package enum ScheduleHealth: Hashable, Sendable {
    /// There are no schedules.
    case none
    /// The wall clock is not set, as at the start of a machine without a clock battery: no schedule is in force.
    case waiting
    case running

    init(_ report: ScheduleReport) {
        self = report.schedules.isEmpty ? .none : report.isClockSet ? .running : .waiting
    }
}
