// SPDX-License-Identifier: Apache-2.0

/// What has to survive the daemon: of one display, all that puts its panel right again.
package struct DisplayRecord: Hashable, Sendable {
    package let id: DisplayID
    /// The panel's maximum, which steps are relative to.
    package var maximum: Int
    package var baseline: Brightness
    /// The step of `baseline`, as it is put back.
    package var baselineStep: Int
    /// The mark "boosted": the lowest and the highest step that the panel may show because of a lease, or on its way,
    /// with leases or without.
    /// `nil` once the panel is known to show what people asked for.
    package var floor: Int?
    package var ceiling: Int?
    package var isOverridden: Bool
    /// In the order they were granted.
    package var leases: [Lease]
    package var automatic: AutomaticRecord

    package init(
        id: DisplayID,
        maximum: Int,
        baseline: Brightness,
        baselineStep: Int,
        floor: Int? = nil,
        ceiling: Int? = nil,
        isOverridden: Bool = false,
        leases: [Lease] = [],
        automatic: AutomaticRecord = .none
    ) {
        self.id = id
        self.maximum = maximum
        self.baseline = baseline
        self.baselineStep = baselineStep
        self.floor = floor
        self.ceiling = ceiling
        self.isOverridden = isOverridden
        self.leases = leases
        self.automatic = automatic
    }

    /// The same for a panel that has other steps now.
    func scaled(to maximum: Int) -> DisplayRecord {
        guard maximum != self.maximum, self.maximum > 0 else { return self }
        func scale(_ step: Int) -> Int { Int((Double(step) * Double(maximum) / Double(self.maximum)).rounded()) }
        var record = self
        record.maximum = maximum
        record.baselineStep = scale(baselineStep)
        record.floor = floor.map(scale)
        record.ceiling = ceiling.map(scale)
        return record
    }

    /// Whether a panel that shows `step` may do so because of us: it was raised, or is on its way, or rounds.
    ///
    /// - Parameter rounding: Whether the panel may show another step than it was told.
    func explains(_ step: Int, rounding rounds: Bool) -> Bool {
        let rounding = rounds ? BrightnessRange.rounding(of: maximum) : 0
        let lowest = min(floor ?? baselineStep, baselineStep)
        let highest = max(ceiling ?? baselineStep, baselineStep)
        return (lowest - rounding...highest + rounding).contains(step)
    }
}

/// A record that an earlier run of the daemon left.
package struct RecoveredRecord: Sendable {
    package let record: DisplayRecord
    /// Whether the machine has been running since the record was written. After a start of the machine a panel shows
    /// what firmware and system made of it, which is nobody's wish.
    package let isOfThisBoot: Bool

    package init(_ record: DisplayRecord, isOfThisBoot: Bool) {
        self.record = record
        self.isOfThisBoot = isOfThisBoot
    }
}
