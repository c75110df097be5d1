// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import Journal

/// Schedules and `idle` in stories, and the checks of what they hold.
extension Simulation {
    /// Starts what holds leases, in a run that has read its file.
    func startHolders() {
        guard let zone = holders?.zone, let writer = daemon.writer else { return }
        let records = writer.kept(ScheduleRecord.self)
        let found = records.map { ExpectedHolders.Rule($0.schedule) }
        let isSure = writer.recovered != nil && !isFileBad
        let rules = Dictionary(uniqueKeysWithValues: found.map { ($0.name, $0) })
        if let name = holders?.start(with: rules, isSure: isSure, at: time.now), writer.recovered != nil {
            violate("the schedule \(name) after the start: \(rules[name].map(words) ?? "none")")
        }
        let idle = IdleRules(
            dim: holders?.dimAfter.map { .init(after: .milliseconds($0), brightness: Brightness(clamping: 0.1)) },
            sleepAfter: holders?.sleepAfter.map { .milliseconds($0) }
        )
        var all: [any Holder] = [
            Schedules(SchedulePlanner(zone, location: zone.place), records), Idle(idle, at: time.moment),
        ]
        if let wakeTime = holders?.wakeTime { all.append(Presence(wakingFor: .milliseconds(wakeTime))) }
        let resumes = ResumeDetector(poster: daemon.hub.poster) { [unowned self] in .milliseconds(time.slept) }
        expectEvaluation()
        daemon.startHolders(
            all,
            clock: .init(
                now: { [unowned self] in time.moment },
                isSet: { [unowned self] _ in holders?.isTrusted == true },
                noticeSleep: { resumes.check() }
            ),
            keep: { [unowned self, daemon] name, record in kept(name, record, by: daemon) },
            submit: { [unowned self] command, id, _, completion in take(command, to: id, completion) }
        )
    }

    /// A schedule was stored, or could not be.
    private func kept(_ name: ResourceName, _ record: ScheduleRecord?, by daemon: Daemon) {
        guard daemon.isAlive, !daemon.health.isFailing else { return }
        let rule = record.map { ExpectedHolders.Rule($0.schedule) }
        let mark = record?.setAt.map {
            ExpectedHolders.Mark(begin: Int($0.milliseconds) / 60_000, displays: record?.setOn ?? [])
        }
        holders?.markStored(name.text, rule, mark.flatMap { $0.displays.isEmpty ? nil : $0 })
    }

    /// Takes a command of a holder like a client's.
    private func take(_ command: Command, to id: DisplayID, _ completion: @escaping DisplayService.Completion) {
        guard let screen = screens.first(where: { $0.panel.id == id }) else {
            return violate("\(id): a holder asks for a display that is not there")
        }
        note("\(id): \(words(command))")
        let begin = begin(of: command)
        let interval: ExpectedHolders.Interval? =
            if case .schedule(let name)? = begin { holders?.interval(of: name) } else { nil }
        if case .schedule(let name)? = begin, case .set = command.action {
            if holders?.isDone(name, on: id, at: time.wall) == true {
                violate("\(id): the schedule \(name) sets the baseline again")
            }
            if holders?.isSuperseded(name, on: id, at: time.wall) == true {
                violate("\(id): the schedule \(name) sets the baseline over one that began later")
            }
        }
        let asked = time.now
        submit(command, to: screen) { [unowned self] result in
            let isAccepted = if case .success = result { true } else { false }
            let isSecond =
                switch begin {
                case .schedule: interval.map { holders?.answered($0, on: id, isAccepted: isAccepted) ?? false }
                case .idle(let kind): holders?.idleAnswered(kind, on: id, isAccepted: isAccepted)
                case .presence(let ttl): holders?.wakeAnswered(on: id, asked..<asked + ttl, isAccepted: isAccepted)
                case nil: false
                }
            if case .restore(let holder, let kind?) = command.action, holder == ReservedHolder.idle,
                case .success(let answer) = result, answer.events.contains(where: { !$0.lease.isOverridden })
            {
                holders?.idleEnded(kind, on: id)
            }
            if case .grant(let request) = command.action, command.condition == .held, isAccepted {
                holders?.wakeRenewed(on: id, until: asked + milliseconds(request.ttl!))
            }
            if !isAccepted { handover = nil }
            if isSecond == true { violate("\(id): \(words(command)), for the second time") }
            completion(result)
        }
        // Each command of a handover is a batch of its own.
        guard handover != nil else { return }
        runQueues()
        handover?[screen.index].append(screen.expected.level)
    }

