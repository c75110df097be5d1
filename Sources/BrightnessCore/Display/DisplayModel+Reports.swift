// SPDX-License-Identifier: Apache-2.0

/// The reports of a display's panel: what it shows, what others have set, and its faults.
extension DisplayModel {
    /// Adopts the panel's name, which a monitor may have only since it answers. A panel that a client provides, and a
    /// pair, may also have another kind or number of steps now: then the brightness stays, and the next read finds what
    /// the panel shows.
    mutating func describe(as panel: any Panel) {
        guard panel.principal != nil || panel.hasParts else {
            deviceName = panel.name
            return
        }
        let range = panel.isDimmable ? panel.range.with(settings.curve ?? defaultCurve) : panel.range
        guard panel.name != deviceName || range != self.range || !power.isOf(panel) else { return }
        (deviceName, kind, writesOnce) = (panel.name, panel.kind, panel.writesOnce)
        power.describe(as: panel)
        if isDimmable, !panel.isDimmable { automatic = .unavailable }
        isDimmable = panel.isDimmable
        guard range != self.range else { return }
        let scale = BrightnessRange.scale(from: self.range.maximum, to: range.maximum)
        let isOnStep = self.range.step(for: baseline) == baselineStep
        self.range = range
        baselineStep = isOnStep ? range.step(for: baseline) : scale(baselineStep)
        panelStep = ShownStep(scale(shown), on: panel)
        flashes = kind == .simulated ? nil : FlashLimit(showing: shown, of: range.maximum)
        (transition, restorePoint) = (nil, nil)
    }

    /// Whether a lease or hold has expired but was not ended yet.
    func isOverdue(at now: Instant) -> Bool {
        automatic.hasOverdueHold(at: now) || leases.nextEnd.map { $0 <= now } ?? false
    }

    /// Whether the panel has a fault and the next try is due.
    func isRetryDue(at now: Instant) -> Bool {
        fault.map { $0.retry <= now } ?? false
    }

    /// Reports that the panel shows `step`, and whether it is on. A step or power that no write explains was set by
    /// another program or a person, also while the panel is off. After the panel was gone, no step counts as that: the
    /// target is written again. (A panel that may lose its step in the dark is not read then.)
    mutating func observe(_ step: Int, isOn: Bool? = nil, cause kind: Cause.Kind = .external, at now: Moment) {
        isUnplugged = false
        observe(isOn: isOn, cause: kind, at: now)
        observe(step: step, cause: kind, at: now)
        if fault?.kind == .gone { fault?.returned(at: now.instant) }
        markPendingTarget(at: now.instant)
        noteShown(at: now)
        endFaultIfDone(at: now)
    }

    /// Reports the step of a panel, perhaps of a pair that is gone without the device of its power.
    mutating func observe(step: Int, cause kind: Cause.Kind, at now: Moment) {
        if fault?.hidesStep == true {
            panelStep.found(step)
        } else if !panelStep.confirm(step) {
            adopt(step, cause: kind, at: now)
        }
    }

    /// Reports whether the panel is on; `nil` if that cannot be read.
    mutating func observe(isOn: Bool?, cause kind: Cause.Kind, at now: Moment) {
        guard power.observe(isOn, isReturning: fault?.hidesPower == true) else { return }
        _ = leases.overrideAll(about: .power, at: now)
        cause = Cause(kind, at: now.wall)
        cancelWritesIfDark(at: now)
    }

    /// Reports whether the panel has a signal. Its loss is the work of another program, which blanks the screen.
    mutating func observe(signal: Bool?, at now: Moment) {
        if let signal, let hasSignal, signal != hasSignal { cause = Cause(.external, at: now.wall) }
        hasSignal = signal
    }

    /// Ends the fault if nothing is pending.
    mutating func endFaultIfDone(at now: Moment) {
        let isWritten = !needsWrite(at: now.instant) && (power.mayBeWritten(at: now.instant) || !isWritePending)
        if isWritten, !isPowerUncertain { recover(at: now) }
    }

