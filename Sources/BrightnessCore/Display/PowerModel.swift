// SPDX-License-Identifier: Apache-2.0

/// The power of one display: the state that people asked for, that of the panel, and the one that other programs set.
/// Has no panel, clock or leases.
///
/// - A client's command changes the baseline, and so does a person who switches the panel on: by a touch, a remote
///   control or activity that unblanks it. A compositor that blanks the panel sets no baseline: its change stays
///   until the next power command or lease, and is only reported.
/// - A panel is never switched to the state that it has, and not more often than its interval allows.
/// - A panel that cannot be switched is left alone. The baseline and the mark of an earlier run, which could switch it,
///   are kept for a later one.
struct PowerModel: Sendable {
    // The panel's switch.
    private(set) var isSwitchable: Bool
    /// The minimum time between two switches.
    private var interval: Duration
    private(set) var restsAfterSwitch: Bool
    private var lastSwitch: Instant?
    /// Whether the command is the last one, so that switches do not wait.
    private(set) var skipsPauses = false

    // The wanted state.
    /// Whether people want the panel on, in a run that can switch it.
    private(set) var wantsOn = true
    /// The state that others have set since the last power command or lease: it counts more than leases and baseline.
    private(set) var outside: Bool?

    // The panel's state, and how certain it is. A read or a switch ends each doubt.
    /// Whether the panel is on, as last read or written; `nil` if it is unknown.
    private(set) var shown: Bool?
    /// Whether `shown` was never read or written: the panel counts as on.
    private(set) var isAssumed = false
    /// Whether the panel was on and is gone: it may be off by now.
    private(set) var isLost = false
    /// Whether a failed switch may have reached the panel nevertheless: it has to be read or switched again.
    private(set) var isUnsure = false
    /// Whether somebody asks for light from a panel that is assumed or lost: it is switched on once.
    private(set) var mustConfirmOn = false

    // The reason for which it may be off.
    /// The mark of the journal: whether the panel may be off because of the daemon.
    private(set) var mayBeDark = false
    /// Whether others or the firmware switched the panel off, and a command or lease has decided its state since.
    private(set) var isDarkAdopted = false
    /// Whether a panel that is first read long after the start, and is off then, was switched off by others.
    let isFirstDarkByOthers: Bool

    /// - Parameter isOn: The panel's state; `nil` if it cannot be read.
    init(of panel: any Panel, isOn: Bool?, goingOnFrom earlier: RecoveredRecord?) {
        isSwitchable = panel.isSwitchable
        interval = panel.switchInterval
        restsAfterSwitch = panel.restsAfterSwitch
        shown = isOn
        if let record = earlier?.record { (wantsOn, mayBeDark) = (record.powerBaseline, record.mayBeDark) }
        isFirstDarkByOthers = Self.isByOthers(false, earlier)
        // A switchable panel that cannot be read counts as on, unless an earlier run switched it off.
        if isSwitchable, isOn == nil, !mayBeDark { (shown, isAssumed) = (true, true) }
        // A mark explains either state: the earlier run ended before or after its switch.
        if let isOn, !mayBeDark, Self.isByOthers(isOn, earlier) { outside = isOn }
        // A panel that the firmware left dark under a wake is to be lit, also if this run ends before its switch.
        isDarkAdopted = isOn == false && outside == nil
        if isOn == true { mayBeDark = false }
    }

    /// Whether others must have switched a panel without a mark, which the earlier run has not switched off.
    private static func isByOthers(_ isOn: Bool, _ earlier: RecoveredRecord?) -> Bool {
        guard let earlier else { return !isOn }
        let kinds = Set(earlier.record.leases.lazy.filter { !$0.isOverridden }.map(\.kind))
        // At boot, the firmware has switched it.
        if !earlier.isOfThisBoot { return !isOn && !kinds.contains(.wake) }
        let wasToBeOn = kinds.contains(.wake) || (earlier.record.powerBaseline && !kinds.contains(.sleep))
        return !isOn || !wasToBeOn
    }

    /// Whether the panel is to be on without leases.
    var baseline: Bool { wantsOn || !isSwitchable }

    /// Whether an earlier run may have switched off a panel that this one cannot switch. It is lit once at the start if
    /// that is possible. Otherwise the mark stays for a later run.
    var needsLight: Bool { !isSwitchable && mayBeDark }

    /// Whether the panel is known to be off. Its brightness is written when it is on again.
    var isDark: Bool { shown == false }

    /// Whether the panel is known to be on, as people want it.
    var isLit: Bool { shown == true && wantsOn }

    func target(_ leases: LeaseEffect) -> Bool { outside ?? leases.isOn(over: baseline) }

    /// Whether a switch is pending, now or after the interval.
    func isPending(_ leases: LeaseEffect) -> Bool {
        guard isSwitchable else { return false }
        let target = target(leases)
        return shown != target || (mustConfirmOn && target)
    }

    /// When the panel may be switched again, and written unless that is possible at once; `nil` if it was never
    /// switched.
    var due: Instant? { skipsPauses ? nil : lastSwitch.map { $0 + interval } }

