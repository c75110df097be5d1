// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// What may be after a start. Whoever was answered may rely on it; what was asked and not answered may have happened or
/// not, but nothing in between.
extension Simulation {
    /// Compares what a new run begins with, and takes it over.
    func recover(_ screen: Screen, showing step: Int) {
        guard let service = daemon.service, let state = service.state(of: screen.panel.id) else { return }
        let held = service.boosts(of: screen.panel.id)?.all ?? []
        var new: [Screen.Past] = []
        for begun in [screen.expected] + screen.alternatives {
            let ended = begun.afterHold(at: max(screen.lastAt, screen.askedAt))
            for begun in ended.flatMap({ withoutLate(screen, $0) }) {
                let outcomes = outcomes(of: screen.pending[...], from: begun, margin: screen.margin)
                new += outcomes.map { Screen.Past(expected: $0, boot: bootOfLastStart) }
            }
        }
        let candidates = (isFileBad || isFileAsBefore ? new + screen.past.reversed() : new).unique
        let sent = (screen.recent + candidates.map(\.expected.asked)).map(\.step)
        let told = Told(
            screen: screen,
            step: step,
            state: state,
            held: held,
            sent: (sent.min() ?? step)...(sent.max() ?? step)
        )
        var differences: [String] = []
        var fitting: [Expectation] = []
        for candidate in candidates {
            if let wrong = compare(told, candidate) {
                if !differences.contains(wrong) { differences.append(wrong) }
            } else {
                fitting.append(candidate.expected)
            }
        }
        // Should this start not be written either, any of them may come back.
        screen.past = (screen.past + new).unique
        if fitting.isEmpty {
            violate("\(screen.panel.id) after the start: \(differences.joined(separator: ", or "))")
            fitting = [screen.expected]
        }
        if screen.panel.isVolatile || screen.mayBeUnderWay,
            let back = screen.recent.last(where: { $0.fraction == state.baseline.fraction })
        {
            // What was written before may still come back, should this start not be written.
            fitting += fitting.filter { $0.baseline != back.fraction }.map { outcome in
                var sent = outcome
                sent.asked = back
                return sent
            }
        }
        let isBack = fitting.partition { $0.baseline != state.baseline.fraction }
        if isFileBad || screen.panel.isVolatile && screen.wasInTrouble {
            // Whatever came back is what counts.
            if isBack == 0 { fitting[0].takeOver(baseline: state.baseline.fraction) }
            if isBack == 0, told.isFound { fitting[0].found(step) }
            fitting = [fitting[0]]
        }
        takeOver(told, from: fitting)
        note("  \(screen.panel.id) begins at \(step), baseline \(state.baseline.fraction), \(words(screen.expected))")
    }

    /// As well as they would be without those who may be over.
    private func withoutLate(_ screen: Screen, _ begun: Expectation) -> [Expectation] {
        if screen.lateHolders.isEmpty { return [begun] }
        var later = begun
        later.leases = begun.leases.filter { $0.value.lifespan != .visible || !screen.lateHolders.contains($0.key) }
        if later.leases.isEmpty { later.isOverridden = false }
        return [begun, later]
    }

    /// What a new run tells of a display.
    private struct Told {
        let screen: Screen
        let step: Int
        let state: DisplayState
        let held: [Lease]
        /// Between which steps it may have been sent before, on its way.
        let sent: ClosedRange<Int>

        var isFound: Bool { state.baseline == state.range.brightness(of: step) }
    }

    /// All that may have come of what was not answered, the least first.
    private func outcomes(
        of entries: ArraySlice<Screen.Entry>,
        from begun: Expectation,
        margin: Int
    ) -> [Expectation] {
        guard let entry = entries.first else { return [begun] }
        var results = [begun]
        var done = begun
        switch entry.kind {
        case .found(let step, let old, let wins):
            done.found(step, from: old, wins: wins, margin: margin, at: entry.times)
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .late(let holder):
            done.leases[holder] = nil
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .command(let command, _):
            // Refused by the panel or by its condition, while others of the same batch were not.
            if command.isDemanding || command.onlyAt != nil, entries.count > 1 {
                results += outcomes(of: entries.dropFirst(), from: begun, margin: margin)
            }
            _ = done.expire(at: entry.at, missing: missing)
            for var done in named(done, command.action) {
                let old = done
                _ = done.apply(command.action, at: entry.at, wall: entry.wall)
                if case .setAutomatic = command.action {
                    results += outcomes(
                        of: entries.dropFirst(),
                        from: done.withoutFollowing(since: old),
                        margin: margin
                    )
                }
                for done in done.withOthers {
                    results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
                }
            }
        }
        return results.unique
    }

