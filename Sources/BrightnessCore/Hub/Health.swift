// SPDX-License-Identifier: Apache-2.0

/// The health of the daemon: its displays, its journal and its broker. Reported by `/readyz` and `health` events.
package struct Health: Hashable, Sendable {
    private var present: Set<DisplayID> = []
    /// The unavailable displays of this machine, sorted by id, without those that wait for a client.
    package private(set) var unavailable: [DisplayID] = []
    /// The displays of this machine with automatic brightness that have nothing to follow, sorted by id.
    package private(set) var waitingForLight: [DisplayID] = []
    /// The displays whose clients are not connected, sorted by id.
    package private(set) var waitingForClient: [DisplayID] = []
    /// The displays that an earlier run has changed and that have not come back, sorted by id.
    package private(set) var pending: [DisplayID] = []
    /// `nil` if boosts are kept in memory only.
    package private(set) var journal: JournalHealth?
    /// `nil` without a broker.
    package private(set) var broker: BrokerHealth?
    /// `nil` without a server for ESPHome clients.
    package private(set) var homeAssistant: HomeAssistantHealth?
    package private(set) var schedules = ScheduleHealth.none

    /// Whether the daemon is not ready without a display of this machine.
    private let needsDisplay: Bool
    /// Whether the daemon is not ready without its broker.
    private let needsBroker: Bool

    /// - Parameters:
    ///   - needsDisplay: `false` for a daemon that only mirrors the displays of others.
    ///   - needsBroker: `true` for one that mirrors displays.
    package init(needsDisplay: Bool = false, needsBroker: Bool = false) {
        self.needsDisplay = needsDisplay
        self.needsBroker = needsBroker
    }

    package var displays: Int { present.count }

    /// The displays that wait for light or for a client, and those that have to come back, sorted by id.
    package var waiting: [DisplayID] {
        Set(waitingForLight + waitingForClient + pending).sorted { $0.text < $1.text }
    }

    /// Whether there is a display of this machine, each can be read and shows its brightness, and none that an earlier
    /// run has changed is missing; for a gateway, whether the broker is connected, too. A failing journal and any other
    /// daemon's unreachable broker are reported, but do not change this. Nor does an unset clock, which schedules wait
    /// for, a missing light sensor, or a client that has left.
    package var isReady: Bool {
        unavailable.isEmpty && pending.isEmpty && !(needsDisplay && present.isEmpty)
            && (!needsBroker || broker?.isConnected ?? false)
    }

    /// Adds displays that have to come back.
    mutating func expect(_ displays: Set<DisplayID>) {
        for id in displays where !present.contains(id) { _ = Self.mark(id, in: &pending, if: true) }
    }

    /// Returns whether the health changed.
    mutating func receive(_ notification: Notification) -> Bool {
        switch notification {
        case .state(let state):
            guard state.kind != .remote else { return forget(state.id) }
            let isNew = present.insert(state.id).inserted
            let isAbandoned = state.unavailable?.isAbandoned ?? false
            let changes = [
                Self.mark(state.id, in: &unavailable, if: !state.isAvailable && !isAbandoned),
                Self.mark(state.id, in: &waitingForLight, if: state.automatic.waiting != nil),
                Self.mark(state.id, in: &waitingForClient, if: isAbandoned),
                Self.mark(state.id, in: &pending, if: false),
            ]
            return isNew || changes.contains(true)
        case .display(let id, .removed, _):
            return forget(id)
        case .journal(let health):
            return Self.replace(&journal, by: health)
        case .broker(let health):
            return Self.replace(&broker, by: health)
        case .homeAssistant(let health):
            return Self.replace(&homeAssistant, by: health)
        case .schedules(let report):
            return Self.replace(&schedules, by: ScheduleHealth(report))
        default:
            return false
        }
    }

    /// Returns whether the new value is another one.
    private static func replace<Value: Equatable>(_ value: inout Value, by new: Value) -> Bool {
        defer { value = new }
        return value != new
    }

    private mutating func forget(_ id: DisplayID) -> Bool {
        guard present.remove(id) != nil else { return false }
        _ = Self.mark(id, in: &unavailable, if: false)
        _ = Self.mark(id, in: &waitingForLight, if: false)
        _ = Self.mark(id, in: &waitingForClient, if: false)
        return true
    }

    /// Adds a display to a sorted list, or removes it. Returns whether the list changed.
    private static func mark(_ id: DisplayID, in list: inout [DisplayID], if isListed: Bool) -> Bool {
        let known = list.firstIndex(of: id)
        if let known, !isListed { list.remove(at: known) }
        if known == nil, isListed {
            let index = list.firstIndex { $0.text > id.text } ?? list.endIndex
            list.insert(id, at: index)
        }
        return (known != nil) != isListed
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

    package var isConnected: Bool { if case .connected = self { true } else { false } }
}

/// The clients of the ESPHome server, such as Home Assistant.
package struct HomeAssistantHealth: Hashable, Sendable {
    /// The connected ones that have said hello.
    package let clients: Int
    /// The number of connections so far that were refused: with another key, with none, or with junk.
    package let refused: Int
    package let key: HomeAssistantKey
    /// The address and port that the server listens on.
    package let address: String

    package init(clients: Int = 0, refused: Int = 0, key: HomeAssistantKey = .set, address: String = "") {
        (self.clients, self.refused) = (clients, refused)
        (self.key, self.address) = (key, address)
    }
}

/// Whether the schedules are carried out.
package enum ScheduleHealth: Hashable, Sendable {
    /// There are no schedules.
    case none
    /// The wall clock is not set, as at the start of a machine without a clock battery: no schedule is in force.
    case waiting
    case running

    init(_ report: ScheduleReport) {
        let state: Self = report.isClockSet ? .running : .waiting
        self = report.schedules.isEmpty ? .none : state
    }
}
