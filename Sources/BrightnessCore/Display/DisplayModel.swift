// SPDX-License-Identifier: Apache-2.0

/// One display's rules: its baselines, its leases, and the brightness and power that follow from them (`LeaseEffect`).
/// Has no panel, clock or lock.
///
/// - The baseline is the requested brightness, limited to the panel's range. A boosted or dimmed panel never becomes
///   the baseline.
/// - Automatic brightness sets the baseline, too, except during a hold after a person's change.
/// - A person's change wins. If another program or a key sets the panel, that step becomes the baseline, and the boosts
///   and dims in force are overridden until they end. Leases that are granted later have an effect.
/// - A panel that is off keeps its target, and gets it when it is on. A step that others set while it is off is theirs.
/// - A transition may take the panel to its target. Published states have the target; steps in between are never a
///   baseline.
///
/// Getters are inlined, since a call on a batch's model would copy the whole model first.
struct DisplayModel: Sendable {
    let id: DisplayID
    var deviceName: String
    var settings: DisplaySettings
    var kind: DisplayKind
    /// The panel's steps, and the curve of the display.
    var range: BrightnessRange
    /// The curve in force if the settings have none.
    let defaultCurve: PanelCurve
    var isDimmable: Bool
    /// The principal of the client that provides it; `nil` for a display of the machine.
    let principal: Principal?
    /// The highest brightness that a lease can reach.
    let cap: Brightness
    let tags: [DisplayTag]
    /// The display that it follows; `nil` for none.
    let leader: DisplayID?
    /// The duration of a change, for commands without one. Zero, and no transitions at all, for panels whose writes are
    /// costly.
    let defaultTransition: Duration
    var writesOnce: Bool

    /// The number of writes, for panels that wear.
    var writes: DisplayState.Writes?
    var device: DeviceRecord

    var baseline: Brightness
    /// The step of `baseline`. A step that was read from the panel is restored exactly, even below the minimum.
    var baselineStep: Int
    /// When a person last chose the brightness; `nil` if nobody has in this run.
    var chosenAt: Instant?
    /// When a person or a schedule last set the baseline: an older change of a leader does not replace that.
    var setAt: Instant?
    /// When the baseline last changed; `nil` if it did not in this run.
    var changedAt: Moment?
    var leases: LeaseTable
    var power: PowerModel
    /// Whether the system sends the panel a picture; `nil` if that is unknown.
    var hasSignal: Bool?
    /// Whether the panel is known to be as `power` shows it.
    var isPowerKnown: Bool
    var automatic: AutomaticBrightness
    /// The ambient light; `nil` while it is unknown or not needed.
    var light: Illuminance?
    /// Whether no sensor knows the light. `false` before the first report.
    var lacksLight = false
    var cause: Cause

    var panelStep: ShownStep
    var fault: PanelFault?
    /// The state that a dimmer restores if it started during the last override.
    var restorePoint: RestorePoint?
    /// `nil` for a simulated panel, which has no light.
    var flashes: FlashLimit?
    /// Whether the panel was missing at the last read.
    var isUnplugged = false
    /// The transition to `target`. `nil` during a fault: the panel then jumps to the target as soon as it can be
    /// written.
    var transition: Transition?
    /// Whether the panel may show a step that is not a baseline: a lease's, or one of a transition.
    var showsForeignStep = false

    /// - Parameters:
    ///   - isOn: Whether the panel is on; `nil` if it cannot be read.
    ///   - earlier: The record of an earlier run. Unexpired leases continue, over the recorded baselines unless a
    ///     person changed the panel since.
    init(
        _ panel: any Panel,
        showing step: Int,
        isOn: Bool? = nil,
        _ configuration: DisplayService.Configuration = .standard,
        settings: DisplaySettings = .none,
        goingOnFrom earlier: RecoveredRecord? = nil,
        at now: Moment
    ) {
        id = panel.id
        deviceName = panel.name
        self.settings = settings
        kind = panel.kind
        defaultCurve = configuration.curves[panel.id] ?? .linear
        range = panel.isDimmable ? panel.range.with(settings.curve ?? defaultCurve) : panel.range
        isDimmable = panel.isDimmable
        principal = panel.principal
        cap = configuration.cap
        tags = configuration.tags
        leader = configuration.leaders[panel.id]
        defaultTransition = configuration.transition
        writesOnce = panel.writesOnce
        writes = panel.writes
        device = panel.deviceRecord
        panelStep = ShownStep(step, on: panel)
        flashes = kind == .simulated ? nil : FlashLimit(showing: step, of: panel.range.maximum)
        baseline = range.brightness(of: step)
        baselineStep = step
        leases = LeaseTable(display: panel.id)
        power = PowerModel(of: panel, isOn: isOn, goingOnFrom: earlier)
        isPowerKnown = panel.isPowerKnown
        automatic =
            isDimmable
            ? AutomaticBrightness(configuration.automatic, goingOnFrom: earlier?.record.automatic ?? .none)
            : .unavailable
        cause = Cause(.connected, at: now.wall)
        guard let earlier else { return }
        goOn(from: earlier, on: panel, showing: step, restoresAtBoot: configuration.restoresAtBoot, at: now)
    }