    /// Adopts a step set by others: as the baseline, or as a dimmer's restore.
    private mutating func adopt(_ step: Int, cause kind: Cause.Kind, at now: Moment) {
        let (seen, leased, old) = (panelStep.possible, leased, baseline)
        defer { if baseline != old { changedAt = now } }
        let isAboutLease = leased != nil || leases.all.contains { $0.isOverridden && $0.kind.subject == .brightness }
        panelStep.adopt(step)
        transition = nil
        cause = Cause(kind, at: now.wall)
        if kind == .external, let point = restorePoint, point.steps.contains(where: { panelStep.isOwn(step, of: $0) }) {
            return undoDimmer(to: point, at: now)
        }
        let overridden = leases.overrideAll(about: .brightness, at: now)
        // The steps that a dimmer may have saved: brighter than its own, and on the leases' side of the baseline.
        let saved = seen.filter { other in
            guard other > step, let leased else { return false }
            return leased > baseline ? other > baselineStep : other < baselineStep
        }
        if kind != .external || seen.allSatisfy({ step > $0 }) {
            // A person set the panel, so there is no dimmer's restore to expect.
            restorePoint = nil
        } else if !saved.isEmpty {
            // Otherwise an earlier point stays: a dimmer may dim in several steps.
            restorePoint = RestorePoint(
                steps: saved,
                baseline: baseline,
                baselineStep: baselineStep,
                overridden: overridden,
                heldUntil: automatic.heldUntil
            )
        }
        (baseline, baselineStep, showsForeignStep) = (range.brightness(of: step), step, false)
        (chosenAt, setAt) = (now.instant, now.instant)
        // A change against a lease is not a lesson about the light.
        if isAboutLease { automatic.hold(at: now) } else { automatic.learn(baseline, in: light, at: now) }
    }

    /// Returns to the state before a dimmer's change, which was not a person's.
    private mutating func undoDimmer(to point: RestorePoint, at now: Moment) {
        (baseline, baselineStep) = (point.baseline, point.baselineStep)
        leases.reinstate(point.overridden)
        (showsForeignStep, restorePoint) = (true, nil)
        automatic.returnHold(to: point.heldUntil?.corrected(at: now))
        follow()
    }

    /// Reports that the panel accepted `step` and now reads `readBack`; `nil` if it was not read.
    ///
    /// - Parameter isGone: Whether the panel counts as gone nevertheless: another device has its power.
    mutating func wrote(_ step: Int, readBack: Int?, isGone: Bool = false, at now: Moment) {
        panelStep.wrote(step, readBack: readBack)
        showsForeignStep = leased != nil || step != baselineStep
        if step == transition?.to { transition = nil }
        transition?.advance(showing: step, at: now.instant)
        noteShown(at: now)
        if !isGone { recover(at: now) }
    }

    /// Reports that a write of the target of `refused` failed. The panel may show it nevertheless.
    mutating func markUnconfirmed(targetOf refused: DisplayModel, at now: Moment) {
        panelStep.markUnconfirmed(refused.step(at: now.instant))
        showsForeignStep = showsForeignStep || refused.showsForeignStep || refused.leased != nil
    }

    /// Marks a panel that gets its target when it is on: a start before that must not take its step for the baseline.
    mutating func markPendingTarget(at now: Instant) {
        guard target != shown else { return }
        if power.isDark || isSwitchPending || !power.mayBeWritten(at: now) { showsForeignStep = true }
    }

    /// Nothing is written to a panel that is off.
    mutating func cancelWritesIfDark(at now: Moment) {
        guard power.isDark else { return }
        transition = nil
        if fault?.kind == .refusing { recover(at: now) }
    }

    /// Reports that the panel could not be read, or rejected the pending write.
    ///
    /// - Parameters:
    ///   - isFirst: Whether nobody observed the panel before, so that the fault may have begun earlier.
    ///   - isAbandoned: Whether the panel waits for its client.
    ///   - noticed: When an earlier run noticed the fault; `nil` if it is noticed now.
    mutating func failed(
        _ kind: PanelFault.Kind,
        cause origin: Cause.Kind = .lost,
        isFirst: Bool = false,
        isAbandoned: Bool = false,
        since noticed: Timestamp? = nil,
        at now: Moment
    ) {
        if fault == nil { cause = Cause(origin, at: noticed ?? now.wall) }
        transition = nil
        // A panel that cannot be read stays gone until it can. The step it then shows is not a person's change.
        let kind = fault?.kind == .gone ? .gone : kind
        fault = PanelFault(
            kind,
            by: fault?.cause ?? origin,
            after: fault,
            isFirst: isFirst,
            isAbandoned: isAbandoned,
            since: noticed,
            at: now
        )
    }

    private mutating func recover(at now: Moment) {
        guard let ended = fault else { return }
        fault = nil
        // A panel that another program switched off was switched on again.
        cause = Cause(ended.cause == .lost ? .connected : ended.cause, at: now.wall)
    }
}