    /// Whether the panel has been switched for so long that it may be switched again.
    func mayBeSwitched(at now: Instant) -> Bool { due.map { $0 <= now } ?? true }

    /// Whether the panel has been switched for so long that it may be written.
    func mayBeWritten(at now: Instant) -> Bool { !restsAfterSwitch || mayBeSwitched(at: now) }

    func needsSwitch(_ leases: LeaseEffect, at now: Instant) -> Bool { isPending(leases) && mayBeSwitched(at: now) }

    /// Whether the journal must mark the panel before it is switched to its target.
    func needsMark(_ leases: LeaseEffect) -> Bool {
        // For a later run that can switch it. That must not take for a change by others that the panel is dark now, or
        // that it is still on although leases and baseline want it off.
        guard isSwitchable else { return mayBeDark || (outside == nil && (isDark || !leases.isOn(over: wantsOn))) }
        if mayBeDark || isDarkAdopted { return true }
        // A rejected command has lit a panel that nobody wants on.
        let isLitInVain = shown == true && !wantsOn
        return !target(leases) && (outside == nil || isLitInVain)
    }

    // MARK: Commands

    /// Sets the baseline. The caller overrides the leases in force.
    mutating func set(_ isOn: Bool) {
        wantsOn = isOn
        takeOver()
    }

    /// Takes the panel over from others: a wake or sleep was granted, or a power command came.
    mutating func takeOver() {
        if outside == false { isDarkAdopted = true }
        outside = nil
        mustConfirmOn = isAssumed || isLost
    }

    /// Lets switches and writes happen without a pause; the panel itself waits. For the last command.
    mutating func skipPauses() { skipsPauses = true }

    // MARK: The panel's reports

    func isOf(_ panel: any Panel) -> Bool {
        (isSwitchable, interval, restsAfterSwitch) == (panel.isSwitchable, panel.switchInterval, panel.restsAfterSwitch)
    }

    /// Adopts the switch of a panel that has others now: a pair whose part has come.
    mutating func describe(as panel: any Panel) {
        (isSwitchable, interval) = (panel.isSwitchable, panel.switchInterval)
        restsAfterSwitch = panel.restsAfterSwitch
    }

    /// Reports that the panel, which may be switched nevertheless, cannot be read.
    mutating func lost() { if shown == true { isLost = true } }

    /// Reports the panel's state; `nil` if it cannot be read.
    ///
    /// - Parameter isReturning: Whether the panel was gone: then its state is not a change by others.
    /// - Returns: Whether others have switched the panel. The caller overrides the leases in force.
    mutating func observe(_ isOn: Bool?, isReturning: Bool) -> Bool {
        guard let isOn else {
            // No read reports the result of the failed switch any more.
            if isUnsure { shown = nil }
            return false
        }
        // The first read since the start, and nobody has asked for light before it.
        let isFirst = isAssumed && !mustConfirmOn && isReturning
        let isExplained = isOn == shown || isUnsure || isReturning || shown == nil
        (shown, isUnsure, isAssumed, mustConfirmOn) = (isOn, false, false, false)
        isLost = false
        if isFirst, !isOn, isFirstDarkByOthers { outside = false }
        if isOn || !isExplained { (mayBeDark, isDarkAdopted) = (false, false) }
        if isExplained { return false }
        outside = isOn
        if isOn { wantsOn = true }
        return true
    }

    /// Reports that the panel was switched. A panel that others had switched off has no mark when it is off again.
    mutating func switched(to isOn: Bool, at now: Instant) {
        (shown, mayBeDark, isUnsure, lastSwitch) = (isOn, !isOn && outside == nil, false, now)
        (isDarkAdopted, isAssumed, mustConfirmOn, isLost) = (false, false, false, false)
    }

    /// Reports that the panel does not answer at the start, and is to be off: the earlier run has switched it off.
    mutating func startDark() { shown = false }

    /// Reports that the panel, which this run cannot switch, was lit at the start.
    mutating func lit() {
        mayBeDark = false
        if shown != nil { shown = true }
    }

    /// Reports that a switch failed. The panel may have accepted it nevertheless.
    ///
    /// - Parameter isReadable: Whether the next read reports what the panel did.
    mutating func switchFailed(to isOn: Bool, isReadable: Bool, at now: Instant) {
        (isUnsure, lastSwitch) = (true, now)
        if !isReadable { shown = nil }
        if !isOn, outside == nil { mayBeDark = true }
    }

    /// Adopts what another copy of the model learned about the panel. The demands of its command were rejected.
    mutating func learn(from other: PowerModel) {
        (shown, mayBeDark, isAssumed) = (other.shown, other.mayBeDark, other.isAssumed)
        (isUnsure, isLost, lastSwitch) = (other.isUnsure, other.isLost, other.lastSwitch)
        // A switch has ended them; the command may have begun them.
        (mustConfirmOn, isDarkAdopted) = (mustConfirmOn && other.mustConfirmOn, isDarkAdopted && other.isDarkAdopted)
    }
}
