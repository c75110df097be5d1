// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// The checks of answers, and of the state of an idle daemon.
extension Simulation {
    /// The daemon takes a display's waiting events; the previous batch is complete.
    func begin(_ screen: Screen) {
        settle(screen)
        // A panel that was gone is back once its display is available.
        if daemon.service?.state(of: screen.panel.id)?.isAvailable == true { screen.isGone = false }
        // A lease that ends while commands wait for the panel may begin a transition.
        if let last = screen.pending.map(\.at).max(), last < time.now {
            screen.move(for: defaultTransition, from: time.now)
        }
        screen.beginBatch(present: presence, at: time.now)
    }

    /// A full queue has rejected a client's command: this is right if it has room for no more of them.
    ///
    /// A holder's command may be replaced by a later one of the same holder.
    private func wasDropped(_ number: Int, _ error: CommandError, for screen: Screen) {
        let waiting = screen.pending.indices.dropFirst(screen.begun)
        guard let place = waiting.first(where: { screen.pending[$0].isCommand(number: number) }) else {
            return violate("\(screen.panel.id): command \(number) fails after it was executed: \(error)")
        }
        let entry = screen.pending.remove(at: place)
        note("  #\(number) fails: \(error)")
        switch error {
        case .busy:
            let clients = waiting.dropLast().count { screen.pending[$0].isOfClient }
            if !entry.isOfClient || clients < queueLimit {
                violate("\(screen.panel.id): command \(number) is rejected, and \(clients) of clients wait")
            }
        default:
            let isReplaced = waiting.dropLast().contains { $0 >= place && screen.pending[$0].isOfHolder }
            if !entry.isOfHolder || !isReplaced {
                violate("\(screen.panel.id): command \(number) is replaced, and by nothing")
            }
        }
    }

    /// Applies the events of the batch up to its next command, which is answered separately.
    func settle(_ screen: Screen) {
        while screen.begun > 0, let entry = screen.pending.first, !entry.isCommand {
            _ = screen.removeFirstEntry()
            switch entry.kind {
            case .found(let step, let old, let wins): screen.settle(step, from: old, wins: wins, at: entry.at)
            case .tick: expire(screen, at: entry.at)
            case .presence:
                // The journal knows nothing of streams.
                screen.change { $0.compare(with: entry.present) }
                continue
            case .foundPower(let isOn): screen.change { $0.foundPower(isOn, at: entry.at) }
            case .adoptedPower: screen.change { $0.adoptPower() }
            case .command: break
            }
            screen.remember()
        }
    }

    func answered(_ number: Int, _ result: Result<CommandSuccess, CommandError>, for screen: Screen) {
        switch result {
        case .failure(let error) where error == .busy || error == .superseded:
            return wasDropped(number, error, for: screen)
        default: break
        }
        settle(screen)
        screen.beforePlug = []
        guard screen.begun > 0, let entry = screen.pending.first, case .command(let command, number) = entry.kind else {
            return violate("\(screen.panel.id): command \(number) is answered out of order")
        }
        _ = screen.removeFirstEntry()
        note("  #\(number) \(words(result))")
        expire(screen, at: entry.at)
        switch result {
        case .success(let answer):
            // Leases that a tick ends are over by then, even without a read. A clock that was set renews any.
            let events = answer.events.map { (id: Optional($0.lease.id), change: $0.change) }
            var granted: [LeaseKind: LeaseID] = [:]
            for event in answer.events where event.change == .granted { granted[event.lease.kind] = event.lease.id }
            succeeded(entry, command.action, command.isChore ? [] : events, granting: granted, for: screen) {
                violate("#\(number) \(words(result)), expected \($0)")
            }
            let isLit = answer.events.contains { $0.change == .granted && $0.lease.key.asksForLight }
            if isActivity(entry, isLit: isLit) { holders?.isUsed = true }
        case .failure(let error):
            failed(entry, command, error, for: screen) { violate("#\(number) \(words(result)), expected \($0)") }
            // Leases whose time was over have ended nevertheless.
            screen.remember()
        }
    }

