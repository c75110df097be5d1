// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// The checks of answers, and of the state of an idle daemon.
extension Simulation {
    func answered(_ number: Int, _ result: Result<Answer, CommandError>, for screen: Screen) {
        settleFound(screen)
        guard let entry = screen.pending.first, case .command(let command, number) = entry.kind else {
            return violate("\(screen.panel.id): command \(number) is answered out of order")
        }
        screen.pending.removeFirst()
        note("  #\(number) \(words(result))")
        let before = (screen.expected, screen.endings)
        // A late holder was late before this command.
        endLate(screen)
        expire(screen, at: entry.at)
        if case .success(let answer) = result, isLater(answer, than: screen.expected) {
            // Or after it, in the same batch.
            (screen.expected, screen.endings) = before
            expire(screen, at: entry.at)
        }
        var expected = screen.expected
        switch result {
        case .success(let answer):
            // Leases that a tick ends are over by then, even without a read.
            let isTick = if case .tick = command.action { true } else { false }
            let events = isTick ? [] : answer.events.map { (id: Optional($0.lease.id), change: $0.change) }
            let granted = events.first { $0.change == .granted }?.id
            let outcome = expected.apply(command.action, at: entry.at, wall: entry.wall, granting: granted)
            guard case .done(let changes) = outcome, same(changes, events) else {
                guard endUnsure(screen) else { return violate("#\(number) \(words(result)), expected \(outcome)") }
                screen.pending.insert(entry, at: 0)
                return answered(number, result, for: screen)
            }
            if let granted {
                if leases.contains(granted) { violate("\(granted.text) was granted before") }
                leases.append(granted)
            }
            for (id, change) in changes where change == .released { screen.endings.append((id, [change])) }
            screen.expected = expected
            _ = screen.unrefused?.apply(command.action, at: entry.at, wall: entry.wall, granting: granted)
            screen.remember()
        case .failure(let error):
            let outcome = expected.apply(command.action, at: entry.at, wall: entry.wall)
            // It may have been stored before it was rejected, together with others.
            if case .panel = error {
                screen.remember(expected)
                var together = screen.unrefused ?? screen.expected
                _ = together.apply(command.action, at: entry.at, wall: entry.wall)
                screen.remember(together)
                screen.unrefused = together
            }
            if !isRight(error, command, entry, outcome, on: screen) {
                guard endUnsure(screen) else { return violate("#\(number) \(words(result)), expected \(outcome)") }
                screen.pending.insert(entry, at: 0)
                answered(number, result, for: screen)
            }
        }
    }

    /// Ends the leases of late holders that the daemon reports as ended.
    private func endLate(_ screen: Screen) {
        for holder in screen.lateHolders {
            guard let lease = screen.expected.leases[holder], lease.lifespan == .visible, let id = lease.id,
                daemon.reported[id] == .disconnected
            else { continue }
            end(holder, on: screen)
        }
    }

    /// Whether a lease was renewed that the expectation takes to be over.
    private func isLater(_ answer: Answer, than expected: Expectation) -> Bool {
        answer.events.contains { $0.change == .renewed && expected.holder(of: $0.lease.id) == nil }
    }

    private func isRight(
        _ error: CommandError,
        _ command: Command,
        _ entry: Screen.Entry,
        _ outcome: Expectation.Outcome,
        on screen: Screen
    ) -> Bool {
        switch (error, outcome) {
        case (.lease(.ended), .noLease), (.lease(.unknown), .noLease), (.outOfRange, .outOfRange): true
        case (.otherRevision, _):
            command.onlyAt != nil
                && !(entry.mustHold && screen.faults == entry.faults && screen.sleeps == entry.sleeps)
        case (.panel, .done): command.isDemanding && screen.faults > entry.faults
        default: false
        }
    }