    /// Continues the leases of an earlier run. The baseline depends on why the panel shows its step:
    ///
    /// - A person has set it since: it is the baseline, and overrides the leases.
    /// - The panel may have lost its step, or shows that of a lease or transition, or that of the firmware although the
    ///   baseline is restored at boot: the recorded baseline continues.
    /// - Else it is the baseline, but nobody's choice against the leases.
    private mutating func goOn(
        from earlier: RecoveredRecord,
        on panel: any Panel,
        showing step: Int,
        restoresAtBoot: Bool,
        at now: Moment
    ) {
        let record = earlier.record.scaled(to: range.maximum)
        let recovered = record.recoveredLeases(isOfThisBoot: earlier.isOfThisBoot, at: now)
        leases = LeaseTable(display: id, goingOnWith: recovered, at: now)
        // At boot, the firmware has set the step and not a person.
        let isPersons = !panel.isVolatile && earlier.isOfThisBoot && !record.explains(step, rounding: panel.rounds)
        let restoresBaseline = restoresAtBoot && !earlier.isOfThisBoot
        let continuesBaseline =
            isDimmable && !isPersons && (panel.isVolatile || record.isStepMarked || restoresBaseline)
        if continuesBaseline {
            baseline = record.baseline
            baselineStep = min(max(record.baselineStep, 0), range.maximum)
            // The curve has changed since.
            if abs(range.step(for: baseline) - baselineStep) > 1 { baseline = range.brightness(of: baselineStep) }
        }
        let isRestored = restoresBaseline && step != baselineStep
        showsForeignStep = continuesBaseline && (record.isStepMarked || isRestored)
        if isPersons { _ = leases.overrideAll(about: .brightness, at: now) }
        if power.outside != nil { _ = leases.overrideAll(about: .power, at: now) }
        let wasDark = record.mayBeDark && record.powerBaseline
        if record.isStepMarked || !record.leases.isEmpty || wasDark || isRestored {
            cause = Cause(.recovered, at: now.wall)
        }
    }

    var name: String { settings.name?.text ?? deviceName }

    /// The step that was last written or read.
    var shown: Int { panelStep.step }

    /// Returns the brightness that a lease alone can reach here.
    func attainable(_ brightness: Brightness, by kind: LeaseKind) -> Brightness {
        switch kind.demand {
        case .atLeast: LeaseEffect.granted(brightness, over: baseline, cap: cap, dimmest: range.dimmest)
        case .atMost: max(brightness, range.dimmest)
        case .on, .off: brightness
        }
    }

    @inline(__always)
    var effective: Brightness { leases.effect.brightness(over: baseline, cap: cap, dimmest: range.dimmest) }

    /// The brightness that the leases change the baseline to; `nil` if they have no effect.
    @inline(__always) var leased: Brightness? { effective == baseline ? nil : effective }

    /// The step at the end of a transition.
    @inline(__always) var target: Int { leased.map { range.step(for: $0) } ?? baselineStep }

    /// The step to show at this instant.
    @inline(__always) func step(at now: Instant) -> Int { transition?.step(at: now, showing: shown) ?? target }

    /// Whether the panel has to be written now. A panel that is off is not written.
    @inline(__always) func needsWrite(at now: Instant) -> Bool {
        !power.isDark && power.mayBeWritten(at: now) && (step(at: now) != shown || !panelStep.isCertain)
    }

    /// Whether the panel that is on has to be written, now or later.
    @inline(__always) var isWritePending: Bool {
        !power.isDark && transition == nil && (target != shown || !panelStep.isCertain)
    }

    var nextDeadline: Instant? {
        // During a fault the next try is due at `retry`, unless the panel has to rest for longer.
        let isResting = isSwitchPending || (isWritePending && (fault == nil || power.restsAfterSwitch))
        let powerDue = isResting ? [power.due, switchDue].lazy.compactMap { $0 }.max() : nil
        let next = fault.map { max($0.retry, powerDue ?? $0.retry) } ?? powerDue
        return [leases.nextEnd, automatic.heldUntil?.instant, transition?.due, next].lazy.compactMap { $0 }.min()
    }

    /// Begins the transition from the current step to `target`. A jump, which has no duration, becomes one only if it
    /// has to wait, because it would be a flash too many now.
    ///
    /// - Parameter old: The running transition, if neither it nor the new one involves a lease.
    mutating func beginTransition(in duration: Duration, continuing old: Transition?, at now: Instant) {
        transition = nil
        let isKnown = fault == nil && panelStep.isCertain && !power.isDark && powerTarget
        guard isKnown, shown != target else { return }
        let start = flashes?.start(to: target).map { max($0, now) } ?? now
        let duration = writesOnce ? .zero : duration
        guard duration > .zero || start > now else { return }
        var new = Transition(from: shown, to: target, in: duration, at: start, of: range)
        // The panel has shown no step of a transition that did not begin, such as one of an earlier job of this batch.
        if let old, old.hasBegun { new.keepMarks(of: old, slack: range.maximum / 10, within: 0...range.maximum) }
        transition = new
        showsForeignStep = true
    }

    /// Changes the curve. The brightness stays, and the panel gets the step that it has now.
    mutating func setCurve(_ curve: PanelCurve) {
        guard isDimmable, curve != range.curve else { return }
        range.curve = curve
        setBaseline(baseline)
    }

    /// - Parameter step: `nil` for the step of the brightness.
    mutating func setBaseline(_ brightness: Brightness, step: Int? = nil) {
        baseline = max(brightness, range.dimmest)
        baselineStep = step ?? range.step(for: baseline)
        restorePoint?.baseline = baseline
        restorePoint?.baselineStep = baselineStep
    }

    /// Sets the baseline by the light, unless the light is unknown or a hold is in force.
    ///
    /// - Parameter exactly: Whether to follow small changes, too.
    mutating func follow(exactly: Bool = false) {
        guard automatic.follows, let light else { return }
        let wanted = max(automatic.brightness(in: light), range.dimmest)
        guard exactly || AutomaticBrightness.isWorthMoving(from: baseline, to: wanted) else { return }
        setBaseline(wanted)
    }
}