    private enum Begin {
        case schedule(String)
        case idle(LeaseKind)
        /// The time until its end in milliseconds.
        case presence(Int)
    }

    private func begin(of command: Command) -> Begin? {
        switch command.action {
        case .grant where command.condition == .held: nil
        case .grant(let request) where request.holder == ReservedHolder.idle: .idle(request.kind)
        case .grant(let request) where request.holder == ReservedHolder.presence:
            .presence(milliseconds(request.ttl!))
        case .grant, .set: .schedule(String(command.by!.dropFirst("schedule:".count)))
        default: nil
        }
    }

    // MARK: Clients

    func put(_ rule: ExpectedHolders.Rule) {
        guard let service = daemon.holders else { return }
        daemon.holderQueue.enqueue { [unowned self] in
            holders?.execute(rule.name, rule, on: plugged, at: time.wall)
        }
        service.edit(.put(rule.schedule)) { [unowned self] result in
            if case .failure(let failure) = result { violate("the schedule \(rule.name) is rejected: \(failure)") }
        }
    }

    func remove(_ name: String) {
        guard let service = daemon.holders else { return }
        let isKnown = Flag()
        daemon.holderQueue.enqueue { [unowned self] in
            isKnown.isSet = holders?.rules[name] != nil
            if isKnown.isSet { holders?.execute(name, nil, on: plugged, at: time.wall) }
        }
        service.edit(.remove(ResourceName(name)!)) { [unowned self] result in
            let isDone = if case .success = result { true } else { false }
            if isDone != isKnown.isSet { violate("the removal of the schedule \(name) is answered with \(result)") }
        }
    }

    func pause(_ name: String, _ isPaused: Bool) {
        guard let service = daemon.holders else { return }
        daemon.holderQueue.enqueue { [unowned self] in
            holders?.pause(name, isPaused, on: plugged, at: time.wall)
        }
        service.edit(.pause(ResourceName(name)!, isPaused)) { _ in }
    }

    /// The sensor reports somebody, or nobody.
    func reportPresence(_ isNear: Bool) {
        guard holders?.wakeTime != nil else { return }
        holders?.report = isNear
        daemon.hub.poster.post(.presence(isNear: isNear))
    }

    /// The machine sleeps. Somebody wakes it.
    func sleep(for milliseconds: Int) {
        time.sleep(for: milliseconds)
        holders?.isUsed = true
    }

    func reportActivity() {
        holders?.isUsed = true
        daemon.service?.reportActivity()
    }

    // MARK: Time

    /// Lets the holders look at the clock and the displays.
    ///
    /// - Returns: Whether they have changed a display, or one or the journal has work.
    func evaluateHolders() -> Bool {
        guard holders != nil, daemon.isAlive, !daemon.isStopping else { return false }
        // Edits come first: they change what is evaluated.
        daemon.holderQueue.runAll()
        expectEvaluation()
        handover = startOfHandover
        let before = commands
        daemon.evaluateHolders()
        checkHandover()
        return daemon.isAlive && (commands > before || !screens.allSatisfy { daemon.isIdle($0.index) })
    }

    /// The state of a display.
    struct Level {
        /// Also while it is off.
        let fraction: Double
        let isOn: Bool
    }

    /// The level of each display, if nothing but the holders changes it now.
    private var startOfHandover: [[Level]]? {
        let isCalm =
            handsOver && daemon.fuse == nil && disk.trouble == nil && !daemon.health.isFailing
            && screens.allSatisfy { screen in
                daemon.isIdle(screen.index) && screen.pending.isEmpty && screen.worlds.count == 1 && !screen.isTouched
                    && screen.handBehind == nil && !screen.isPowerTouched && screen.isLit
                    && daemon.service?.state(of: screen.panel.id)?.isAvailable == true
                    && !screen.expected.isOverdue(at: time.now)
            }
        return isCalm ? screens.map { [$0.expected.level] } : nil
    }

