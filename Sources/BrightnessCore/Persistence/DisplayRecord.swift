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
    var isStepMarked: Bool { ceiling != nil }
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
    package var isAtStake: Bool { needsRestore || !powerBaseline }

    /// Whether the daemon has changed the panel and has to restore it.
    package var needsRestore: Bool { isStepMarked || !leases.isEmpty || mayBeDark }

    /// The records of the parts of a pair, which has their steps and may have left either dark.
    package var parts: [DisplayRecord] {
        device.parts.map { id, device in
            DisplayRecord(
                id: id,
                maximum: maximum,
                baseline: baseline,
                baselineStep: baselineStep,
                mayBeDark: mayBeDark,
                device: device
            )
        }
    }

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

    /// The leases from which a display continues.
    ///
    /// The daemon's own leases without a time limit are computed again at each start. Within a boot a
    /// schedule's lasts until then, so that a restart at night does not light the panel for a moment and a person's
    /// change stays in force. A start counts as activity, so those of `idle` end.
    func recoveredLeases(isOfThisBoot: Bool, at now: Moment) -> [Lease] {
        leases.compactMap { lease in
            guard lease.principal == .daemon, let holder = lease.holder, ReservedHolder.includes(holder) else {
                return lease
            }
            if holder == ReservedHolder.idle { return nil }
            // That of `presence` goes on like a client's.
            if lease.end != nil { return lease }
            guard isOfThisBoot else { return nil }
            var lease = lease
            lease.end = now + LeaseTable.grace
            return lease
        }
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

/// The persisted state of a display's automatic brightness, part of its `DisplayRecord`.
package struct AutomaticRecord: Hashable, Sendable {
    /// The mode that a client set; `nil` for the default.
    package var isEnabled: Bool?
    /// The end of the hold after a person's change; `nil` without one.
    package var heldUntil: Moment?
    /// The brightness that a person chose in each light, the newest last.
    package var lessons: [BrightnessCurve.Point] = []

    /// The record of a display without a set mode, hold or lesson.
    package static let none = AutomaticRecord()
}

/// The persisted facts about a display's device, part of its `DisplayRecord`.
package struct DeviceRecord: Hashable, Sendable {
    /// Where the device was last, such as `ddc:DP-1@5`: its kind, and its connector, bus or path. `nil` for a device
    /// that its id finds again.
    package var address: String?
    /// The newest writes to a device whose memory wears; `nil` for others.
    package var writes: DailyWrites?
    /// The devices of a pair's parts, without those that have no facts.
    package var parts: [DisplayID: DeviceRecord]

    package init(
        address: String? = nil,
        writes: DailyWrites? = nil,
        parts: [DisplayID: DeviceRecord] = [:]
    ) {
        (self.address, self.writes) = (address, writes)
        self.parts = parts.filter { $1 != DeviceRecord() }
    }

    /// The connector, bus or path, if the device is of this kind.
    package func address(of kind: DisplayKind) -> String? {
        guard let address, address.hasPrefix("\(kind.rawValue):") else { return nil }
        return String(address.dropFirst(kind.rawValue.count + 1))
    }
}

/// The number of writes in one day.
package struct DailyWrites: Hashable, Sendable {
    /// In UTC, counted from 1970.
    package var day: Int64
    package var count: Int

    package init(day: Int64, count: Int) { (self.day, self.count) = (day, count) }
}