    private func same(
        _ expected: [(id: LeaseID?, change: LeaseChange)],
        _ events: [(id: LeaseID?, change: LeaseChange)]
    ) -> Bool {
        expected.count == events.count
            && expected.allSatisfy { wanted in events.contains { $0.id == wanted.id && $0.change == wanted.change } }
    }

    func settleFound(_ screen: Screen) {
        screen.alternatives = []
        while let entry = screen.pending.first {
            switch entry.kind {
            case .command: return
            case .found(let step, let old, let wins):
                // The leases may have expired by then: a change without leases is a lesson.
                var later = screen.expected
                _ = later.expire(at: entry.times.upperBound, missing: missing)
                later.found(step, from: old, wins: wins, margin: screen.margin, at: entry.times)
                if entry.isEcho { expire(screen, at: entry.times.lowerBound) }
                screen.settle(step, from: old, wins: wins, at: entry.times)
                screen.expected.automatic.mayHaveLearned(later.automatic.possibleLessons)
            case .late(let holder): end(holder, on: screen)
            }
            screen.pending.removeFirst()
            screen.remember()
        }
    }

    func expire(_ screen: Screen, at now: Int) {
        let endings = screen.expected.expire(at: now, missing: missing)
        screen.rememberAsked()
        screen.endings += endings.map { screen.lateHolders.isEmpty ? $0 : ($0.id, $0.changes.union([.disconnected])) }
    }

    // MARK: Holders that come back late

    /// A command sent while a holder comes or goes is executed as if that had happened before.
    func leaves(_ holder: String, from screen: Screen) {
        if time.now - (screen.busySince ?? time.now) > 9_000 { screen.lateHolders.insert(holder) }
    }

    /// Called before a holder's stream is opened.
    func returns(_ holder: String, to screen: Screen) {
        guard let lease = screen.expected.leases[holder],
            let end = screen.expected.graceEnd(of: lease, missing(holder)), end <= time.now
        else {
            return leaves(holder, from: screen)
        }
        if daemon.isIdle(screen.index) {
            screen.pending.append(Screen.Entry(kind: .late(holder: holder), at: time.now, wall: time.wall))
        } else {
            screen.lateHolders.insert(holder)
        }
    }

    private func doubt(_ screen: Screen) {
        var later = screen.expected
        _ = later.expire(at: screen.askedAt, missing: missing)
        for (holder, lease) in screen.expected.leases
        where later.leases[holder] == nil || lease.lifespan == .visible && screen.lateHolders.contains(holder) {
            screen.expected.leases[holder]?.isUnsure = true
        }
    }

    /// Takes unknown leases to be over; returns `false` if there are none.
    private func endUnsure(_ screen: Screen) -> Bool {
        doubt(screen)
        let unsure = screen.expected.leases.filter(\.value.isUnsure)
        for holder in unsure.keys { end(holder, on: screen) }
        return !unsure.isEmpty
    }

    private func end(_ holder: String?, on screen: Screen) {
        guard let lease = screen.expected.leases.removeValue(forKey: holder) else { return }
        screen.endings.append((lease.id, [.disconnected, .expired]))
        if screen.expected.leases.isEmpty { screen.expected.isOverridden = false }
    }

    // MARK: Idle

