// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import Journal

/// The possible states after a start. Answered commands must hold; a batch that was begun may be executed or not,
/// but not partly.
extension Simulation {
    /// Compares the initial state of a new run with the possible ones, and adopts it.
    ///
    /// - Parameter isPlugged: Whether the display is plugged in after the start.
    func recover(_ screen: Screen, showing step: Int, isPlugged: Bool) {
        guard let service = daemon.service, let state = service.state(of: screen.panel.id) else { return }
        let held = service.leases(of: screen.panel.id)?.all ?? []
        var new: [Screen.Past] = []
        for begun in screen.worlds {
            // Only what the daemon has taken may be in the file.
            let taken = screen.pending.prefix(screen.begun)
            let outcomes = [begun] + outcomes(of: taken, from: begun, margin: screen.margin)
            new += outcomes.unique.map { Screen.Past(expected: $0, boot: bootOfLastStart, before: begun.asked) }
        }
        new += screen.beforeEnd.flatMap { past in
            // The light may have moved the baseline with it. Then the step looks like a person's.
            var moved = past.expected
            moved.override(.brightness)
            moved.found(step)
            return [past, Screen.Past(expected: moved, boot: past.boot)]
        }
        new += screen.beforePlug
        (screen.beforeEnd, screen.beforePlug) = ([], isPlugged ? new : [])
        // The last run executed its commands with its own options.
        for index in new.indices { new[index].expected.power.isSwitchable = screen.panel.isSwitchable }
        screen.adoptSwitchable()
        let candidates = (isFileBad || isFileAsBefore ? new + screen.past.reversed() : new).flatMap { past in
            let isOfThisBoot = time.namesBoots && time.boots == past.boot
            return past.expected.goingOn(isOfThisBoot: isOfThisBoot, at: time.now, wall: time.wall).map { expected in
                Screen.Past(expected: expected, boot: past.boot, before: past.before, leased: past.expected.step)
            }
        }.unique
        let sent = (screen.recent + candidates.map(\.expected.asked)).map(\.step)
        let reported = Reported(
            screen: screen,
            step: step,
            state: state,
            held: held,
            sent: (sent.min() ?? step)...(sent.max() ?? step)
        )
        var differences: [String] = []
        var fitting: [Expectation] = []
        for candidate in candidates {
            if let wrong = compare(reported, candidate) {
                if !differences.contains(wrong) { differences.append(wrong) }
            } else {
                fitting.append(candidate.expected)
            }
        }
        // If this start is not written either, any of them may come back.
        screen.past = (screen.past + new).unique
        if fitting.isEmpty {
            violate("\(screen.panel.id) after the start: \(differences.joined(separator: ", or "))")
            fitting = screen.worlds
        }
        if screen.panel.isVolatile || restoresAtBoot || screen.mayBeUnderWay,
            let back = screen.recent.last(where: { $0.fraction == state.baseline.fraction })
        {
            // Earlier records may still come back if this start is not written.
            fitting += fitting.filter { $0.baseline != back.fraction }.map { outcome in
                var sent = outcome
                sent.asked = back
                return sent
            }
        }
        _ = fitting.partition { $0.baseline != state.baseline.fraction }
        if isFileBad || (screen.panel.isVolatile || restoresAtBoot) && screen.wasInTrouble {
            // From now on the restored state counts. A run that cannot switch the panel does not show what was asked
            // for.
            var wishes: Set<Bool> = []
            fitting = fitting.filter { wishes.insert($0.power.baseline).inserted }.map { outcome in
                guard outcome.baseline != state.baseline.fraction else { return outcome }
                var restored = outcome
                restored.takeOver(baseline: state.baseline.fraction)
                if reported.isFound { restored.found(step) }
                return restored
            }
        }
        if isRestored(screen) { screen.overrule() }
        takeOver(reported, from: fitting)
        // Unless this start is written, a restart of the machine restores what the file has.
        if restoresAtBoot { screen.mayRestore(new.map(\.expected.asked)) }
        note("  \(screen.panel.id) begins at \(step), baseline \(state.baseline.fraction), \(words(screen.expected))")
    }

