// SPDX-License-Identifier: Apache-2.0

/// A request to one display, from a client or the daemon itself.
package struct Command: Sendable {
    package enum Action: Sendable {
        case set(BrightnessLevel)
        /// Moves the baseline by at least one step.
        case move(delta: Double)
        /// Grants a lease, or renews the holder's one of that kind.
        case grant(LeaseRequest)
        case renew(LeaseID, LeaseRenewal)
        case release(LeaseID)
        /// Releases the leases of this holder of the requester; a `kind` of `nil` is every kind.
        case restore(holder: String?, kind: LeaseKind? = nil)
        /// Releases the leases of all holders, or only those that no person has overridden: the others have no effect,
        /// and a later run must know of them. Without a client they are `stopped`.
        case restoreAll(kind: LeaseKind? = nil, keepsOverridden: Bool = false)
        case setPower(Bool)
        /// Brings the display to the value of a preset.
        case apply(PresetRequest)
        /// Switches automatic brightness on or off. Either ends a hold.
        case setAutomatic(Bool, forgetsLessons: Bool = false)
        case configure(DisplaySettings.Change)
        /// Follows the ambient light, which the worker reads when it executes the command.
        case follow
        /// Ends expired leases and holds, continues a transition, and retries pending writes.
        case tick
        /// Reads the panel. A change by others gets this cause.
        case refresh(as: Cause.Kind = .external)
        /// Corrects the wall-clock times of future ends after the wall clock was set. The ends themselves stay.
        case clockSet
    }

    /// A command whose condition does not hold when it is executed changes nothing, and does not fail.
    package enum Condition: Hashable, Sendable {
        /// The panel is not known to be on, or people do not want it on.
        case dark
        /// No person has chosen the brightness after this time, or overridden or ended leases like the one to grant;
        /// for the channel `follow`, no schedule has set it either.
        case notChosen(since: Instant)
        /// The holder has the lease that the command grants: it is only renewed.
        case held
    }

    /// The document of a successful response.
    package enum ResponseKind: Sendable {
        /// `restored` is the state and the number of released leases.
        case state, lease, restored
    }

    package var action: Action
    /// Further actions, executed right after the first one: no other command comes between them. If one of them
    /// fails, none changes anything. Other daemons do not support them.
    package var followers: [Action] = []
    /// The client; `nil` for the daemon itself.
    package var requester: Requester?
    package var by: String?
    package var reason: String?
    /// Fails unless the display's revision is one of these.
    package var onlyAt: Set<Revision>?
    /// The duration of the change; `nil` for the display's default. Zero ends a running transition: the panel jumps to
    /// its target.
    package var transition: Duration?
    /// The condition of the first action.
    package var condition: Condition?
    /// The reported origin of a change of the baseline: `.api` or `.mqtt`. For a part of the daemon (`.schedule`,
    /// `.idle`, `.presence`, `.follow`), that of every change.
    package var channel: Cause.Kind

    package init(
        _ action: Action,
        by: String? = nil,
        reason: String? = nil,
        onlyAt: Set<Revision>? = nil,
        transition: Duration? = nil,
        requester: Requester? = nil,
        channel: Cause.Kind = .api
    ) {
        self.action = action
        self.requester = requester
        self.by = by
        self.reason = reason
        self.onlyAt = onlyAt
        self.transition = transition
        self.channel = channel
    }

    /// The owner of the leases that the command grants and releases.
    package var principal: Principal { requester?.principal ?? .daemon }

    var followerCommands: [Command] {
        followers.map { action in
            var command = self
            command.action = action
            (command.followers, command.condition, command.onlyAt) = ([], nil, nil)
            return command
        }
    }

    private func contains(where isMeant: (Action) -> Bool) -> Bool {
        isMeant(action) || followers.contains(where: isMeant)
    }

    var setsAutomatic: Bool { contains { if case .setAutomatic = $0 { true } else { false } } }

    /// `nil` for a command that is executed for each time that it was submitted.
    var chore: Chore? {
        switch action {
        case .tick: .tick
        case .follow: .follow
        case .clockSet: .clockSet
        default: nil
        }
    }

    /// The part of the daemon that holds leases, if the command is one of its own.
    private var daemonHolder: String? { requester == nil && channel.isOfDaemonHolder ? by : nil }

    /// Whether a waiting command has no effect once this one follows: both are of one holder of the daemon itself,
    /// which wants something else by now.
    func supersedes(_ waiting: Command) -> Bool {
        guard let daemonHolder, waiting.daemonHolder == daemonHolder else { return false }
        return switch (waiting.action, action) {
        case (.set, .set): true
        case (.grant(let old), .grant(let new)): old.kind == new.kind
        case (.grant(let old), .restore(_, let kind)): old.kind == kind ?? old.kind
        case (.restore(_, let old), .restore(_, let kind)): kind == nil || old == kind
        default: false
        }
    }

    /// The cause to report for a change by others, if the command reads the panel.
    var refreshCause: Cause.Kind? { if case .refresh(let kind) = action { kind } else { nil } }

    /// The cause of the change that the command made, including `events`; `nil` keeps the previous cause.
    func causeKind(with events: [LeaseEvent]) -> Cause.Kind? {
        if channel.isOfDaemonHolder { return channel }
        return switch action.rules.origin {
        case .channel: channel
        case .kind(let kind): kind
        case .lease: events.last?.lease.kind.cause ?? channel
        case .time: events.last.map { $0.change == .disconnected ? .disconnected : .expired } ?? .auto
        case .none: nil
        }
    }

    /// Whether the command, which made these changes of leases, shows that somebody is there.
    func isActivity(with events: [LeaseEvent]) -> Bool {
        guard requester != nil || channel == .presence else { return false }
        return contains { action in
            switch action.rules.activity {
            case .never: false
            case .always: true
            case .forLight: events.contains { $0.change == .granted && $0.lease.kind.demandsLight }
            }
        }
    }

    /// Whether the command fails if the panel refuses.
    var isDemand: Bool { contains { $0.rules.isDemand } }

    /// Whether it requires the permission to change settings, or leases of others.
    package var isForAdmin: Bool { action.rules.isForAdmin }

    package var response: ResponseKind { action.rules.response }
}

