// SPDX-License-Identifier: Apache-2.0

/// Every fact in the system, with its payload. All of them pass through one `NotificationHub`.
package enum Notification: Hashable, Sendable {
    /// A display's whole state, after any change of it.
    case brightness(DisplayState)
    /// A lease began, was renewed or ended. The display's state of that revision follows.
    case boost(LeaseEvent, at: Revision)
    /// The light in the room.
    case ambient(Ambient)
    /// A display was plugged in or removed. A removal has a revision of its own, which no state has.
    case display(DisplayID, DisplayChange, at: Revision)
    /// Whether somebody looks at what is told: an event stream, a WebSocket or a long poll is open. Clients are not told.
    case audience(isPresent: Bool)
    /// Whether a display of this machine follows the light. The hub derives it from the facts above. Clients are not told.
    case following(Bool)
    /// Whether what has to survive the daemon is safe.
    case journal(JournalHealth)
    /// Whether the broker can be reached, where there is to be one.
    case broker(BrokerHealth)
    /// Whether the daemon does its work. The hub derives it from the facts above.
    case health(Health)
    /// The simulated room; `nil` once no display is simulated any more.
    case room(RoomState?)
    /// A panel did not do what it was told. For the log; whoever does not listen at that moment misses it.
    case failure(DisplayID, DeviceError)

    package enum DisplayChange: String, Hashable, Sendable {
        case added, removed
    }

    /// Which older fact a newer one replaces. A lease has a key of its own, so no lease hides another.
    package enum Key: Hashable, Sendable {
        case brightness(DisplayID)
        case boost(LeaseID)
        case ambient
        case display(DisplayID)
        case audience
        case following
        case journal
        case broker
        case health
        case room
    }

    /// Whom a fact is kept for.
    package enum Retention: Sendable {
        /// Kept by the hub until a newer one of its key, and given to newcomers first.
        case retained
        /// Given to those who listen now; ends what was retained under its key.
        case passing
        /// Given to those who listen now, never conflated, never kept; has no key.
        case transient
    }

    /// What a fact is about, for choosing what to listen to.
    package enum Kind: Int, Sendable, CaseIterable {
        case brightness, boost, ambient, display, audience, following, journal, broker, health, room, failure
    }

    /// `nil` for a transient notification.
    package var key: Key? {
        switch self {
        case .brightness(let state): .brightness(state.id)
        case .boost(let event, _): .boost(event.lease.id)
        case .ambient: .ambient
        case .display(let id, _, _): .display(id)
        case .audience: .audience
        case .following: .following
        case .journal: .journal
        case .broker: .broker
        case .health: .health
        case .room: .room
        case .failure: nil
        }
    }

    package var retention: Retention {
        switch self {
        case .brightness, .ambient, .audience, .following, .journal, .broker, .health: .retained
        case .boost(let event, _): event.change.isEnd ? .passing : .retained
        case .room(let room): room == nil ? .passing : .retained
        case .display: .passing
        case .failure: .transient
        }
    }

    package var kind: Kind {
        switch self {
        case .brightness: .brightness
        case .boost: .boost
        case .ambient: .ambient
        case .display: .display
        case .audience: .audience
        case .following: .following
        case .journal: .journal
        case .broker: .broker
        case .health: .health
        case .room: .room
        case .failure: .failure
        }
    }

    /// The display it concerns; `nil` for what concerns the daemon.
    package var displayID: DisplayID? {
        switch self {
        case .brightness(let state): state.id
        case .boost(let event, _): event.lease.display
        case .display(let id, _, _), .failure(let id, _): id
        case .ambient, .audience, .following, .journal, .broker, .health, .room: nil
        }
    }

    /// For a fact that a lease or a display is over, the revision at which it was over; else `nil`.
    package var end: Revision? {
        switch self {
        case .boost(let event, let revision): event.change.isEnd ? revision : nil
        case .display(_, .removed, let revision): revision
        case .brightness, .ambient, .display, .audience, .following, .journal, .broker, .health, .room, .failure: nil
        }
    }
}