    /// The state that a new run publishes for a display.
    private struct Reported {
        let screen: Screen
        let step: Int
        let state: DisplayState
        let held: [Lease]
        /// The range of steps in which an earlier transition may have ended.
        let sent: ClosedRange<Int>

        var isFound: Bool { state.baseline == state.range.brightness(of: step) }

        /// Whether each lease about the brightness is overridden exactly if it is in the outcome.
        func isOverridden(as outcome: Expectation) -> Bool {
            brightnessLeases.allSatisfy { $0.isOverridden == outcome.leases[$0.key]?.isOverridden }
        }

        var brightnessLeases: [Lease] { held.filter { !$0.key.isAboutPower } }
        var powerLeases: [Lease] { held.filter(\.key.isAboutPower) }

        /// Whether the start has overridden all leases about the brightness.
        var isOverridden: Bool { !brightnessLeases.isEmpty && brightnessLeases.allSatisfy(\.isOverridden) }
    }

    /// All possible results of a batch, the least first: the batch is stored as a whole, and again after a change that
    /// others make right after its write. Commands that demand something may have been rejected.
    private func outcomes(
        of entries: ArraySlice<Screen.Entry>,
        from begun: Expectation,
        margin: Int
    ) -> [Expectation] {
        guard let entry = entries.first else { return [begun] }
        var results: [Expectation] = []
        var done = begun
        switch entry.kind {
        case .found(let step, let old, let wins):
            results.append(begun)
            done.found(step, from: old, wins: wins, margin: margin, at: entry.at)
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .foundPower(let isOn):
            results.append(begun)
            done.foundPower(isOn, at: entry.at)
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .adoptedPower:
            results.append(begun)
            done.adoptPower()
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .tick:
            _ = done.expire(at: entry.at)
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .presence:
            done.compare(with: entry.present)
            results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
        case .command(let command, _):
            _ = done.expire(at: entry.at)
            // Rejected by the panel or by its condition, while what was over has ended, and others of the same batch
            // were executed.
            if command.isDemanding || command.onlyAt != nil {
                results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
            }
            for var done in named(done, command.action) {
                _ = done.apply(command.action, entry)
                results += outcomes(of: entries.dropFirst(), from: done, margin: margin)
            }
        }
        return results.unique
    }

    /// By chance, a command may name an unpublished lease.
    private func named(_ begun: Expectation, _ action: Command.Action) -> [Expectation] {
        guard let id = action.lease, begun.key(of: id) == nil, !leases.contains(id) else { return [begun] }
        return [begun]
            + begun.leases.filter { $0.value.id == nil }.keys.map { key in
                var named = begun
                named.leases[key]?.id = id
                return named
            }
    }

    // MARK: Comparison

    private func compare(_ reported: Reported, _ candidate: Screen.Past) -> String? {
        let outcome = candidate.expected
        if reported.state.automatic.isEnabled != outcome.automatic.isEnabled {
            return "automatic \(reported.state.automatic), expected \(outcome.automatic)"
        }
        if !isFileBad, reported.state.name != outcome.name?.text ?? reported.screen.panel.name {
            return "the name \(reported.state.name)"
        }
        return compareLeases(reported, outcome, candidate.boot) ?? comparePower(reported, outcome)
            ?? (isFileBad ? compareBaseline(reported, outcome) : comparePanel(reported, candidate))
    }

    /// The baseline from a file that could not be written: an earlier one of the display, and no other.
    private func compareBaseline(_ reported: Reported, _ outcome: Expectation) -> String? {
        let baselines = reported.screen.past.map(\.expected.baseline) + reported.screen.recent.map(\.fraction)
        let baseline = reported.state.baseline.fraction
        let isKnown = baseline == outcome.baseline || reported.isFound || baselines.contains(baseline)
        return isKnown ? nil : "baseline \(baseline), which it has never been"
    }