    /// Checks that no display was darker or brighter in between than both before and after.
    private func checkHandover() {
        defer { handover = nil }
        guard daemon.isAlive, let handover else { return }
        for (screen, levels) in zip(screens, handover) where screen.worlds.count == 1 {
            let (before, after) = (levels[0], levels[levels.count - 1])
            let fractions = [before.fraction, after.fraction].sorted()
            let isSteady = levels.allSatisfy { level in
                (fractions[0]...fractions[1]).contains(level.fraction)
                    && (before.isOn != after.isOn || level.isOn == after.isOn)
            }
            if !isSteady { violate("\(screen.panel.id) shows something in between: \(levels)") }
        }
    }

    private func expectEvaluation() {
        let inUse = screens.filter { screen in
            screen.expected.leases.contains {
                ($0.key.kind == .boost || $0.key.kind == .wake) && !$0.value.isOverridden
            }
        }
        holders?.evaluate(
            at: time.now,
            wall: time.wall,
            on: plugged,
            inUse: Set(inUse.map(\.panel.id))
        )
    }

    /// Checks that the leases are those of the rules at this instant.
    func checkHolders() {
        guard let holders, daemon.isAlive, !daemon.isStopping, violation == nil else { return }
        for screen in screens where daemon.isIdle(screen.index) && screen.pending.isEmpty {
            for name in holders.names { check(name, of: holders, on: screen) }
            if holders.hasIdle { checkIdle(holders, on: screen) }
            let wakes = holders.wakes(on: screen.panel.id)
            if let end = holders.wakeEnd, end > time.now, isPresent(screen), wakes.accepted == 0, !wakes.isRejected {
                violate("\(screen.panel.id): somebody was near, and it has no wake")
            }
        }
    }

    private func check(_ name: String, of holders: ExpectedHolders, on screen: Screen) {
        let id = screen.panel.id
        let inForce = holders.rule(name, at: time.wall)?.rule
        if holders.isWrongBySun(name, at: time.wall) {
            violate("\(id): the schedule \(name) is \(inForce == nil ? "not " : "")in force, whatever the sun does")
        }
        let rule = inForce?.includes(id) == true ? inForce : nil
        let held = screen.expected.leases.filter { $0.key.holder == "schedule:\(name)" }
        let requests = holders.requests(of: name, on: id)
        let mayBeOld = requests.isRejected || !isPresent(screen)
        for (key, lease) in held {
            guard let rule, rule.kind == key.kind else {
                return violate("\(id): the \(key.kind) of the schedule \(name) goes on at \(clock)")
            }
            // A panel that rejects the new brightness, or is unplugged, keeps the one before.
            if let brightness = lease.brightness, brightness != rule.brightness, !mayBeOld {
                violate("\(id): the schedule \(name) has \(brightness)")
            }
        }
        guard let rule, isPresent(screen) else { return }
        let mayRest = rule.kind == nil && holders.mayRest(name, on: id, at: time.wall)
        if requests.accepted == 0, !requests.isRejected, !mayRest {
            violate("\(id): the schedule \(name) is in force at \(clock), and did nothing")
        }
    }

    private func checkIdle(_ holders: ExpectedHolders, on screen: Screen) {
        let id = screen.panel.id
        let leases = screen.expected.leases
        let held = leases.filter { $0.key.holder == ReservedHolder.idle }
        let isInUse = leases.contains {
            ($0.key.kind == .boost || $0.key.kind == .wake) && !$0.value.isOverridden
        }
        let due = isInUse ? [] : holders.kindsDue(at: time.now)
        for (key, _) in held where !due.contains(key.kind) {
            return violate("\(id): the \(key.kind) of idle goes on")
        }
        for kind in due where isPresent(screen) && (kind == .dim || screen.panel.isSwitchable) {
            let requests = holders.idleRequests(kind, on: id)
            if requests.accepted == 0, !requests.isRejected { violate("\(id): idle has no \(kind)") }
        }
    }

    private var plugged: [DisplayID] { screens.filter(isPresent).map(\.panel.id) }

    /// Whether the display is not unplugged. One that is gets what it lacks when it is back.
    private func isPresent(_ screen: Screen) -> Bool {
        daemon.service?.own.contains { $0.id == screen.panel.id } == true
    }

    private var clock: String {
        let local = holders?.zone.local(time.wall / 60_000) ?? 0
        return ScheduleTime.clock(minute: local % SimulatedZone.day).text
    }
}

extension Expectation {
    fileprivate var level: Simulation.Level { Simulation.Level(fraction: effective, isOn: isOn) }
}

/// A fact that one job leaves for the next.
private final class Flag: @unchecked Sendable {  // One thread: the test's.
    var isSet = false
}