    /// Compares an idle display with its expected state.
    func inspect(_ screen: Screen) {
        guard violation == nil, let service = daemon.service, let state = service.state(of: screen.panel.id) else {
            return
        }
        let id = screen.panel.id
        settleFound(screen)
        screen.unrefused = nil
        if !screen.pending.isEmpty { violate("\(id): \(screen.pending.count) commands are never answered") }
        expire(screen, at: screen.lastAt)
        let held = service.boosts(of: id)?.all ?? []
        doubt(screen)
        for (holder, lease) in screen.expected.leases where lease.isUnsure {
            if held.contains(where: { $0.id == lease.id }) {
                screen.expected.leases[holder]?.isUnsure = false
            } else {
                end(holder, on: screen)
            }
        }
        screen.expected.settleAutomatic(
            isHeld: state.automatic.heldUntil != nil,
            baseline: state.baseline.fraction,
            at: max(screen.lastAt, screen.askedAt)
        )
        screen.rememberAsked()
        if state.automatic.isEnabled != screen.expected.automatic.isEnabled
            || (state.automatic.heldUntil != nil) != (screen.expected.automatic.heldSince != nil)
        {
            violate("\(id): automatic \(state.automatic), expected \(screen.expected.automatic)")
        }
        inspectEndings(screen)
        screen.rest(isWritten: !daemon.health.isFailing)
        (screen.lateHolders, screen.busySince) = ([], nil)

        if !screen.expected.isRaised, state.isAvailable, !screen.isMoving {
            let shown = Expectation.Baseline(fraction: screen.expected.baseline, step: screen.panel.step)
            if screen.possible.contains(shown) { screen.expected.asked = shown }
            screen.possible = []
        }
        let expected = screen.expected
        if let difference = difference(held, expected) { violate("\(id): \(difference)") }
        if state.baseline.fraction != expected.baseline {
            violate("\(id): baseline \(state.baseline.fraction), expected \(expected.baseline)")
        }
        if state.brightness.fraction != expected.effective {
            violate("\(id): brightness \(state.brightness.fraction), expected \(expected.effective)")
        }
        if state.boost?.brightness.fraction != expected.boost || state.boost?.leases ?? 0 != expected.leases.count
            || state.boost?.isOverridden ?? false != expected.isOverridden
        {
            violate("\(id): boost \(words(state.boost)), expected \(words(expected))")
        }
        if state.isAvailable { screen.wasInTrouble = false }
        if !state.isAvailable, !screen.wasInTrouble { violate("\(id): not available, and nothing was wrong") }
        if state.isAvailable, !screen.isTouched, !screen.isMoving, screen.panel.step != screen.rounding(expected.step),
            screen.panel.step != expected.step
        {
            violate("\(id): the panel shows \(screen.panel.step), expected \(screen.rounding(expected.step))")
        }
    }

    /// Checks that the end of every ended lease was posted once, and no other.
    private func inspectEndings(_ screen: Screen) {
        for (id, changes) in screen.endings {
            guard let id, let reported = daemon.reported.removeValue(forKey: id), changes.contains(reported) else {
                return violate("\(screen.panel.id): the end of \(id?.text ?? "a lease") as \(changes) was not posted")
            }
        }
        screen.endings = []
        if let (id, change) = daemon.reported.first(where: { reported in screen.expected.holder(of: reported.key) != nil
        }) {
            violate("\(screen.panel.id): \(id.text) is in force, and was posted as \(change)")
        }
        if screens.count == 1, let (id, change) = daemon.reported.first {
            violate("\(screen.panel.id): \(id.text) was posted as \(change), and is unknown")
        }
    }

    /// The difference in the leases in force; `nil` without one.
    func difference(_ held: [Lease], _ expected: Expectation) -> String? {
        for lease in held {
            guard let wanted = expected.leases[lease.holder], wanted.id == lease.id else {
                return "\(lease.id.text) of \(lease.holder ?? "nobody") goes on, expected \(words(expected))"
            }
            let end = lease.end.map { time.time(of: $0.instant) }
            if end != wanted.end { return "\(lease.id.text) ends at \(end ?? -1), expected \(wanted.end ?? -1)" }
            if lease.brightness.fraction != wanted.brightness || lease.lifespan != wanted.lifespan {
                return "\(lease.id.text) is another one"
            }
        }
        return held.count == expected.leases.count ? nil : "\(held.count) leases, expected \(words(expected))"
    }
}

extension Command {
    /// Whether the command fails when the panel does.
    var isDemanding: Bool {
        switch action {
        case .set, .adjust, .boost: true
        default: false
        }
    }
}
