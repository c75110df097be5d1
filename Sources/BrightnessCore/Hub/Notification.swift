// SPDX-License-Identifier: Apache-2.0

/// A state that is true now, or an event. All pass through one `NotificationHub`.
///
/// Small, since the hub and every mailbox hold one for each display: large payloads are `indirect`.
package enum Notification: Hashable, Sendable {
    /// A display's complete state, after any change of it.
    case state(DisplayState)
    /// A lease was granted, renewed or ended. The display's state with that revision follows, unless the display is
    /// absent or removed.
    indirect case lease(LeaseEvent, at: Revision)
    indirect case ambient(Ambient)
    /// A display was added or removed. A removal has its own revision, which no state has.
    indirect case display(DisplayID, ListChange, at: Revision)
    /// A sensor was added or removed, or has a reading to use at once. Not sent to clients.
    case sensors
    /// Whether there is a viewer: an open event stream, WebSocket or long poll, or a connected broker. Not sent to
    /// clients.
    case audience(isPresent: Bool)
    /// Whether a display of this machine follows the light. Derived by the hub. Not sent to clients.
    case following(Bool)
    /// A person is present: there was input, a client's change, or a page's report. Carries no details. Not sent to
    /// clients.
    case activity
    /// Whether a proximity sensor has somebody near. Not sent to clients.
    case presence(isNear: Bool)
    /// The wall clock was set. Not sent to clients.
    case clockSet
    /// The machine has slept, and is awake again. Not sent to clients.
    case resumed
    /// Whether records survive the end of the daemon.
    indirect case journal(JournalHealth)
    /// Whether the broker can be reached, if one is configured.
    indirect case broker(BrokerHealth)
    /// The clients of the ESPHome server. Never posted without one.
    indirect case homeAssistant(HomeAssistantHealth)
    /// The schedules, and which of them are in force.
    indirect case schedules(ScheduleReport)
    /// The presets, in the order of their names.
    indirect case presets([Preset])
    /// The health of the daemon. Derived by the hub.
    indirect case health(Health)
    /// The simulated room; `nil` once there are no simulated displays.
    indirect case simulator(RoomState?)
    /// The display of requests that name none; `nil` while there is none.
    indirect case defaultDisplay(DisplayID?)
    /// A mirrored node by its topic; `nil` once it is forgotten.
    indirect case node(String, NodeState?)
    /// A panel failed. Never replaced by a newer failure.
    indirect case failure(DisplayID, DeviceError)
    /// A line for the log. Never replaced by a newer one. Not sent to clients.
    indirect case notice(Notice)

    package enum ListChange: String, Hashable, Sendable {
        case added, removed
    }

    /// The property that a notification describes: its kind, and the display, lease or node that it is of. A newer
    /// notification replaces the older one with the same key.
    ///
    /// Each lease has a key of its own. It includes the display, since the ids of mirrored leases come from the broker
    /// and need not be unique.
    struct Key: Hashable, Sendable {
        let kind: Kind
        var display: DisplayID?
        var lease: LeaseID?
        var node: String?
    }

    /// Whether a notification is retained, and who receives it.
    enum Retention: Sendable {
        /// Kept by the hub until a newer one with the same key, and delivered first to new listeners.
        case retained
        /// Delivered to current listeners only. Removes the retained one with its key.
        case passing
        /// Delivered to current listeners only, and never conflated. Has no key.
        case transient
    }

    /// The category of a notification, for filters.
    package enum Kind: Int, Sendable, CaseIterable {
        case state, lease, ambient, sensors, display, audience, following, activity, presence, clockSet, resumed
        case journal, broker, homeAssistant, schedules, presets, health, simulator, defaultDisplay, node, failure
        case notice
    }

    /// `nil` for a transient notification.
    var key: Key? {
        if retention == .transient { return nil }
        let lease: LeaseID? = if case .lease(let event, _) = self { event.lease.id } else { nil }
        let node: String? = if case .node(let topic, _) = self { topic } else { nil }
        return Key(kind: kind, display: displayID, lease: lease, node: node)
    }

    var retention: Retention {
        switch self {
        case .state, .ambient, .audience, .following, .presence, .journal, .broker, .homeAssistant, .schedules,
            .presets, .health, .defaultDisplay:
            .retained
        case .lease(let event, _): event.change.isEnd ? .passing : .retained
        case .simulator(let room): room == nil ? .passing : .retained
        case .node(_, let node): node == nil ? .passing : .retained
        case .sensors, .display, .activity, .clockSet, .resumed: .passing
        case .failure, .notice: .transient
        }
    }

    package var kind: Kind {
        switch self {
        case .state: .state
        case .lease: .lease
        case .ambient: .ambient
        case .sensors: .sensors
        case .display: .display
        case .audience: .audience
        case .following: .following
        case .activity: .activity
        case .presence: .presence
        case .clockSet: .clockSet
        case .resumed: .resumed
        case .journal: .journal
        case .broker: .broker
        case .homeAssistant: .homeAssistant
        case .schedules: .schedules
        case .presets: .presets
        case .health: .health
        case .simulator: .simulator
        case .defaultDisplay: .defaultDisplay
        case .node: .node
        case .failure: .failure
        case .notice: .notice
        }
    }

    /// The display that the notification concerns; `nil` if it concerns the daemon.
    var displayID: DisplayID? {
        switch self {
        case .state(let state): state.id
        case .lease(let event, _): event.lease.display
        case .display(let id, _, _), .failure(let id, _): id
        default: nil
        }
    }

    /// The revision at which a lease or a display ended; `nil` for others.
    var end: Revision? {
        switch self {
        case .lease(let event, let revision): event.change.isEnd ? revision : nil
        case .display(_, .removed, let revision): revision
        default: nil
        }
    }
}

/// An occurrence that a part without a logger reports, and that changes no state. Never retained, and not sent to
/// clients: the daemon's log is the listener.
package enum Notice: Hashable, Sendable {
    /// A remote sensor that is read by URL has a reading again or for the first time; otherwise the reason why not.
    case sensor(String, failure: String?)
    /// A device keeps another step than the written one. Posted once a display.
    case limited(DisplayID, written: Int, kept: Int)
    /// This process may not read an input device at this path. Posted once.
    case inputDenied(path: String)
    /// A page may not use the daemon, with the advice for people. Posted once an origin.
    case pageRefused(String)
    /// A message of the broker was ignored, or a display of another node is not mirrored.
    case broker(String)
    /// Records of the journal were ignored.
    case journal(String)
    /// An ESPHome client came, left, or was refused.
    case homeAssistant(String)
}
