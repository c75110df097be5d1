// SPDX-License-Identifier: Apache-2.0

/// What is published of a display, and what is persisted.
extension DisplayModel {
    func state(at revision: Revision) -> DisplayState {
        DisplayState(
            id: id,
            name: name,
            kind: kind,
            range: range,
            brightness: effective,
            baseline: baseline,
            step: transition?.to ?? shown,
            boost: boosts.brightness.map {
                DisplayState.Boost(
                    brightness: granted($0),
                    leases: boosts.count,
                    until: boosts.lastEnd?.wall,
                    isOverridden: isOverridden
                )
            },
            automatic: DisplayState.Automatic(
                isEnabled: automatic.isEnabled,
                heldUntil: automatic.heldUntil?.wall
            ),
            isAvailable: fault == nil,
            writes: writes,
            cause: cause,
            revision: revision
        )
    }

    /// What has to be safe before the panel is brought to `target`, and what is right when it has been.
    var record: DisplayRecord {
        let showsBaseline = raised == nil && shown == baselineStep && panelStep.isCertain
        // With leases, a step that is on its way must not look like a person's hand either.
        let isMarked = !showsBaseline && (raised != nil || showsForeignStep || !boosts.isEmpty)
        // All of a transition, so that nothing has to be written down on the way.
        var steps = panelStep.unconfirmed.union([shown, target])
        if let marked = transition?.marked { steps.formUnion([marked.lowerBound, marked.upperBound]) }
        return DisplayRecord(
            id: id,
            maximum: range.maximum,
            baseline: baseline,
            baselineStep: baselineStep,
            floor: isMarked ? steps.min() : nil,
            ceiling: isMarked ? steps.max() : nil,
            isOverridden: isOverridden,
            leases: boosts.all,
            automatic: automatic.record
        )
    }

    /// Whether anything a client is told, other than the cause, is different.
    func differs(from published: DisplayState) -> Bool {
        var new = state(at: published.revision)
        new.cause = published.cause
        return new != published
    }
}