/// The rules of an action that do not depend on the display.
struct ActionRules {
    /// The cause of a change that it makes.
    enum Origin: Equatable {
        /// The cause of the command's transport.
        case channel
        case kind(Cause.Kind)
        /// The kind of the last lease that changed.
        case lease
        /// A lease that ended, or the light.
        case time
        /// The previous cause stays.
        case none
    }

    /// Whether an action of a client shows that somebody is there.
    enum Activity {
        case never, always
        /// If it grants a lease that asks for light.
        case forLight
    }

    let origin: Origin
    var activity = Activity.never
    /// Whether it asks for more than it gives up. If the panel refuses, such a command fails and changes nothing. Other
    /// commands succeed nevertheless, and the panel is written as soon as possible.
    var isDemand = false
    /// The property that the panel must be able to change.
    var requirement: LeaseKind.Subject?
    /// Whether it changes settings, or leases of others.
    var isForAdmin = false
    var response = Command.ResponseKind.state
}

extension BrightnessLevel {
    /// `nil` for a step.
    package var brightness: Brightness? { if case .fraction(let brightness) = self { brightness } else { nil } }

    /// The level as a fraction.
    ///
    /// - Throws: `.outOfRange` if the panel does not have the step.
    fileprivate func converted(to range: BrightnessRange) throws(CommandError) -> BrightnessLevel {
        guard case .step(let step) = self else { return self }
        guard (0...range.maximum).contains(step) else { throw .outOfRange(range) }
        return .fraction(range.brightness(of: step))
    }
}

extension Command.Action {
    /// The action without steps: with the fraction of each, except for `set`, whose step is the baseline's.
    ///
    /// - Throws: `.outOfRange` if the panel does not have the step.
    func converted(to range: BrightnessRange) throws(CommandError) -> Command.Action {
        switch self {
        case .set(let level):
            _ = try level.converted(to: range)
            return self
        case .grant(var request):
            request.level = try request.level?.converted(to: range)
            return .grant(request)
        case .renew(let id, var change):
            change.level = try change.level?.converted(to: range)
            return .renew(id, change)
        default:
            return self
        }
    }

