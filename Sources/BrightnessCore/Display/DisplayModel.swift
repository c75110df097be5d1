// SPDX-License-Identifier: Apache-2.0

/// One display's rules: baseline, leases and what the panel should therefore show. No panel, no clock, no lock.
///
/// ```
///   effective = overridden ? baseline : max(baseline, granted)        granted = min(cap, highest lease)
/// ```
///
/// - The baseline is what people ask for, within what the panel can be asked for. It is never taken from a raised panel.
/// - Automatic brightness sets the baseline, too, and leaves it alone for a while after a person did.
/// - A person wins: if somebody else sets the panel while it is boosted, that becomes the baseline and the boost is
///   overridden until the last lease has ended.
/// - The panel may take its time to get there. States tell where it is going; steps on the way are nobody's wish.
struct DisplayModel: Sendable {
    let id: DisplayID
    let name: String
    let kind: DisplayKind
    let range: BrightnessRange
    let cap: Brightness
    /// How long it takes where a command does not say. Zero, and it never takes any, where writes are dear.
    private let defaultTransition: Duration
    private let writesOnce: Bool

    /// How often the panel was written, where that matters.
    var writes: DisplayState.Writes?

    private(set) var baseline: Brightness
    /// The step of `baseline`. One that was seen on the panel is put back as it was, even below our guard.
    private(set) var baselineStep: Int
    private(set) var boosts: LeaseTable
    private(set) var isOverridden = false
    private(set) var automatic: AutomaticBrightness
    /// The light in the room; `nil` while it is not known, or nobody here asks for it.
    var light: Illuminance?
    private(set) var cause: Cause

    private(set) var panelStep: ShownStep
    private(set) var fault: PanelFault?
    /// What a dimmer restores that began during the last override.
    private var restorePoint: RestorePoint?
    /// Its panel was not there when it was last looked for.
    var isUnplugged = false
    /// Its way to `target`. There is none while it has a fault: then it is brought there as soon as it can be.
    private(set) var transition: Transition?
    /// Whether the panel may show a step that is not people's wish: one that leases raised it to, or one on the way.
    private(set) var showsForeignStep = false

    /// - Parameter earlier: Where an earlier run ended. It goes on with the leases that are not over, and over the
    ///   baseline of then, unless a person changed the panel meanwhile.
    init(
        _ panel: any Panel,
        showing step: Int,
        cap: Brightness,
        transition: Duration = .zero,
        automatic rules: AutomaticRules = AutomaticRules(),
        goingOnFrom earlier: RecoveredRecord? = nil,
        at now: Moment
    ) {
        id = panel.id
        name = panel.name
        kind = panel.kind
        range = panel.range
        self.cap = cap
        defaultTransition = transition
        writesOnce = panel.writesOnce
        writes = panel.writes
        panelStep = ShownStep(step, on: panel)
        baseline = range.brightness(of: step)
        baselineStep = step
        boosts = LeaseTable(display: panel.id)
        automatic = AutomaticBrightness(rules, goingOnFrom: earlier?.record.automatic ?? .none)
        cause = Cause(.connected, at: now.wall)
        if let earlier {
            let record = earlier.record.scaled(to: range.maximum)
            boosts = LeaseTable(display: id, goingOnWith: record.leases, at: now)
            let isOurs = panel.isVolatile || !earlier.isOfThisBoot || record.explains(step, rounding: panel.rounds)
            if isOurs, panel.isVolatile || record.ceiling != nil {
                baseline = record.baseline
                baselineStep = min(max(record.baselineStep, 0), range.maximum)
                showsForeignStep = record.ceiling != nil
            }
            isOverridden = !boosts.isEmpty && (record.isOverridden || !isOurs)
            if record.ceiling != nil || !record.leases.isEmpty { cause = Cause(.recovered, at: now.wall) }
        }
    }

    /// What the panel was last told or seen to show.
    var shown: Int { panelStep.step }

    /// What a lease's brightness is worth: no more than the cap, and no less than the panel shows if it raises the panel.
    func granted(_ boost: Brightness) -> Brightness {
        let capped = min(boost, cap)
        return capped > baseline ? max(capped, range.dimmest) : capped
    }

    /// What the leases raise the panel to; `nil` where they have no effect.
    var raised: Brightness? {
        guard !isOverridden, let boost = boosts.brightness.map(granted), boost > baseline else { return nil }
        return boost
    }

    var effective: Brightness { raised ?? baseline }

    /// The step the panel should show, at the end of its way.
    var target: Int { raised.map { range.step(for: $0) } ?? baselineStep }

    /// The step the panel should show now.
    func step(at now: Instant) -> Int { transition?.step(at: now, showing: shown) ?? target }

    /// Whether the panel is to be written now.
    func needsWrite(at now: Instant) -> Bool { step(at: now) != shown || !panelStep.isCertain }

    /// Whether it is in a transition.
    var isUnderWay: Bool { transition != nil }

    var nextDeadline: Instant? {
        [boosts.nextEnd, automatic.heldUntil?.instant, fault?.retry, transition?.due].compactMap { $0 }.min()
    }

