// SPDX-License-Identifier: Apache-2.0

/// The execution of a command by a display.
extension DisplayModel {
    /// Executes one command. The caller then brings the panel to `target`. A command that throws changes nothing.
    ///
    /// - Returns: The changes of leases, for notifications and the answer.
    mutating func execute(
        _ command: Command,
        leaseID: () -> LeaseID,
        connectivity: (String, Principal) -> HolderConnectivity,
        at now: Moment
    ) throws(CommandError) -> [LeaseEvent] {
        let action = try command.action.converted(to: range)
        let (before, oldTarget) = (properties, target)
        // First: the command may end the lease whose step is shown.
        markUnwrittenLeaseStep()
        let changes = try perform(action, of: command, leaseID: leaseID, connectivity: connectivity, at: now)
        let events = changes + endIdleLeases(after: command, with: changes)
        if baseline != before.baseline { changedAt = now }
        let replacesTransition = target != oldTarget || command.transition == .zero || setsTarget(action)
        if replacesTransition {
            let involvesLeases = !leases.isEmpty || !events.isEmpty
            let duration = command.transition ?? pace(of: action, from: before.baseline)
            beginTransition(in: duration, continuing: involvesLeases ? nil : transition, at: now.instant)
        }
        markPendingTarget(at: now.instant)
        if let kind = command.causeKind(with: changes), differs(from: before) {
            // A lease that expires is attributed to its holder. A client that ends others' leases has its own reason.
            let endsOthers = action.rules.isForAdmin || action.rules.origin == .channel
            let lease = endsOthers ? nil : changes.last?.lease
            cause = Cause(
                kind,
                by: command.by ?? lease?.holder,
                principal: command.requester?.principal ?? lease?.principal,
                reason: command.reason ?? lease?.reason,
                at: now.wall
            )
        }
        return events
    }

    /// Notes that the panel shows a lease's step that it showed before the lease: no write of ours notes that.
    private mutating func markUnwrittenLeaseStep() {
        if leased != nil, target == shown, panelStep.isCertain { showsForeignStep = true }
    }

    /// Ends the leases of `idle` with a client's command, so that its response shows that. When somebody only arrives,
    /// `Idle` ends them itself, after what schedules set at that moment: nothing else is shown in between.
    private mutating func endIdleLeases(after command: Command, with changes: [LeaseEvent]) -> [LeaseEvent] {
        guard command.requester != nil, command.isActivity(with: changes) else { return [] }
        return leases.release(heldBy: ReservedHolder.idle, of: .daemon).map { LeaseEvent($0, .released) }
    }

    private mutating func perform(
        _ action: Command.Action,
        of command: Command,
        leaseID: () -> LeaseID,
        connectivity: (String, Principal) -> HolderConnectivity,
        at now: Moment
    ) throws(CommandError) -> [LeaseEvent] {
        let principal = command.principal
        switch command.condition {
        case .dark where power.isLit: return []
        case .notChosen(let since) where isChosen(action, of: command, after: since): return []
        case .held:
            if case .grant(let request) = action, !leases.holds(request.kind, by: request.holder, of: principal) {
                return []
            }
        default: break
        }
        let requirement = action.rules.requirement
        if requirement == .brightness, !isDimmable { throw .notDimmable }
        if requirement == .power, !power.isSwitchable { throw .notSwitchable }
        if case .apply(let request) = action, let value = request.value(of: id) {
            if value.brightness != nil, !isDimmable { throw .notDimmable }
            if value.isOn == false, !power.isSwitchable { throw .notSwitchable }
        }
        do throws(LeaseError) {
            switch action {
            case .set(.fraction(let brightness)):
                setBaseline(brightness)
                noteBaseline(of: command, at: now)
            case .set(.step(let step)):
                // Exactly this one, also outside the range that the curve uses.
                setBaseline(range.brightness(of: step), step: max(step, range.minimum))
                noteBaseline(of: command, at: now)
            case .move(let delta):
                let moved = range.moving(baseline, by: delta)
                // A step that another program set below the minimum stays.
                if moved != baseline { setBaseline(moved) }
                noteBaseline(of: command, at: now)
            case .grant(let request):
                let holder = request.holder.map { connectivity($0, principal) } ?? .unknown
                let event = try leases.grant(request, by: principal, as: leaseID(), connectivity: holder, at: now)
                takeOverPower(from: [event])
                return [event]
            case .setPower(let isOn): setPower(isOn, at: now)
            case .apply(let request): return try apply(request, of: command, leaseID: leaseID, at: now)
            case .renew(let id, let change):
                let by = command.requester
                let lease = try leases.renew(id, with: change, by: by, connectivity: connectivity, at: now)
                return [LeaseEvent(lease, .renewed)]
            case .release(let id):
                return released([try leases.release(id, by: command.requester)], by: command, at: now)
            case .restore(let holder, let kind):
                return leases.release(heldBy: holder, of: principal, kind: kind).map { LeaseEvent($0, .released) }
            case .restoreAll(let kind, let keepsOverridden):
                let ended = leases.releaseAll(kind: kind, keepsOverridden: keepsOverridden)
                // The daemon itself stops, or gives the display up.
                if command.requester == nil { return ended.map { LeaseEvent($0, .stopped) } }
                return released(ended, by: command, at: now)
            case .tick:
                if automatic.endHold(at: now.instant) { follow() }
                return leases.expire(at: now.instant)
            case .setAutomatic(let isEnabled, let forgetsLessons):
                automatic.setEnabled(isEnabled)
                if forgetsLessons { automatic.forget() }
                follow(exactly: true)
            case .configure(let change):
                settings.apply(change)
                setCurve(settings.curve ?? defaultCurve)
            case .follow: follow()
            case .clockSet:
                automatic.correctWallTime(at: now)
                fault?.correctWallTime(at: now)
                return leases.correctWallTimes(at: now).map { LeaseEvent($0, .renewed) }
            case .refresh: break
            }
            return []
        } catch {
            throw .lease(error)
        }
    }