    private func succeeded(
        _ entry: Screen.Entry,
        _ action: Command.Action,
        _ events: [(id: LeaseID?, change: LeaseChange)],
        granting granted: [LeaseKind: LeaseID],
        for screen: Screen,
        otherwise violate: (Expectation.Outcome) -> Void
    ) {
        var expected = Expectation.Outcome.noLease
        let worlds = screen.worlds.compactMap { world in
            var world = world
            expected = world.apply(action, entry, granting: granted)
            guard case .done(let changes) = expected, same(changes, events) else { return Expectation?.none }
            return world
        }
        if worlds.isEmpty { return violate(expected) }
        for case let (id?, .granted) in events {
            if leases.contains(id) { self.violate("\(id.text) was granted before") }
            leases.append(id)
        }
        for (id, change) in events where [.released, .stopped].contains(change) {
            screen.endings.append((id, [change]))
        }
        screen.worlds = worlds.unique
        _ = screen.unrefused?.apply(action, entry, granting: granted)
        screen.remember()
    }

    private func failed(
        _ entry: Screen.Entry,
        _ command: Command,
        _ error: CommandError,
        for screen: Screen,
        otherwise violate: (Expectation.Outcome) -> Void
    ) {
        var expected = screen.expected
        let outcome = expected.apply(command.action, entry)
        // It may have been stored before it was rejected, together with others.
        if case .panel = error {
            screen.remember(expected)
            var together = screen.unrefused ?? screen.expected
            _ = together.apply(command.action, entry)
            screen.remember(together)
            screen.unrefused = together
        }
        if !isRight(error, command, entry, outcome, on: screen) { violate(outcome) }
    }

