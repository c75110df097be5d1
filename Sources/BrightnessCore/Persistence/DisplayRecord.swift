// SPDX-License-Identifier: Apache-2.0

/// The state of a display that survives the daemon: all that is needed to restore its panel.
package struct DisplayRecord: Hashable, Sendable {
    package let id: DisplayID
    /// The panel's maximum; steps are relative to it.
    package var maximum: Int
    package var baseline: Brightness
    /// The step of `baseline`, for restoring the panel exactly.
    package var baselineStep: Int
    /// The mark of a boosted or dimmed panel: the lowest and the highest step that it may show because of a lease or a
    /// transition. `nil` once the panel is known to show its baseline.
    package var floor: Int?
    package var ceiling: Int?
    /// Whether people want the panel on.
    package var powerBaseline = true
    /// The mark of a panel that the daemon may have switched off. `false` once it is known to be on.
    package var mayBeDark = false
    /// In the order in which they were granted.
    package var leases: [Lease] = []
    package var automatic = AutomaticRecord.none
    package var settings = DisplaySettings.none
    /// The description of a display that a client provides; `nil` for others.
    package var provided: ProvidedRecord?
    package var device = DeviceRecord()

    /// The principal whose display it is; `nil` for the machine.
    package var owner: Principal? { provided?.principal }

    /// Whether a crash could leave the panel boosted, dimmed or dark if the record were lost.
    package var isAtStake: Bool { isPending || !powerBaseline }

    /// Whether the daemon has changed the panel and has to change it back.
    package var isPending: Bool { ceiling != nil || !leases.isEmpty || mayBeDark }

    /// Returns the record for a panel whose number of steps changed.
    func scaled(to maximum: Int) -> DisplayRecord {
        guard maximum != self.maximum, self.maximum > 0 else { return self }
        let scale = BrightnessRange.scale(from: self.maximum, to: maximum)
        var record = self
        record.maximum = maximum
        record.baselineStep = scale(baselineStep)
        record.floor = floor.map(scale)
        record.ceiling = ceiling.map(scale)
        return record
    }

    /// Whether the daemon may be the reason that the panel shows `step`: a lease, a transition or rounding.
    ///
    /// - Parameter rounding: Whether the panel may show another step than the one written.
    func explains(_ step: Int, rounding rounds: Bool) -> Bool {
        let rounding = rounds ? BrightnessRange.rounding(of: maximum) : 0
        let lowest = min(floor ?? baselineStep, baselineStep)
        let highest = max(ceiling ?? baselineStep, baselineStep)
        return (lowest - rounding...highest + rounding).contains(step)
    }
}

/// A record that an earlier run of the daemon stored.
package struct RecoveredRecord: Sendable {
    package var record: DisplayRecord
    /// Whether the machine has not been restarted since the record was written. After a restart, the firmware and the
    /// system have set the panel, not a person.
    package let isOfThisBoot: Bool

    package init(_ record: DisplayRecord, isOfThisBoot: Bool) {
        self.record = record
        self.isOfThisBoot = isOfThisBoot
    }
}