    var rules: ActionRules {
        switch self {
        case .set, .move: ActionRules(origin: .channel, activity: .always, isDemand: true, requirement: .brightness)
        // A boost works on a panel that is always at its brightest, and a wake on one that is always on.
        case .grant(let request):
            ActionRules(
                origin: .kind(request.kind.cause),
                activity: .forLight,
                isDemand: true,
                requirement: request.kind.demandsLight ? nil : request.kind.subject,
                response: .lease
            )
        // No activity: it may be a script's.
        case .renew(_, let change): ActionRules(origin: .lease, isDemand: change.level != nil, response: .lease)
        case .release: ActionRules(origin: .kind(.restore))
        case .restore: ActionRules(origin: .kind(.restore), response: .restored)
        // A wake that ends may be the reason why the screen is on: nobody who restores wants it to go off at once.
        case .restoreAll:
            ActionRules(origin: .kind(.restore), activity: .always, isForAdmin: true, response: .restored)
        case .setPower: ActionRules(origin: .channel, activity: .always, isDemand: true, requirement: .power)
        case .apply(let request) where request.terms == nil:
            ActionRules(origin: .channel, activity: .always, isDemand: true)
        case .apply: ActionRules(origin: .lease, activity: .forLight, isDemand: true)
        case .setAutomatic(let isEnabled, _):
            ActionRules(origin: .kind(.auto), activity: .always, requirement: isEnabled ? .brightness : nil)
        case .configure(let change):
            ActionRules(
                origin: .kind(.settings),
                requirement: (change.curve ?? nil) == nil ? nil : .brightness,
                isForAdmin: true
            )
        case .follow: ActionRules(origin: .kind(.auto))
        case .tick: ActionRules(origin: .time)
        case .refresh, .clockSet: ActionRules(origin: .none)
        }
    }
}

/// Work of the daemon itself that depends only on the state at its execution: at most one of each waits.
enum Chore: CaseIterable {
    case tick, follow, clockSet

    var command: Command {
        switch self {
        case .tick: Command(.tick)
        case .follow: Command(.follow)
        case .clockSet: Command(.clockSet)
        }
    }
}

extension Cause.Kind {
    /// Whether a part of the daemon that holds leases made the change, and no person.
    var isOfDaemonHolder: Bool { [.schedule, .idle, .presence, .follow].contains(self) }
}

/// The result of an executed command.
package struct CommandSuccess: Sendable {
    package let state: DisplayState
    /// The changes of leases, in order.
    package let events: [LeaseEvent]
    package let released: Int

    /// - Parameter released: `nil` for that of `events`.
    package init(state: DisplayState, events: [LeaseEvent], released: Int? = nil) {
        self.state = state
        self.events = events
        self.released = released ?? events.count { $0.change == .released }
    }
}

package enum CommandError: Error, Equatable {
    case unknownDisplay
    /// The display's revision is not in `onlyAt`.
    case otherRevision
    /// The step is outside the panel's range.
    case outOfRange(BrightnessRange)
    /// The panel cannot be dimmed.
    case notDimmable
    /// The panel cannot be switched off and on.
    case notSwitchable
    case lease(LeaseError)
    case panel(DeviceError)
    /// The panel hangs, and its queue is full of clients' commands; or too many commands for displays of other daemons
    /// are under way.
    case busy
    /// A later command of the same holder, which is a part of the daemon, replaced the waiting one.
    case superseded
    /// The daemon is stopping. Nothing was changed.
    case stopping
    /// The daemon that owns the display is unreachable. Nothing was changed.
    case unreachable
    /// The daemon that owns the display did not answer. It may have executed the command.
    case unanswered
    /// The daemon that owns the display runs a version that does not know the command. Nothing was changed.
    case unsupported
    /// The daemon that owns the display rejected the command with this problem.
    case remote(problem: String, detail: String)
}

/// The executor of the commands for mirrored displays: the connection to their daemons.
package protocol CommandExecutor: AnyObject, Sendable {
    /// Whether it accepts a command for this many displays now.
    func hasRoom(for count: Int, of principal: Principal) -> Bool
    /// - Parameter completion: Called exactly once for each display, on any thread.
    func submit(
        _ command: Command,
        to displays: [DisplayID],
        at now: Moment,
        completion: @escaping DisplayService.ListCompletion
    )
}