    /// Applies one command; the caller then brings the panel to `target`. A command that throws changes nothing.
    ///
    /// - Returns: What happened to leases, for notifications and the answer.
    mutating func apply(
        _ command: Command,
        leaseID: () -> LeaseID,
        isPresent: (String, Principal) -> Bool,
        at now: Moment
    ) throws(CommandError) -> [LeaseEvent] {
        let (before, earlier) = (state(at: Revision(0)), target)
        // Also where nothing had to be written, since the panel was as bright before.
        if raised != nil, target == shown, panelStep.isCertain { showsForeignStep = true }
        let events = try carryOut(command, leaseID: leaseID, isPresent: isPresent, at: now)
        if boosts.isEmpty { isOverridden = false }
        if target != earlier || command.transition == .zero || isAimed(by: command.action) {
            let pace = pace(of: command.action, from: before.baseline)
            let isSameWay = boosts.isEmpty && events.isEmpty
            setOut(in: command.transition ?? pace, goingOn: isSameWay ? transition : nil, at: now.instant)
        }
        if let kind = command.causeKind(with: events), differs(from: before) {
            // A lease that ends by itself ends in the name of who held it.
            let lease = events.last?.lease
            cause = Cause(
                kind,
                by: command.by ?? lease?.holder,
                principal: command.asker?.principal ?? lease?.principal,
                reason: command.reason ?? lease?.reason,
                at: now.wall
            )
        }
        return events
    }

    private mutating func carryOut(
        _ command: Command,
        leaseID: () -> LeaseID,
        isPresent: (String, Principal) -> Bool,
        at now: Moment
    ) throws(CommandError) -> [LeaseEvent] {
        let (action, principal) = (command.action, command.principal)
        if case .set(.step(let step)) = action, !(0...range.maximum).contains(step) { throw .outOfRange(range) }
        do throws(LeaseError) {
            switch action {
            case .set(.fraction(let brightness)):
                setBaseline(brightness)
                automatic.learn(baseline, in: light, at: now)
            case .set(.step(let step)):
                setBaseline(range.brightness(of: step))
                automatic.learn(baseline, in: light, at: now)
            case .adjust(let delta):
                let moved = range.moving(baseline, by: delta)
                // What somebody else set below the guard stays there.
                if moved != baseline { setBaseline(moved) }
                automatic.learn(baseline, in: light, at: now)
            case .boost(let request):
                let isHere = request.holder.map { isPresent($0, principal) } ?? false
                return [try boosts.grant(request, by: principal, as: leaseID(), isPresent: isHere, at: now)]
            case .renew(let id, let ttl):
                return [LeaseEvent(try boosts.renew(id, ttl: ttl, by: command.asker, at: now), .renewed)]
            case .release(let id):
                return [LeaseEvent(try boosts.release(id, by: command.asker), .released)]
            case .restore(let holder):
                return boosts.release(heldBy: holder, of: principal).map { [LeaseEvent($0, .released)] } ?? []
            case .restoreAll:
                return boosts.releaseAll().map { LeaseEvent($0, .released) }
            case .tick:
                if automatic.endHold(at: now.instant) { follow() }
                return boosts.expire(at: now.instant)
            case .setAutomatic(let isEnabled, let forgetsLessons):
                automatic.setEnabled(isEnabled)
                if forgetsLessons { automatic.forget() }
                follow(exactly: true)
            case .follow:
                follow()
            case .presence(let holder):
                if isPresent(holder, principal) {
                    boosts.holderConnected(holder, of: principal)
                } else {
                    boosts.holderGone(holder, of: principal, at: now)
                }
            case .clockSet:
                automatic.correctWallTime(at: now)
                return boosts.correctWallTimes(at: now).map { LeaseEvent($0, .renewed) }
            case .refresh:
                break
            }
            return []
        } catch {
            throw .lease(error)
        }
    }

    /// Whether the panel goes where it goes because this action says so, even if it was on its way there before.
    private func isAimed(by action: Command.Action) -> Bool {
        switch action {
        case .set, .adjust: raised == nil
        case .boost(let request): raised == granted(request.brightness)
        case .renew, .release, .restore, .restoreAll, .setAutomatic, .follow, .presence, .tick, .refresh, .clockSet:
            false
        }
    }

    /// How long the panel takes to get there where the command does not say.
    private func pace(of action: Command.Action, from old: Brightness) -> Duration {
        switch action {
        case .setAutomatic, .follow,
            .tick where baseline != old:
            // Nobody else changes the baseline at a tick.
            automatic.transition(from: old, to: baseline)
        default:
            defaultTransition
        }
    }

    /// Begins the way from where the panel is to `target`.
    ///
    /// - Parameter old: The way it was on, if no lease has anything to do with either.
    private mutating func setOut(in duration: Duration, goingOn old: Transition?, at now: Instant) {
        transition = nil
        let isKnown = fault == nil && panelStep.isCertain
        guard duration > .zero, !writesOnce, isKnown, shown != target else { return }
        var new = Transition(from: shown, to: target, in: duration, at: now)
        if let old { new.goOn(from: old, slack: range.maximum / 10, within: 0...range.maximum) }
        transition = new
        showsForeignStep = true
    }