    /// - Parameter boot: The boot in which the leases were written.
    private func compareLeases(_ reported: Reported, _ outcome: Expectation, _ boot: Int) -> String? {
        for lease in reported.held {
            guard let before = outcome.leases[lease.key], before.id == nil || before.id == lease.id,
                before.brightness == lease.brightness?.fraction, before.lifespan == lease.lifespan
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
        for (key, before) in outcome.leases where !reported.held.contains(where: { $0.key == key }) {
            if let allowed = timeLeft(of: before, boot), allowed.lowerBound <= 3 { continue }
            return "\(before.id?.text ?? "a lease") of \(key.holder ?? "nobody") is lost"
        }
        return nil
    }

    /// The maximum remaining time of a lease in milliseconds; `nil` without a limit.
    private func timeLeft(of lease: Expectation.Lease, _ boot: Int) -> ClosedRange<Int>? {
        guard let end = lease.end, let wallEnd = lease.wallEnd else { return nil }
        let real = end - time.now
        if time.namesBoots, time.boots == boot { return real...real }
        let onTheWall = wallEnd - time.wall
        let atLeast = min(onTheWall, real)
        return atLeast...max(atLeast, min(onTheWall, lease.longest))
    }

    private func comparePanel(_ reported: Reported, _ candidate: Screen.Past) -> String? {
        let outcome = candidate.expected
        let (screen, step, state) = (reported.screen, reported.step, reported.state)
        let isMarked = outcome.isLeased && isStillLeased(outcome, reported.screen)
        let found = Double(step) / Double(outcome.maximum)
        let isBack = state.baseline.fraction == outcome.baseline
        let isFound = state.baseline.fraction == found
        // A transition is marked up to any of its targets, and a tenth beyond.
        let margin = screen.margin + (screen.mayBeUnderWay ? outcome.maximum / 10 : 0)
        let isMoving = screen.mayBeUnderWay
        let leased = candidate.leased ?? outcome.step
        let sentHighest = isMoving ? reported.sent.upperBound : 0
        let highest = max(screen.highest, outcome.baselineStep, outcome.step, leased, sentHighest)
        let sentLowest = isMoving ? reported.sent.lowerBound : outcome.maximum
        let lowest = min(screen.lowest, outcome.baselineStep, outcome.step, leased, sentLowest)
        let isExplained = (lowest - margin...highest + margin).contains(step)
        let isRebooted = screen.isRebooted || !time.namesBoots

        let isRecent = screen.recent.contains { $0.fraction == state.baseline.fraction }
        // The target of a transition need not be in the journal at once.
        let isUnderWay = isRecent && screen.mayBeUnderWay
        if screen.panel.isVolatile || isRestored(screen) {
            guard isBack || isRecent || screen.wasInTrouble else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            return reported.isOverridden(as: outcome) ? nil : "overridden \(reported.isOverridden)"
        }
        switch screen.hand {
        case .daemon:
            // A baseline without a mark is read from the panel, which may not be written yet.
            let shown = [outcome.baselineStep, candidate.before?.step ?? outcome.baselineStep].map(screen.rounding)
            let isShown = shown.contains(step) || step == screen.kept || screen.wasInTrouble
            guard isBack || isFound && isShown || isUnderWay else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            // Only the write shows which step a monitor keeps instead. After a kill before the record of that, the step
            // looks like a person's.
            let isKept = screen.isKeptNew && step == screen.kept && isFound && reported.isOverridden
            guard isKept || reported.isOverridden(as: outcome) else {
                return "overridden \(reported.isOverridden), without a change at the panel"
            }
        case .firmware:
            guard isBack || isFound && !isMarked || isUnderWay else {
                return "baseline \(state.baseline.fraction), expected \(outcome.baseline)"
            }
            guard reported.isOverridden(as: outcome) else {
                return "overridden \(reported.isOverridden), without a change at the panel"
            }
        case .person:
            // Once a panel was gone, no step is a person's.
            // A later command that was not answered may be in the file.
            let isCommanded = candidate.before.map { $0 != outcome.asked } ?? false
            let mayBeBack =
                isRebooted || screen.isGone || isExplained && (isMarked || screen.mayBeMarked || isCommanded)
            guard isFound || (isBack || isUnderWay) && mayBeBack else {
                return "baseline \(state.baseline.fraction), though a person set the panel to \(step)"
            }
            if isFound, !isExplained, !isRebooted, !reported.brightnessLeases.isEmpty, !reported.isOverridden {
                return "not overridden, though a person set the panel to \(step)"
            }
        }
        return nil
    }

    /// Whether the start restores the baseline of an earlier boot, whatever the panel shows.
    private func isRestored(_ screen: Screen) -> Bool {
        restoresAtBoot && daemon.writer?.recovered?[screen.panel.id]?.isOfThisBoot == false
    }

    /// Whether the panel is changed by leases that were in force at the end of the last run.
    private func isStillLeased(_ outcome: Expectation, _ screen: Screen) -> Bool {
        var later = outcome
        _ = later.expire(at: screen.lastAt)
        return later.isLeased
    }

    /// Compares the power baseline and the leases about the power.
    private func comparePower(_ reported: Reported, _ outcome: Expectation) -> String? {
        let power = reported.state.power
        if power.baseline != outcome.power.published { return "power baseline \(power.baseline)" }
        let leases = reported.powerLeases
        if leases.allSatisfy({ $0.isOverridden == outcome.leases[$0.key]?.isOverridden }) { return nil }
        // Others may have switched the panel.
        let isByOthers = (reported.screen.power.hand == .person || isFileBad) && leases.allSatisfy(\.isOverridden)
        return isByOthers ? nil : "overridden wakes or sleeps, without a change at the panel"
    }

    // MARK: Adoption

    /// The possible power of a state after the start. What others did overrides the leases in force; the start's first
    /// batch stores that. A state that the daemon has restored after a rejected command is theirs, too.
    private func powers(_ outcome: Expectation, _ reported: Reported) -> [ExpectedPower] {
        let screen = reported.screen
        var found = outcome.power
        found.found = screen.panel.isOn
        let isFound = reported.powerLeases.contains {
            $0.isOverridden && outcome.leases[$0.key]?.isOverridden == false
        }
        if isFound, !isFileBad { return [found] }
        var (power, outside) = (outcome.power, outcome.power)
        (power.outside, power.found) = (nil, nil)
        (outside.outside, outside.found) = (screen.panel.isOn, nil)
        // A value that could not be written looks like a change by others.
        let isByOthers = screen.power.hand != .daemon || isFileBad || outcome.power.outside == screen.panel.isOn
        let mayBeByOthers = screen.canReadPower && isByOthers && reported.powerLeases.allSatisfy(\.isOverridden)
        return (isFound ? [found] : []) + [power] + (mayBeByOthers ? [outside] : [])
    }

    private func takeOver(_ reported: Reported, from outcomes: [Expectation]) {
        let (screen, state) = (reported.screen, reported.state)
        for outcome in outcomes where !screen.pending.isEmpty || !reported.held.isEmpty {
            screen.mark(to: outcome.step)
        }
        for lease in reported.held where !leases.contains(lease.id) { leases.append(lease.id) }
        screen.pending = []
        let isOverridden = reported.isOverridden
        let isSet = reported.isFound && outcomes.contains { state.baseline.fraction != $0.baseline }
        if isSet {
            // Not published yet, and not stored.
            let found = Screen.Entry.Kind.found(reported.step, from: nil, wins: isOverridden)
            screen.pending.append(Screen.Entry(kind: found, at: 0, wall: 0))
        }
        screen.mayHaveLearned(screen.past.map(\.expected.automatic.lessons))
        let heldSince = state.automatic.heldUntil.map {
            time.now + Int($0.milliseconds) - time.wall - ExpectedAutomatic.hold
        }
        screen.worlds =
            outcomes.flatMap { outcome in
                powers(outcome, reported).map { world(outcome, $0, reported, isSet: isSet) }
            }.flatMap { world in
                let lessons = ([world.automatic.lessons] + screen.lessons).unique
                return baselines(world, reported).flatMap { asked in
                    lessons.map { lessons in
                        var world = world
                        world.asked = asked
                        world.automatic.goOn(heldSince: heldSince, with: lessons)
                        return world
                    }
                }
            }.unique
        if screen.worlds.contains(where: { $0.power.found != nil }) {
            screen.pending.append(Screen.Entry(kind: .adoptedPower, at: 0, wall: 0))
        }
        if screen.worlds.count > Screen.worldLimit {
            violate("\(screen.panel.id): \(screen.worlds.count) states are possible after the start")
        }
        screen.endings = []
        screen.lastAt = time.now
        if isFileBad { screen.past += renewed(screen.past, by: reported) }
        screen.begin(inBoot: time.boots, mayBeRestored: restoresAtBoot)
        screen.beginPower(knowing: state.power.isOn)
        // A switch that could not be written looks like others' doing from now on.
        if isFileBad, !screen.panel.isOn { screen.power.hand = .person }
        if isFileBad, !screen.canReadPower, let known = screen.power.known, known != screen.panel.isOn {
            note("  \(screen.panel.id): a person presses the button of a monitor that was forgotten")
            screen.turn(known, by: .person)
        }
    }

    /// The baseline of a state with its possible steps. One below the minimum was either read from the panel, or
    /// requested and limited.
    private func baselines(_ outcome: Expectation, _ reported: Reported) -> [Expectation.Baseline] {
        let found = Expectation.Baseline(fraction: reported.state.baseline.fraction, step: reported.step)
        let others = [outcome.nearest] + reported.screen.recent + (reported.isFound ? [found] : [])
        return ([outcome.asked] + others.filter { $0.fraction == outcome.baseline }).unique
    }

    /// A state in which the new run continues, without what the start has found and not stored.
    ///
    /// - Parameter isSet: Whether it has found a step set by others.
    private func world(
        _ outcome: Expectation,
        _ power: ExpectedPower,
        _ reported: Reported,
        isSet: Bool
    ) -> Expectation {
        var world = outcome
        world.power = power
        world.leases = [:]
        world.forgetRun()
        world.room = room
        // One that could not be written is an earlier one.
        if isFileBad {
            let name = reported.state.name
            world.name = name == reported.screen.panel.name ? nil : DisplayName(name)
        }
        for lease in reported.held { world.leases[lease.key] = goingOn(lease) }
        for key in world.leases.keys where key.isAboutPower ? power.found != nil : isSet {
            world.leases[key]?.isOverridden = outcome.leases[key]?.isOverridden ?? false
        }
        return world
    }

    /// Opening the file renews the ends of its leases, and states nothing that the start has found at the panel.
    private func renewed(_ past: [Screen.Past], by reported: Reported) -> [Screen.Past] {
        past.filter { past in
            past.expected.leases.count == reported.held.count
                && reported.held.allSatisfy { past.expected.leases[$0.key]?.id == $0.id }
        }.map { past in
            var renewed = past.expected
            for lease in reported.held {
                renewed.leases[lease.key] = goingOn(lease)
                renewed.leases[lease.key]?.isOverridden = past.expected.leases[lease.key]?.isOverridden ?? false
            }
            return Screen.Past(expected: renewed, boot: time.boots)
        }.unique
    }

    private func goingOn(_ lease: Lease) -> Expectation.Lease {
        let end = lease.end.map { time.time(of: $0.instant) }
        // The daemon's own lease of a display that is plugged in later is taken again then.
        let isTakenAgain =
            end == time.now + Expectation.grace && lease.lifespan == .lifetime
            && lease.holder.map(ReservedHolder.includes) == true
        return Expectation.Lease(
            id: lease.id,
            brightness: lease.brightness?.fraction,
            lifespan: lease.lifespan,
            end: end,
            wallEnd: end.map { $0 - time.now + time.wall },
            longest: isTakenAgain ? Expectation.grace : (end ?? lastStart) - lastStart,
            graceEnd: lease.lifespan == .visible ? time.now + Expectation.grace : nil,
            isOverridden: lease.isOverridden
        )
    }
}
