// SPDX-License-Identifier: Apache-2.0

/// What somebody asks of one display. Commands go left: from clients to the panel.
package struct Command: Sendable {
    package enum Level: Hashable, Sendable {
        case fraction(Brightness)
        /// In the panel's own steps, `0...maximum`.
        case step(Int)
    }

    package enum Action: Sendable {
        /// Sets the baseline.
        case set(Level)
        /// Moves the baseline; at least one step.
        case adjust(delta: Double)
        case boost(BoostRequest)
        case renew(LeaseID, ttl: Duration)
        case release(LeaseID)
        /// Releases what this holder of the asker's holds; nothing held is no error.
        case restore(holder: String?)
        case restoreAll
        /// Hands the display over to the light in the room, or takes it back; either way a hold is over.
        case setAutomatic(Bool, forgetsLessons: Bool = false)
        /// The light in the room has changed: to what, the worker asks when it carries this out.
        case follow
        /// The first stream of a holder of the asker's was opened, or its last one closed: which of the two, `HolderConnections` knows.
        case presence(holder: String)
        /// Ends the leases and the hold whose time is over, goes on with a transition, and tries again what the panel is
        /// owed.
        case tick
        /// Looks at what others did to the panel; if they did something, this is the cause.
        case refresh(as: Cause.Kind = .external)
        /// The wall clock was set: what people read of ends that are still to come is corrected. The ends themselves stay.
        case clockSet
    }

    package var action: Action
    /// Who asks; `nil` for the daemon itself.
    package var asker: Asker?
    package var by: String?
    package var reason: String?
    /// Does nothing unless the display's revision is one of these.
    package var onlyAt: Set<Revision>?
    /// How long the panel takes to get where the command brings it; `nil` is as long as it usually does. Zero ends a
    /// transition that is under way: the panel is there at once.
    package var transition: Duration?
    /// What a change of the baseline is told to come from: a client's way in, `.api` or `.mqtt`.
    package var channel = Cause.Kind.api

    package init(
        _ action: Action,
        by: String? = nil,
        reason: String? = nil,
        onlyAt: Set<Revision>? = nil,
        transition: Duration? = nil,
        asker: Asker? = nil
    ) {
        self.action = action
        self.asker = asker
        self.by = by
        self.reason = reason
        self.onlyAt = onlyAt
        self.transition = transition
    }

    /// Whose leases it takes and releases.
    package var principal: Principal { asker?.principal ?? .daemon }

    var isSwitch: Bool { if case .setAutomatic = action { true } else { false } }

    var isFollowing: Bool { if case .follow = action { true } else { false } }

    var isTick: Bool { if case .tick = action { true } else { false } }

    /// What a change by others that is found now comes from, if the command is to look for one.
    var refreshCause: Cause.Kind? { if case .refresh(let kind) = action { kind } else { nil } }

    /// The cause of a change that it makes, `events` included; `nil` where the cause stays.
    func causeKind(with events: [LeaseEvent]) -> Cause.Kind? {
        switch action {
        case .set, .adjust: channel
        case .boost, .renew: .boost
        case .release, .restore, .restoreAll: .restore
        case .tick: events.last.map { $0.change == .disconnected ? .disconnected : .expired } ?? .auto
        case .setAutomatic, .follow: .auto
        case .presence, .refresh, .clockSet: nil
        }
    }

    /// Whether it asks for more than it gives up. If the panel refuses, such a command fails and changes nothing; the
    /// others hold all the same, and the panel is put right as soon as it can be.
    var isDemand: Bool {
        switch action {
        case .set, .adjust, .boost: true
        case .renew, .release, .restore, .restoreAll, .setAutomatic, .follow, .presence, .tick, .refresh, .clockSet:
            false
        }
    }
}

/// What came of a command that was carried out.
package struct Answer: Sendable {
    package let state: DisplayState
    /// What happened to leases, in order.
    package let events: [LeaseEvent]

    package init(state: DisplayState, events: [LeaseEvent]) {
        self.state = state
        self.events = events
    }
}

package enum CommandError: Error, Equatable {
    case unknownDisplay
    /// `onlyAt` does not hold.
    case otherRevision
    /// The step is outside the panel's range.
    case outOfRange(BrightnessRange)
    case lease(LeaseError)
    case panel(DeviceError)
    /// The panel hangs, and too many commands wait for it already.
    case busy
    /// The daemon stops. Nothing was changed.
    case stopping
    /// The daemon that has the display is not there. Nothing was changed.
    case unreachable
    /// It does not answer; it may have done it.
    case unanswered
    /// It refused, with this problem.
    case remote(problem: String, detail: String)
}

/// Executes the commands for one display: the worker of a panel, or the way to another daemon.
package protocol CommandExecutor: Sendable {
    /// - Parameter completion: Called exactly once, on any thread.
    func submit(_ command: Command, at now: Moment, completion: @escaping DisplayService.Completion)
}