    /// No brightness is reported that the panel is not set to.
    private mutating func setBaseline(_ brightness: Brightness) {
        baseline = max(brightness, range.dimmest)
        baselineStep = range.step(for: baseline)
        restorePoint?.baseline = baseline
        restorePoint?.baselineStep = baselineStep
    }

    /// Lets the light set the baseline, unless it is not known, or a person has set the display.
    ///
    /// - Parameter exactly: Also where the way is hardly worth it.
    private mutating func follow(exactly: Bool = false) {
        guard automatic.follows, let light else { return }
        let wanted = max(automatic.brightness(in: light), range.dimmest)
        guard exactly || AutomaticBrightness.isWorthMoving(from: baseline, to: wanted) else { return }
        setBaseline(wanted)
    }

    // MARK: What the panel did

    /// Whether a lease or a hold is over that nobody has ended yet.
    func isOverdue(at now: Instant) -> Bool {
        automatic.hasOverdueHold(at: now) || boosts.nextEnd.map { $0 <= now } ?? false
    }

    /// Whether the panel has a fault and it is time to try again.
    func isDue(at now: Instant) -> Bool {
        fault.map { $0.retry <= now } ?? false
    }

    /// Whether `other` may be what the panel itself makes of a written `step`.
    func isOwn(_ other: Int, of step: Int) -> Bool { panelStep.isOwn(other, of: step) }

    /// The panel was read and shows `step`. Anything but what it was told is somebody else's doing, unless it was gone:
    /// then it is owed what it should show.
    mutating func observe(_ step: Int, by others: Cause.Kind = .external, at now: Moment) {
        isUnplugged = false
        if fault?.kind == .gone {
            panelStep.found(step)
            fault?.returned(at: now.instant)
        } else if !panelStep.confirm(step) {
            take(step, by: others, at: now)
        }
        if !needsWrite(at: now.instant) { recover(at: now) }
    }

    /// Takes a step for somebody else's wish, or for the end of what somebody else began.
    private mutating func take(_ step: Int, by others: Cause.Kind, at now: Moment) {
        let (seen, isRaised, isAboutBoost) = (panelStep.reported, raised != nil, raised != nil || isOverridden)
        panelStep.take(step)
        transition = nil
        cause = Cause(others, at: now.wall)
        if others == .external, let point = restorePoint, isOwn(step, of: point.step) {
            (baseline, baselineStep) = (point.baseline, point.baselineStep)
            (isOverridden, showsForeignStep, restorePoint) = (false, true, nil)
            automatic.returnHold(to: point.heldUntil?.corrected(at: now))
            return follow()
        }
        if others != .external || step > seen {
            // A person: a dimmer presses no key, and returns at once.
            restorePoint = nil
        } else if isRaised, seen > baselineStep {
            let held = automatic.heldUntil
            restorePoint = RestorePoint(step: seen, baseline: baseline, baselineStep: baselineStep, heldUntil: held)
        }
        (baseline, baselineStep, showsForeignStep) = (range.brightness(of: step), step, false)
        isOverridden = !boosts.isEmpty
        // What a person does against a boost is no lesson.
        if isAboutBoost { automatic.hold(at: now) } else { automatic.learn(baseline, in: light, at: now) }
    }

    /// The panel took `step`, and now reports `readBack`, if it was asked.
    mutating func wrote(_ step: Int, readBack: Int?, at now: Moment) {
        panelStep.wrote(step, readBack: readBack)
        showsForeignStep = raised != nil || step != baselineStep
        if step == transition?.to { transition = nil }
        transition?.advance(showing: step, at: now.instant)
        recover(at: now)
    }

    /// A write of what `refused` wanted failed; the panel may show it all the same.
    mutating func doubt(_ refused: DisplayModel, at now: Moment) {
        panelStep.doubt(refused.step(at: now.instant))
        showsForeignStep = showsForeignStep || refused.showsForeignStep || refused.raised != nil
    }

    /// The panel could not be read, or refused what it is owed.
    mutating func failed(_ kind: PanelFault.Kind, at now: Moment) {
        if fault == nil { cause = Cause(.connected, at: now.wall) }
        transition = nil
        // One that cannot be read stays gone until it can: what it then shows is nobody's wish.
        fault = PanelFault(fault?.kind == .gone ? .gone : kind, after: fault, at: now.instant)
    }

    private mutating func recover(at now: Moment) {
        guard fault != nil else { return }
        fault = nil
        cause = Cause(.connected, at: now.wall)
    }
}

/// The step that a screen dimmer may have saved while leases raised the panel, and what belongs to it.
///
/// An idle dimmer (`brightnessctl --save set 10%`, then `--restore`) saves the raised step, since that is what it reads.
/// Its restore is not a wish for that step: it returns to the state in which it was saved.
private struct RestorePoint: Sendable {
    /// The raised step, as a program read it.
    let step: Int
    /// The baseline below it. Follows what people ask for through the daemon.
    var baseline: Brightness
    var baselineStep: Int
    /// The end of the hold of automatic brightness then.
    let heldUntil: Moment?
}