    /// A command may name a lease that nobody was told of, by luck.
    private func named(_ begun: Expectation, _ action: Command.Action) -> [Expectation] {
        guard let id = action.lease, begun.holder(of: id) == nil, !leases.contains(id) else { return [begun] }
        return [begun]
            + begun.leases.filter { $0.value.id == nil }.keys.map { holder in
                var named = begun
                named.leases[holder]?.id = id
                return named
            }
    }

    // MARK: Comparing

    private func compare(_ told: Told, _ candidate: Screen.Past) -> String? {
        let outcome = candidate.expected
        if told.state.automatic.isEnabled != outcome.automatic.isEnabled {
            return "automatic \(told.state.automatic), expected \(outcome.automatic)"
        }
        return compareLeases(told, outcome, candidate.boot)
            ?? (isFileBad ? compareBaseline(told, outcome) : comparePanel(told, outcome))
    }

    /// The baseline that comes back of a file that could not be written: one that the display had since, and no other.
    private func compareBaseline(_ told: Told, _ outcome: Expectation) -> String? {
        let baselines = told.screen.past.map(\.expected.baseline) + told.screen.recent.map(\.fraction)
        let baseline = told.state.baseline.fraction
        let isKnown = baseline == outcome.baseline || told.isFound || baselines.contains(baseline)
        return isKnown ? nil : "baseline \(baseline), which it has never been"
    }

    /// - Parameter boot: The run of the machine in which the leases were written.
    private func compareLeases(_ told: Told, _ outcome: Expectation, _ boot: Int) -> String? {
        for lease in told.held {
            guard let before = outcome.leases[lease.holder], before.id == nil || before.id == lease.id,
                before.brightness == lease.brightness.fraction, before.lifespan == lease.lifespan
            else { return "\(lease.id.text) of \(lease.holder ?? "nobody") is back, expected \(words(outcome))" }
            let left = lease.end.map { time.time(of: $0.instant) - time.now }
            guard let allowed = timeLeft(of: before, boot) else {
                if left == nil { continue }
                return "\(lease.id.text) ends, and had no time limit"
            }
            guard let left, (allowed.lowerBound - 3...allowed.upperBound).contains(left) else {
                return "\(lease.id.text) has \(left ?? -1) ms left, expected \(allowed)"
            }
        }
        for (holder, before) in outcome.leases where !told.held.contains(where: { $0.holder == holder }) {
            if let allowed = timeLeft(of: before, boot), allowed.lowerBound <= 3 { continue }
            // It may have ended before the crash, and the news be lost with it.
            let asked = max(told.screen.lastAt, told.screen.askedAt)
            if let end = outcome.graceEnd(of: before, missing(holder)), end <= asked { continue }
            if let end = before.end, end <= asked { continue }
            if before.isUnsure || told.screen.lateHolders.contains(holder) { continue }
            return "\(before.id?.text ?? "a lease") of \(holder ?? "nobody") is lost"
        }
        return nil
    }

    /// How long a lease may go on, in milliseconds; `nil` without a limit.
    private func timeLeft(of lease: Expectation.Lease, _ boot: Int) -> ClosedRange<Int>? {
        guard let end = lease.end, let wallEnd = lease.wallEnd else { return nil }
        let real = end - time.now
        if time.namesBoots, time.boots == boot { return real...real }
        let onTheWall = wallEnd - time.wall
        let atLeast = min(onTheWall, real)
        return atLeast...max(atLeast, min(onTheWall, lease.longest))
    }