    private mutating func apply(
        _ request: PresetRequest,
        of command: Command,
        leaseID: () -> LeaseID,
        at now: Moment
    ) throws(LeaseError) -> [LeaseEvent] {
        guard let value = request.value(of: id) else { return [] }
        if let terms = request.terms {
            let requests = value.leases(over: baseline, terms, reason: command.reason)
            let events = try leases.grantPreset(requests, by: command.principal, makeID: leaseID, at: now)
            takeOverPower(from: events)
            return events
        }
        let ended = leases.endPresets()
        if let brightness = value.brightness {
            setBaseline(brightness)
            noteBaseline(of: command, at: now)
        }
        if let isOn = value.isOn, power.isSwitchable { setPower(isOn, at: now) }
        return ended
    }

    /// Whether a person has chosen, after this time, the baseline that the action sets, or decided about such leases.
    private func isChosen(_ action: Command.Action, of command: Command, after since: Instant) -> Bool {
        let chosen =
            if case .grant(let request) = action {
                leases.decidedAt[request.kind.subject]
            } else {
                command.channel == .follow ? setAt : chosenAt
            }
        return chosen.map { $0 > since } ?? false
    }

    /// Returns the events of released leases. Notes a client's decision about those of the daemon.
    private mutating func released(_ ended: [Lease], by command: Command, at now: Moment) -> [LeaseEvent] {
        if command.requester != nil {
            for end in ended where end.principal == .daemon { leases.noteDecision(about: end.kind.subject, at: now) }
        }
        return ended.map { LeaseEvent($0, .released) }
    }

    private mutating func setPower(_ isOn: Bool, at now: Moment) {
        power.set(isOn)
        _ = leases.overrideAll(about: .power, at: now)
    }

    private mutating func takeOverPower(from events: [LeaseEvent]) {
        if events.contains(where: { $0.change == .granted && $0.lease.kind.subject == .power }) { power.takeOver() }
    }

    /// Begins a hold of automatic brightness. Only people teach: what a schedule sets is not a lesson.
    private mutating func noteBaseline(of command: Command, at now: Moment) {
        if command.channel != .follow { setAt = now.instant }
        if command.channel.isOfDaemonHolder {
            automatic.hold(at: now)
        } else {
            chosenAt = now.instant
            automatic.learn(baseline, in: light, at: now)
        }
    }

    /// The duration of the change, for commands without one.
    private func pace(of action: Command.Action, from old: Brightness) -> Duration {
        switch action.rules.origin {
        case .kind(.auto): automatic.transition(from: old, to: baseline)
        // At a tick only automatic brightness changes the baseline.
        case .time where baseline != old: automatic.transition(from: old, to: baseline)
        default: defaultTransition
        }
    }

    /// Whether the action sets the panel's target, even to the same step.
    @inline(__always) private func setsTarget(_ action: Command.Action) -> Bool {
        switch action {
        case .set, .move: leased == nil
        case .grant(let request): setsTarget(of: request.kind, at: request.level?.brightness)
        case .renew(let id, let change):
            leases.all.first { $0.id == id }.map { setsTarget(of: $0.kind, at: change.level?.brightness) } ?? false
        case .apply(let request): request.value(of: id)?.brightness != nil && leased == nil
        default: false
        }
    }

    /// Whether the panel is to show this brightness of a lease.
    private func setsTarget(of kind: LeaseKind, at brightness: Brightness?) -> Bool {
        brightness.map { leased == attainable($0, by: kind) } ?? false
    }
}
