// SPDX-License-Identifier: Apache-2.0

/// The power of a display's panel.
extension DisplayModel {
    @inline(__always) func needsSwitch(at now: Instant) -> Bool {
        power.needsSwitch(leases.effect, at: now) && switchDue.map { $0 <= now } ?? true
    }

    @inline(__always) var powerTarget: Bool { power.target(leases.effect) }

    /// Whether the panel has to be switched, now or after a pause.
    @inline(__always) var isSwitchPending: Bool { power.isPending(leases.effect) }

    /// Whether the panel is not known to be as it has to be.
    var isPowerUncertain: Bool { isSwitchPending || power.isUnsure }

    /// Whether the pending work counts for the budget of writes. Switching a panel on does not.
    @inline(__always)
    func wearsPanel(at now: Instant) -> Bool { needsSwitch(at: now) ? !powerTarget : needsWrite(at: now) }

    // MARK: The panel's reports

    /// Reports that the panel was switched.
    ///
    /// - Parameter isGone: Whether the panel counts as gone nevertheless: another device has its brightness, or nothing
    ///   has shown that it is there.
    mutating func switched(to isOn: Bool, isGone: Bool = false, at now: Moment) {
        power.switched(to: isOn, at: now.instant)
        noteShown(at: now)
        cancelWritesIfDark(at: now)
        if isGone { fault?.wait(until: power.due ?? now.instant) } else { endFaultIfDone(at: now) }
    }

    /// Reports that the panel does not answer at the start. One that an earlier run may have switched off, and that has
    /// to be off, is off; its step is unknown. Any other one is gone.
    mutating func startSilent(at now: Moment) {
        guard power.mayBeDark, !powerTarget else { return failed(.gone, isFirst: true, at: now) }
        power.startDark()
        markUnconfirmed(targetOf: self, at: now)
    }

    /// Adopts what another copy of the model learned about the panel's power.
    mutating func learnPower(from other: DisplayModel, at now: Moment) {
        power.learn(from: other.power)
        cancelWritesIfDark(at: now)
    }
}
