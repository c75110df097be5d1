// SPDX-License-Identifier: Apache-2.0

/// The published state and the persisted record of a display.
extension DisplayModel {
    /// The step that the device shows in place of the target.
    private var substituteStep: Int? {
        transition == nil && shown == target && panelStep.isCertain ? panelStep.substitute : nil
    }

    func state(at revision: Revision) -> DisplayState {
        DisplayState(properties, cause: cause, revision: revision)
    }

    /// The published properties, without the cause and the revision.
    var properties: DisplayState.Properties {
        DisplayState.Properties(
            id: id,
            name: name,
            kind: kind,
            range: range,
            brightness: substituteStep.map { range.brightness(of: $0) } ?? effective,
            baseline: baseline,
            step: substituteStep ?? transition?.to ?? shown,
            isDimmable: isDimmable,
            provider: principal,
            power: DisplayState.Power(
                isOn: isPowerKnown ? power.shown : nil,
                baseline: power.baseline,
                isSwitchable: power.isSwitchable,
                hasSignal: hasSignal
            ),
            leases: leases.totals.byKind.mapValues { kind, total in
                DisplayState.LeaseSummary(
                    brightness: total.brightness.map { attainable($0, by: kind) },
                    count: total.count,
                    until: total.lastEnd?.wall,
                    isOverridden: total.isOverridden
                )
            },
            automatic: DisplayState.Automatic(
                isEnabled: automatic.isEnabled,
                heldUntil: automatic.heldUntil?.wall,
                waiting: automatic.isEnabled && lacksLight ? .sensor : nil
            ),
            unavailable: fault?.unavailability,
            writes: writes,
            tags: tags,
            position: settings.position,
            leader: leader
        )
    }

    /// The record to persist before the panel is brought to `target`. It stays correct after the write. Its floor and
    /// ceiling are the mark: at the next start, a step within them is not a person's.
    var record: DisplayRecord {
        let substitute = panelStep.substitute
        let showsBaseline = leased == nil && shown == baselineStep && panelStep.isCertain && substitute == nil
        // Under leases, no step during a transition must look like a person's change either.
        let isMarked = !showsBaseline && (leased != nil || showsForeignStep || !leases.isEmpty || substitute != nil)
        // The range of a whole transition, so that it needs no record per step.
        var steps: [Int] = []
        if isMarked {
            // The baseline needs no mark. It is included so that the record is the same before and after the write.
            steps = [shown, target, substitute ?? shown, baselineStep] + panelStep.unconfirmed
            if let marked = transition?.marked { steps += [marked.lowerBound, marked.upperBound] }
        }
        return DisplayRecord(
            id: id,
            maximum: range.maximum,
            baseline: baseline,
            baselineStep: baselineStep,
            floor: steps.min(),
            ceiling: steps.max(),
            powerBaseline: power.wantsOn,
            mayBeDark: power.needsMark(leases.effect),
            leases: leases.persisted,
            automatic: automatic.record,
            settings: settings,
            provided: principal.map { provided(by: $0) },
            device: device
        )
    }

    private func provided(by principal: Principal) -> ProvidedRecord {
        ProvidedRecord(
            name: deviceName,
            isDimmable: isDimmable,
            isSwitchable: power.isSwitchable,
            principal: principal,
            goneSince: fault.flatMap { $0.kind == .gone ? $0.unavailability.since : nil }
        )
    }

    /// Whether any published property other than the cause differs.
    func differs(from published: DisplayState.Properties) -> Bool {
        baseline != published.baseline || properties != published
    }
}