    private func comparePanel(_ told: Told, _ outcome: Expectation) -> String? {
        let (screen, step, state) = (told.screen, told.step, told.state)
        let endedBefore = outcome.isRaised && !isStillRaised(outcome, told.screen)
        let isMarked = outcome.isRaised && !endedBefore
        let found = Double(step) / Double(outcome.maximum)
        let isBack = state.baseline.fraction == outcome.baseline
        let isFound = state.baseline.fraction == found
        // On its way it is marked up to wherever it was sent, and a tenth beyond.
        let margin = screen.margin + (screen.mayBeUnderWay ? outcome.maximum / 10 : 0)
        let isMoving = screen.mayBeUnderWay
        let highest = max(screen.highest, outcome.baselineStep, outcome.step, isMoving ? told.sent.upperBound : 0)
        let lowest = min(screen.lowest, outcome.baselineStep, isMoving ? told.sent.lowerBound : outcome.maximum)
        let isExplained = (lowest - margin...highest + margin).contains(step)
        let isOverridden = state.boost?.isOverridden ?? false
        let isRebooted = screen.isRebooted || !time.namesBoots

        let isRecent = screen.recent.contains { $0.fraction == state.baseline.fraction }
        // Where a panel is sent while it is on its way need not be in the journal at once.
        let isUnderWay = isRecent && screen.mayBeUnderWay
        if screen.panel.isVolatile {
            guard isBack || isRecent || screen.wasInTrouble else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            return isOverridden == (outcome.isOverridden && !told.held.isEmpty) ? nil : "overridden \(isOverridden)"
        }
        switch screen.hand {
        case .daemon:
            let isShown = step == screen.rounding(outcome.baselineStep) || screen.wasInTrouble
            guard isBack || isFound && isShown || isUnderWay else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            guard isOverridden == (outcome.isOverridden && !told.held.isEmpty) else {
                return "overridden \(isOverridden), though nobody touched the panel"
            }
        case .firmware:
            guard isBack || isFound && !isMarked || isUnderWay else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            guard isOverridden == (outcome.isOverridden && !told.held.isEmpty) else {
                return "overridden \(isOverridden), though nobody touched the panel"
            }
        case .person:
            let mayBeBack = isRebooted || isExplained && (isMarked || screen.mayBeMarked)
            guard isFound || (isBack || isUnderWay) && mayBeBack else {
                return "baseline \(state.baseline.fraction), though a person set the panel to \(step)"
            }
            if isFound, !isExplained, !isRebooted, !told.held.isEmpty, !isOverridden {
                return "not overridden, though a person set the panel to \(step)"
            }
        }
        return nil
    }

    /// Whether it is raised by leases that were not over before the end of the last run.
    private func isStillRaised(_ outcome: Expectation, _ screen: Screen) -> Bool {
        var later = outcome
        _ = later.expire(at: screen.lastAt, missing: missing)
        return later.isRaised
    }

    // MARK: Taking over

    private func takeOver(_ told: Told, from outcomes: [Expectation]) {
        let (screen, state) = (told.screen, told.state)
        for outcome in outcomes where !screen.pending.isEmpty || !told.held.isEmpty { screen.mark(upTo: outcome.step) }
        for lease in told.held where !leases.contains(lease.id) { leases.append(lease.id) }
        screen.pending = []
        let isOverridden = state.boost?.isOverridden ?? false
        if state.baseline.fraction != outcomes[0].baseline {
            // Nobody was told yet, and it is not written down.
            let found = Screen.Entry.Kind.found(told.step, from: nil, wins: isOverridden)
            screen.pending = [Screen.Entry(kind: found, at: 0, wall: 0)]
        }
        screen.mayHaveLearned(screen.past.map(\.expected.automatic.lessons))
        let new = outcomes.map { outcome in
            var new = outcome
            new.leases = [:]
            new.forgetDimmer()
            new.room = room
            let left = state.automatic.heldUntil.map { Int($0.milliseconds) - time.wall }
            new.automatic.goOn(heldUntil: left.map { time.now + $0 }, written: screen.lessons)
            for lease in told.held { new.leases[lease.holder] = goingOn(lease) }
            new.isOverridden = screen.pending.isEmpty ? isOverridden : outcome.isOverridden && !told.held.isEmpty
            return new
        }
        screen.expected = new[0]
        screen.possible += new.map(\.asked) + screen.recent
        screen.possible.append(screen.expected.nearest)
        if told.isFound { screen.possible.append(.init(fraction: state.baseline.fraction, step: told.step)) }
        screen.alternatives = new.dropFirst().filter { $0 != new[0] }.unique
        screen.endings = []
        screen.lastAt = time.now
        screen.begin(inBoot: time.boots)
    }

    private func goingOn(_ lease: Lease) -> Expectation.Lease {
        let end = lease.end.map { time.time(of: $0.instant) }
        return Expectation.Lease(
            id: lease.id,
            brightness: lease.brightness.fraction,
            lifespan: lease.lifespan,
            end: end,
            wallEnd: end.map { $0 - time.now + time.wall },
            longest: (end ?? time.now) - time.now,
            since: time.now
        )
    }
}
