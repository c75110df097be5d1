// SPDX-License-Identifier: Apache-2.0

/// Every fact in the system, with its payload. All of them pass through one `NotificationHub`.
package enum Notification: Hashable, Sendable {
    /// A display's whole state, after any change of it.
    case brightness(DisplayState)
    /// A lease began, was renewed or ended. The display's state of that revision follows.
    case boost(LeaseEvent, at: Revision)
    /// The light in the room.
    case ambient(Ambient)
    /// A display came or went.
    case display(DisplayID, DisplayChange)
    /// Whether somebody looks at what is told: an event stream, a WebSocket or a long poll is open. Clients are not told.
    case audience(isPresent: Bool)
    /// Whether what has to survive the daemon is safe.
    case journal(JournalHealth)
    /// Whether the broker can be reached, where there is to be one.
    case broker(BrokerHealth)
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
        case journal
        case broker
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
        case brightness, boost, ambient, display, audience, journal, broker, failure
    }

    /// `nil` for a transient notification.
    package var key: Key? {
        switch self {
        case .brightness(let state): .brightness(state.id)
        case .boost(let event, _): .boost(event.lease.id)
        case .ambient: .ambient
        case .display(let id, _): .display(id)
        case .audience: .audience
        case .journal: .journal
        case .broker: .broker
        case .failure: nil
        }
    }

    package var retention: Retention {
        switch self {
        case .brightness, .ambient, .audience, .journal, .broker: .retained
        case .boost(let event, _): event.change.isEnd ? .passing : .retained
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
        case .journal: .journal
        case .broker: .broker
        case .failure: .failure
        }
    }

    /// The display it concerns; `nil` for what concerns the daemon.
    package var displayID: DisplayID? {
        switch self {
        case .brightness(let state): state.id
        case .boost(let event, _): event.lease.display
        case .display(let id, _), .failure(let id, _): id
        case .ambient, .audience, .journal, .broker: nil
        }
    }
}