    private func isRight(
        _ error: CommandError,
        _ command: Command,
        _ entry: Screen.Entry,
        _ outcome: Expectation.Outcome,
        on screen: Screen
    ) -> Bool {
        switch (error, outcome) {
        case (.lease(.ended), .noLease), (.lease(.unknown), .noLease), (.outOfRange, .outOfRange),
            (.notSwitchable, .notSwitchable), (.lease(.withoutBrightness), .impossibleLease),
            (.lease(.ofDaemon), .impossibleLease), (.lease(.withoutHolder), .impossibleLease),
            (.lease(.endlessSleep), .impossibleLease), (.lease(.foreign), .foreignLease):
            true
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

    private func expire(_ screen: Screen, at now: Int) {
        var endings: [[Expectation.Ending]] = []
        screen.change { endings.append($0.expire(at: now)) }
        screen.rememberAsked()
        // The possible states differ in baselines and lessons. Their leases were published.
        screen.endings += endings[0]
    }

    // MARK: Idle

    /// Compares an idle display with its possible states, and removes those that differ.
    func inspect(_ screen: Screen) {
        guard violation == nil, let service = daemon.service, let state = service.state(of: screen.panel.id) else {
            return
        }
        let id = screen.panel.id
        settle(screen)
        screen.unrefused = nil
        if !screen.pending.isEmpty { violate("\(id): \(screen.pending.count) commands are never answered") }
        expire(screen, at: screen.lastAt)
        inspectEndings(screen)
        let held = service.leases(of: id)?.all ?? []
        let worlds = screen.worlds.filter { difference(state, held, on: screen, $0) == nil }
        if worlds.isEmpty {
            return violate("\(id): \(difference(state, held, on: screen, screen.expected) ?? "")")
        }
        screen.worlds = worlds
        screen.rest(isWritten: !daemon.health.isFailing)
        if state.isAvailable { screen.wasInTrouble = false }
        if !state.isAvailable, !screen.wasInTrouble { violate("\(id): not available, and nothing was wrong") }
    }

    /// The difference between a published state and a possible one; `nil` without one.
    private func difference(
        _ state: DisplayState,
        _ held: [Lease],
        on screen: Screen,
        _ expected: Expectation
    ) -> String? {
        if state.automatic.isEnabled != expected.automatic.isEnabled
            || (state.automatic.heldUntil != nil) != (expected.automatic.heldSince != nil)
        {
            return "automatic \(state.automatic), expected \(expected.automatic)"
        }
        if state.name != expected.name?.text ?? screen.panel.name { return "the name \(state.name)" }
        if let difference = difference(held, expected) { return difference }
        if state.baseline.fraction != expected.baseline {
            return "baseline \(state.baseline.fraction), expected \(expected.baseline)"
        }
        let kept = screen.kept.map { state.range.brightness(of: $0) }
        if state.brightness.fraction != expected.effective, state.brightness != kept {
            return "brightness \(state.brightness.fraction), expected \(expected.effective)"
        }
        for (kind, summary) in [
            (LeaseKind.boost, state.boost), (.dim, state.dim), (.wake, state.wake), (.sleep, state.sleep),
        ] where differs(summary, expected, kind) {
            return "\(kind) \(words(summary)), expected \(words(expected))"
        }
        if let difference = powerDifference(state, on: screen, expected) { return difference }
        if state.isAvailable, !screen.isTouched, !screen.isMoving, screen.isLit, !screen.isPowerTouched,
            screen.panel.step != screen.rounding(expected.step),
            screen.panel.step != expected.step, screen.panel.step != screen.kept
        {
            return "the panel shows \(screen.panel.step), expected \(screen.rounding(expected.step))"
        }
        return nil
    }

    private func differs(_ summary: DisplayState.LeaseSummary?, _ expected: Expectation, _ kind: LeaseKind) -> Bool {
        let brightness: Double? =
            switch kind {
            case .boost: expected.boost
            case .dim: expected.dim
            case .wake, .sleep: nil
            }
        return summary?.brightness?.fraction != brightness || summary?.count ?? 0 != expected.counted(kind).count
            || summary?.isOverridden ?? false != expected.isOverridden(kind)
    }

    private func powerDifference(_ state: DisplayState, on screen: Screen, _ expected: Expectation) -> String? {
        if state.power.baseline != expected.power.published { return "power baseline \(state.power.baseline)" }
        if screen.canReadPower, state.power.isOn != screen.power.known {
            return "power \(state.power), known \(String(describing: screen.power.known))"
        }
        guard expected.power.isSwitchable, state.isAvailable, !screen.isPowerTouched, screen.isSettled,
            screen.panel.isOn != expected.isOn
        else { return nil }
        return "the panel is \(screen.panel.isOn ? "on" : "off"), with \(words(expected))"
    }

    /// Checks that the end of every ended lease was posted once, and no other.
    private func inspectEndings(_ screen: Screen) {
        for (id, changes) in screen.endings {
            guard let id, let reported = daemon.reported.removeValue(forKey: id), changes.contains(reported) else {
                return violate("\(screen.panel.id): the end of \(id?.text ?? "a lease") as \(changes) was not posted")
            }
        }
        screen.endings = []
        if let (id, change) = daemon.reported.first(where: { reported in screen.expected.key(of: reported.key) != nil
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
            guard let wanted = expected.leases[lease.key], wanted.id == lease.id else {
                return "\(lease.id.text) of \(lease.holder ?? "nobody") goes on, expected \(words(expected))"
            }
            let end = lease.end.map { time.time(of: $0.instant) }
            let ending = lease.graceEnd.map { time.time(of: $0.instant) }
            if ending != wanted.graceEnd {
                return "\(lease.id.text) says it ends at \(ending ?? -1), expected \(wanted.graceEnd ?? -1)"
            }
            if end != wanted.end { return "\(lease.id.text) ends at \(end ?? -1), expected \(wanted.end ?? -1)" }
            let wallEnd = lease.end.map { Int($0.wall.milliseconds) }
            if abs((wallEnd ?? 0) - (wanted.wallEnd ?? 0)) > 3 {
                return "\(lease.id.text) ends at \(wallEnd ?? -1) by the wall clock, expected \(wanted.wallEnd ?? -1)"
            }
            if lease.brightness?.fraction != wanted.brightness || lease.lifespan != wanted.lifespan {
                return "\(lease.id.text) is another one"
            }
            if lease.isOverridden != wanted.isOverridden { return "\(lease.id.text) overridden \(lease.isOverridden)" }
        }
        return held.count == expected.leases.count ? nil : "\(held.count) leases, expected \(words(expected))"
    }
}

extension Expectation {
    /// Applies the action of an event. A client who is there ends the leases of `idle`.
    mutating func apply(
        _ action: Command.Action,
        _ entry: Screen.Entry,
        granting ids: [LeaseKind: LeaseID] = [:]
    ) -> Outcome {
        guard case .command(let command, _) = entry.kind, !command.followers.isEmpty else {
            return applyOne(action, entry, granting: ids)
        }
        // All of them, or none.
        var (all, changes) = (self, [(id: LeaseID?, change: LeaseChange)]())
        for action in [action] + command.followers {
            let outcome = all.applyOne(action, entry)
            guard case .done(let more) = outcome else { return outcome }
            changes += more
        }
        self = all
        return .done(changes)
    }

    private mutating func applyOne(
        _ action: Command.Action,
        _ entry: Screen.Entry,
        granting ids: [LeaseKind: LeaseID] = [:]
    ) -> Outcome {
        let held = leases
        let requester: Requester? = if case .command(let command, _) = entry.kind { command.requester } else { nil }
        if case .command(let command, _) = entry.kind, command.condition == .held, case .grant(let request) = action,
            leases[Key(kind: request.kind, holder: request.holder)] == nil
        {
            return .done([])
        }
        let outcome = apply(
            action,
            at: entry.at,
            wall: entry.wall,
            present: entry.present,
            by: requester,
            isByPerson: !entry.isOfHolder,
            unlessChosenSince: entry.unlessChosenSince,
            granting: ids
        )
        guard case .done(let changes) = outcome else { return outcome }
        let isLit = leases.keys.contains { $0.asksForLight && held[$0] == nil }
        guard requester != nil, isActivity(entry, isLit: isLit) else { return outcome }
        return .done(changes + release { $0.holder == ReservedHolder.idle })
    }
}

/// Whether the event shows that somebody is there: a client who sets something, or takes a new lease that asks for
/// light.
///
/// - Parameter isLit: Whether a new lease asks for light.
private func isActivity(_ entry: Screen.Entry, isLit: Bool) -> Bool {
    guard case .command(let command, _) = entry.kind, command.requester != nil || command.channel == .presence else {
        return false
    }
    return ([command.action] + command.followers).contains { action in
        switch action {
        case .set, .move, .setPower, .setAutomatic, .restoreAll: true
        case .apply(let request): request.terms == nil || request.asksForLight
        case .grant: isLit
        default: false
        }
    }
}

extension PresetRequest {
    /// Whether a display that it has a value for gets a lease that asks for light, if it is held.
    fileprivate var asksForLight: Bool {
        guard case .value(let value) = source else { return false }
        return value.brightness != nil || value.isOn == true
    }
}

extension Command {
    /// Whether the daemon itself looks at the time.
    var isChore: Bool {
        switch action {
        case .tick, .clockSet: true
        default: false
        }
    }

    /// Whether the command fails when the panel does.
    var isDemanding: Bool {
        ([action] + followers).contains { action in
            switch action {
            case .set, .move, .grant, .setPower, .apply: true
            case .renew(_, let change): change.level != nil
            default: false
            }
        }
    }
}
