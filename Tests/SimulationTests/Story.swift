// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

@testable import Journal

/// The story of one seed: its steps and its end.
struct Story {
    /// The violated rule and the whole story.
    struct Failure: Error {
        let violation: String
        let lines: [String]
    }

    private static let holders: [String?] = [nil, "anna", "ben", "cleo"]

    let seed: UInt64
    /// The steps to leave out.
    var skipped: Set<Int> = []
    var isVerbose = false

    /// Plays the story.
    /// - Returns: The violated rule, or `nil`.
    func play() throws -> Failure? {
        let simulation = try Simulation(seed: seed, isVerbose: isVerbose)
        // Everything that a daemon retains must be released before the next story.
        defer { simulation.endDaemon() }
        var random = SplitMix(seed: seed, step: -2)
        let steps = random.number(5...30)
        for step in 0..<steps where !skipped.contains(step) {
            try play(step, simulation)
            if let failure = failure(of: simulation) { return failure }
        }
        simulation.note("the end")
        try settle(simulation)
        return failure(of: simulation)
    }

    private func failure(of simulation: Simulation) -> Failure? {
        simulation.violation.map { Failure(violation: $0, lines: simulation.story ?? []) }
    }

    private func play(_ step: Int, _ simulation: Simulation) throws {
        var random = SplitMix(seed: seed, step: step)
        if !simulation.daemon.isAlive { try restart(simulation, &random) }
        simulation.time.advance(by: pause(&random))
        if simulation.holders != nil, random.chance(25) {
            holders(simulation, &random)
        } else if simulation.hasLight, random.chance(15) {
            light(simulation, &random)
        } else {
            try play(simulation, &random)
        }
        if random.chance(60) {
            simulation.runAll()
        } else {
            for _ in 0..<random.number(0...3) {
                if random.chance(50) {
                    simulation.runJournal()
                } else {
                    simulation.run(random.one(of: simulation.screens))
                }
            }
        }
        simulation.checkAll()
        if !simulation.daemon.isAlive { simulation.endDaemon() }
    }

    private func play(_ simulation: Simulation, _ random: inout SplitMix) throws {
        switch random.number(0...99) {
        case ..<44: command(simulation, &random)
        case ..<52: stream(simulation, &random)
        case ..<58: person(simulation, &random)
        case ..<60: personBehindWrite(simulation, &random)
        case ..<68:
            simulation.note("due work")
            simulation.tick()
        case ..<74: fault(simulation, &random)
        case ..<79: simulation.note("flush"); simulation.flush()
        case ..<83: wall(simulation, &random)
        case ..<86: try stop(simulation, &random)
        case ..<88: simulation.note("killed"); simulation.endDaemon()
        case 88: flood(simulation, &random)
        case ..<92: simulation.daemon.readSlowly()
        default: fuse(simulation, &random)
        }
    }

    private func pause(_ random: inout SplitMix) -> Int {
        switch random.number(0...9) {
        case ..<5: random.number(0...20)
        case ..<7: random.number(100...2_000)
        case 7: random.one(of: [9_999, 10_000, 10_001])
        case 8: random.number(1_000...60_000)
        default: random.one(of: [30_000, 60_000, 300_000, 3_600_000])
        }
    }

    // MARK: Clients

    private func command(_ simulation: Simulation, _ random: inout SplitMix) {
        for _ in 0..<(random.chance(75) ? 1 : random.number(2...4)) {
            let screen = random.one(of: simulation.screens)
            let action = action(simulation, &random)
            var command = Command(action, by: "somebody", requester: requester(of: action, &random))
            if random.chance(20) {
                command.transition = .milliseconds(random.one(of: [0, 10, 500, 2_000, 60_000]))
            }
            // As a light of Home Assistant: restore and switch, switch and set.
            if random.chance(10), action.isPlain {
                let followers: [Command.Action] = [
                    .set(.fraction(Brightness(clamping: random.thousandths()))), .setPower(random.chance(50)),
                    .set(.step(random.number(0...101))), .move(delta: 0.2),
                ]
                command.followers = Array(followers.shuffled(using: &random).prefix(random.number(1...2)))
            }
            if random.chance(10), let service = simulation.daemon.service {
                let now = service.revision.number
                command.onlyAt = [Revision(random.chance(70) ? now : now / 2)]
            }
            simulation.note("\(screen.panel.id): \(words(command))")
            simulation.submit(command, to: screen)
        }
    }

    /// Fills a queue while its panel hangs, and more happens behind that.
    private func flood(_ simulation: Simulation, _ random: inout SplitMix) {
        guard simulation.queueLimit < 10 else { return command(simulation, &random) }
        for _ in 0...simulation.queueLimit { command(simulation, &random) }
        for _ in 0..<3 {
            stream(simulation, &random)
            simulation.time.advance(by: pause(&random))
            _ = simulation.evaluateHolders()
            simulation.tick()
        }
    }

    private func action(_ simulation: Simulation, _ random: inout SplitMix) -> Command.Action {
        let holder = random.one(of: Self.holders)
        let lease = LeaseID("lease-\(random.number(max(1, simulation.leases.count - 4)...simulation.leases.count + 1))")
        switch random.number(0...23) {
        case ..<3: return .set(.fraction(Brightness(clamping: random.chance(15) ? 1 : random.thousandths())))
        case 3: return .set(.step(random.number(-1...101)))
        case 4: return .move(delta: random.one(of: [0.001, -0.001, 0, 0.2, -0.2, 0.05]))
        case ..<13:
            return .grant(request(of: holder, &random))
        case 13: return .renew(lease, renewal(&random))
        case ..<16: return .release(lease)
        case ..<18: return .restore(holder: holder, kind: random.chance(50) ? nil : kind(&random))
        case 18: return .restoreAll(kind: random.chance(80) ? nil : kind(&random))
        case 19: return .refresh()
        case ..<22: return .setPower(random.chance(50))
        default: return .apply(preset(for: holder, &random))
        }
    }

    /// Each named holder has a principal of its own. Some clients try to change the leases of others.
    private func requester(of action: Command.Action, _ random: inout SplitMix) -> Requester {
        let name: String? =
            switch action {
            case .grant(let request): request.holder
            case .restore(let holder, _) where !random.chance(15): holder
            case .apply(let request): request.terms?.holder
            case .restoreAll: nil
            default: random.one(of: Self.holders)
            }
        let owner = Expectation.Key(kind: .boost, holder: name).owner
        return Requester(owner, isAdmin: owner == .daemon)
    }

    private func kind(_ random: inout SplitMix) -> LeaseKind {
        random.one(of: [.boost, .boost, .boost, .boost, .dim, .dim, .wake, .sleep, .sleep])
    }

    /// A request as the interfaces accept it: a sleep has a time limit.
    private func request(of holder: String?, _ random: inout SplitMix) -> LeaseRequest {
        let kind = kind(&random)
        let lifespans = LeaseLifespan.allCases.filter { kind != .sleep || $0 != .lifetime }
        return LeaseRequest(
            kind,
            at: .fraction(Brightness(clamping: random.chance(50) ? kind == .dim ? 0 : 1 : random.thousandths())),
            lifespan: random.one(of: lifespans),
            ttl: random.chance(60) || kind == .sleep ? ttl(&random) : nil,
            holder: holder
        )
    }

    /// A value of a preset, or one that is held.
    private func preset(for holder: String?, _ random: inout SplitMix) -> PresetRequest {
        let isOn = random.chance(50) ? random.chance(50) : nil
        let brightness = Brightness(clamping: random.thousandths())
        let hold = random.chance(50) ? PresetRequest.Terms(ttl: ttl(&random), holder: holder) : nil
        let isAboutBrightness = isOn == nil || random.chance(50)
        let value = PresetValue(brightness: isAboutBrightness ? brightness : nil, isOn: isOn)
        return PresetRequest(value.map { .value($0) } ?? .values([:]), terms: hold)
    }

    private func renewal(_ random: inout SplitMix) -> LeaseRenewal {
        LeaseRenewal(
            at: random.chance(30) ? .fraction(Brightness(clamping: random.thousandths())) : nil,
            lifespan: random.chance(30) ? random.one(of: LeaseLifespan.allCases) : nil,
            ttl: random.chance(60) ? ttl(&random) : nil
        )
    }

    private func ttl(_ random: inout SplitMix) -> Duration {
        .milliseconds(random.one(of: [1, 1_000, 5_000, 10_000, 30_000, 60_000, 300_000, 3_600_000, 1_234]))
    }

    private func stream(_ simulation: Simulation, _ random: inout SplitMix) {
        let holder = random.one(of: ["anna", "ben"])
        if random.chance(60) {
            simulation.note("\(holder) opens a stream")
            simulation.open(holder)
        } else if simulation.streams[holder] != nil {
            simulation.note("\(holder) closes a stream")
            simulation.close(holder)
        }
    }

    /// Changes the light, switches automatic brightness, or names a display.
    private func light(_ simulation: Simulation, _ random: inout SplitMix) {
        if random.chance(60) {
            let room = random.chance(20) ? nil : random.one(of: ExpectedAutomatic.Room.allCases)
            simulation.note("the room is \(room.map { "\($0)" } ?? "not known")")
            simulation.setRoom(room)
        } else {
            let screen = random.one(of: simulation.screens)
            let isSwitch = random.chance(70)
            let command =
                isSwitch
                ? Command(.setAutomatic(random.chance(80), forgetsLessons: random.chance(20)))
                : Command(.configure(DisplaySettings.Change(name: .some(random.one(of: [nil, DisplayName("夜")!])))))
            simulation.note("\(screen.panel.id): \(words(command))")
            simulation.submit(command, to: screen)
        }
    }

    // MARK: Holders

    /// Edits the schedules, sets the clock, unplugs a display for a while, or reports activity.
    private func holders(_ simulation: Simulation, _ random: inout SplitMix) {
        let name = random.one(of: ["day", "night", "noon"])
        switch random.number(0...14) {
        case ..<6:
            let rule = rule(name, simulation, &random)
            simulation.note("the schedule \(name): \(words(rule))")
            simulation.put(rule)
        case 6:
            simulation.note("the schedule \(name) is removed")
            simulation.remove(name)
        case 7:
            let isPaused = random.chance(50)
            simulation.note("the schedule \(name) is \(isPaused ? "paused" : "resumed")")
            simulation.pause(name, isPaused)
        case 8: setClock(simulation, &random)
        case 9:
            let time = random.one(of: [2_000, 600_000, 3_600_000, 86_400_000])
            simulation.note("the machine sleeps for \(time) ms")
            simulation.sleep(for: time)
        case 10, 11:
            let isNear = random.chance(60)
            simulation.note("\(isNear ? "somebody" : "nobody") is near")
            simulation.reportPresence(isNear)
        case 12 where simulation.screens[0].comesAndGoes:
            replug(random.one(of: simulation.screens), simulation, &random)
        default:
            simulation.note("somebody is there")
            simulation.reportActivity()
        }
    }

    /// The clock is right, or wrong; whether it counts as set has nothing to do with that.
    private func setClock(_ simulation: Simulation, _ random: inout SplitMix) {
        let error = random.one(of: [0, 0, -400, 40].map { $0 * 86_400_000 })
        simulation.holders?.isTrusted = random.chance(70)
        simulation.note("the clock is wrong by \(error) ms, and trusted: \(simulation.holders!.isTrusted)")
        jump(to: error, simulation)
    }

    /// A rule that begins or ends soon.
    private func rule(
        _ name: String,
        _ simulation: Simulation,
        _ random: inout SplitMix
    ) -> ExpectedHolders.Rule {
        let day = SimulatedZone.day
        func clock(_ minute: Int) -> ScheduleTime { .clock(minute: (minute + day) % day) }
        let zone = simulation.holders!.zone
        let now = simulation.time.wall / 60_000
        let begin = zone.local(now) % day + random.number(-90...30)
        var from = clock(begin)
        var to = clock(begin + random.one(of: [1, 2, 30, 100, 1_439]))
        var kind = random.one(of: [.dim, .dim, .sleep, .sleep, .boost, nil, nil, nil] as [LeaseKind?])
        // It adjoins another one.
        let others = simulation.holders?.rules.values.filter { $0.name != name }.sorted { $0.name < $1.name } ?? []
        if random.chance(40), !others.isEmpty {
            let other = random.one(of: others)
            from = other.to
            if random.chance(70) { kind = other.kind }
        } else if random.chance(40) {
            let event = random.one(of: SunEvent.allCases)
            // Many begin about now.
            let offset = now - zone.sun(event, on: zone.local(now) / day).minute + random.number(-90...30)
            from = .sun(event, offset: random.chance(50) && abs(offset) <= 720 ? offset : 0)
            if random.chance(70) { to = .sun(event == .sunset ? .sunrise : .sunset, offset: 0) }
        }
        if from == to { to = .sun(.sunset, offset: 0) }
        return ExpectedHolders.Rule(
            name: name,
            days: random.chance(80) ? Set(0..<7) : Set((0..<7).filter { _ in random.chance(50) }),
            from: from,
            to: to,
            kind: kind,
            brightness: kind == .sleep ? nil : random.thousandths(),
            display: random.chance(70) ? nil : random.one(of: simulation.screens).panel.id,
            isPaused: random.chance(10)
        )
    }

    // MARK: Time and chance

    /// Changes the panel: a person, or a dimmer that restores its saved step.
    private func person(_ simulation: Simulation, _ random: inout SplitMix) {
        let screen = random.one(of: simulation.screens)
        if screen.panel.isSwitchable, screen.canReadPower, random.chance(30) {
            let isOn = !screen.panel.isOn
            simulation.note("\(screen.panel.id): a person switches it \(isOn ? "on" : "off")")
            simulation.person(turns: isOn, screen)
            if random.chance(60) { simulation.submit(Command(.refresh()), to: screen) }
            return
        }
        let restored = random.chance(40) ? screen.restorable.max() : nil
        let step = restored ?? screen.rounding(random.number(0...100))
        // A step that the daemon wrote looks like its own.
        let isOwn = screen.own.contains { abs($0 - step) <= screen.margin }
        guard screen.panel.step != step, !isOwn, restored != nil || !screen.isSaved(step) else { return }
        simulation.note("\(screen.panel.id): a person sets \(step)")
        simulation.person(sets: step, on: screen)
        if random.chance(60) { simulation.submit(Command(.refresh()), to: screen) }
    }

    private func personBehindWrite(_ simulation: Simulation, _ random: inout SplitMix) {
        let screen = random.one(of: simulation.screens)
        let step = screen.rounding(random.number(0...100))
        simulation.note("\(screen.panel.id): a person waits to set \(step) right behind a write")
        screen.handBehind = step
        command(simulation, &random)
    }

    private func fault(_ simulation: Simulation, _ random: inout SplitMix) {
        let screen = random.one(of: simulation.screens)
        let panel = screen.panel
        let refused = DeviceError.io(path: "/test", errno: 5)
        let times = random.chance(70) ? random.number(1...3) : .max
        switch random.number(0...10) {
        case ..<2:
            let takes = random.chance(50) && panel.most == .max && panel.least == .min
            simulation.note("\(panel.id): \(times) writes fail\(takes ? ", and are stored" : "")")
            panel.failWrites(
                random.chance(80) || takes ? refused : .permission(path: "/test"),
                times: times,
                takingStep: takes
            )
        case 2:
            simulation.note("\(panel.id): \(times) reads fail")
            panel.failReads(refused, times: times)
        case 3 where screen.isPaired && random.chance(70):
            let isSwitch = random.chance(50)
            simulation.note("\(panel.id): \(isSwitch ? "its switch" : "its brightness") is gone")
            screen.unplug(isPanelGone: !isSwitch, isSwitchGone: isSwitch)
        case 3:
            unplug(screen, simulation)
        case 4:
            simulation.setTrouble(random.one(of: SimulatedDisk.Trouble.allCases))
        case 10 where panel.isSwitchable:
            let takes = random.chance(50)
            simulation.note("\(panel.id): \(times) switches fail\(takes ? ", and are obeyed" : "")")
            panel.failSwitches(
                random.chance(80) || takes ? refused : .permission(path: "/test"),
                times: times,
                takingPower: takes
            )
        case 7 where !panel.isCheapToRead && !screen.rounds:
            screen.heal()
            if random.chance(70) { panel.most = random.number(panel.range.minimum...100) }
            if random.chance(50) { panel.least = random.number(panel.range.minimum...min(panel.most, 100)) }
            simulation.note("\(panel.id): keeps \(panel.least)...\(panel.most)")
        // The kernel reports a panel that can be switched as off.
        case 5 where !screen.hasSwitch:
            simulation.note("\(panel.id): falls asleep")
            screen.sleep()
        // Whether a worn panel follows the light depends on when it is healed.
        case 6 where panel.writesOnce && !simulation.hasLight:
            simulation.note("\(panel.id): has had its writes of the day")
            panel.demandRefusal = .worn(limit: 100)
        default:
            simulation.note("all is well again")
            for screen in simulation.screens { screen.heal() }
            simulation.setTrouble(nil)
        }
    }

    private func unplug(_ screen: Screen, _ simulation: Simulation) {
        simulation.note("\(screen.panel.id): gone")
        screen.unplug()
    }

    /// The daemon notices that a display is unplugged, and later that it is back.
    private func replug(_ screen: Screen, _ simulation: Simulation, _ random: inout SplitMix) {
        unplug(screen, simulation)
        simulation.submit(Command(.refresh()), to: screen)
        simulation.runAll()
        simulation.time.advance(by: pause(&random))
        if random.chance(50) { simulation.runAll() }
        simulation.note("\(screen.panel.id): is back")
        screen.heal()
        simulation.submit(Command(.refresh()), to: screen)
        simulation.runAll()
    }

    private func wall(_ simulation: Simulation, _ random: inout SplitMix) {
        let jump = random.one(of: [-3_600_000, -60_000, -1_000, 1_000, 60_000, 3_600_000])
        simulation.note("the wall clock jumps by \(jump) ms")
        self.jump(to: simulation.time.wallError + jump, simulation)
    }

    private func jump(to error: Int, _ simulation: Simulation) {
        simulation.time.wallError = error
        // In every second story the daemon notices that.
        var story = SplitMix(seed: seed, step: -7)
        guard story.chance(50) else { return }
        for screen in simulation.screens { simulation.submit(Command(.clockSet), to: screen) }
    }

    private func fuse(_ simulation: Simulation, _ random: inout SplitMix) {
        // Each page that the journal writes is one effect.
        let effects = random.number(0...(random.chance(50) ? 8 : 40))
        simulation.note("to be killed after \(effects) effects")
        simulation.daemon.fuse = effects
        command(simulation, &random)
        simulation.runAll()
    }

    // MARK: Ends and starts

    private func stop(_ simulation: Simulation, _ random: inout SplitMix) throws {
        let keeps = random.chance(30)
        simulation.note(keeps ? "stopped, and keeps" : "stopped")
        simulation.runAll()
        if keeps, simulation.holders != nil {
            for screen in simulation.screens { simulation.submit(.endOfIdle, to: screen) }
        }
        for screen in simulation.screens {
            let action = Command.Action.restoreAll(kind: keeps ? .sleep : nil, keepsOverridden: true)
            simulation.end(screen, with: Command(action, by: "brightnessd", transition: .zero))
        }
        simulation.runAll()
        if !keeps { simulation.checkStopped() }
        simulation.endOrderly()
    }

    private func restart(_ simulation: Simulation, _ random: inout SplitMix) throws {
        if random.chance(60) { simulation.setTrouble(nil) }
        if random.chance(20) { simulation.setTrouble(random.one(of: SimulatedDisk.Trouble.allCases)) }
        for screen in simulation.screens {
            let sleeps = screen.isAsleep && random.chance(50)
            let limits = random.chance(60) ? (screen.panel.least, screen.panel.most) : (.min, .max)
            screen.heal()
            if sleeps { screen.sleep() }
            (screen.panel.least, screen.panel.most) = limits
        }
        simulation.time.advance(by: random.chance(50) ? random.number(0...50) : pause(&random))
        if random.chance(20), !simulation.screens.contains(where: \.panel.isVolatile) { person(simulation, &random) }
        if random.chance(25) {
            simulation.time.boot(counting: .seconds(random.number(-7_000...900_000)))
            if simulation.holders != nil {
                simulation.holders?.isTrusted = random.chance(70)
                if simulation.holders?.isTrusted == false {
                    simulation.note("the machine has lost its clock")
                    if random.chance(50) { simulation.time.wallError -= 300 * 86_400_000 }
                }
            }
            if random.chance(40) {
                simulation.time.wallError += random.one(of: [-3_600_000, -5_000, 5_000, 3_600_000])
            }
            for screen in simulation.screens {
                // The firmware switches most panels on. A monitor keeps its power, or loses it with the machine.
                if screen.hasSwitch, !screen.panel.isOn, random.chance(80) { screen.turn(true, by: .firmware) }
                screen.boot(
                    showing: !screen.panel.writesOnce && random.chance(60)
                        ? screen.rounding(random.number(0...100)) : nil
                )
            }
            simulation.note("the machine starts, panels show \(simulation.screens.map(\.panel.step))")
        }
        // Setting a sleeping panel sets the step that it shows when it is awake.
        for screen in simulation.screens where screen.isAsleep { screen.sleep() }
        try begin(simulation, &random)
        if random.chance(25) { simulation.daemon.fuse = random.number(0...5) }
        if random.chance(50) { simulation.runAll() }
        if random.chance(10) { try again(simulation) }
    }

    /// Starts the daemon, perhaps with other options, or without a display that is plugged in later.
    private func begin(_ simulation: Simulation, _ random: inout SplitMix) throws {
        // The content of a file that could not be written shows only in a run that can switch.
        let isFileSure = !simulation.isFileBad && !simulation.daemon.health.isFailing
        for screen in simulation.screens where screen.hasSwitch && isFileSure && random.chance(25) {
            let isSwitchable = !screen.panel.isSwitchable
            simulation.note("\(screen.panel.id): the daemon may\(isSwitchable ? "" : " not") switch it")
            screen.panel.isSwitchable = isSwitchable
        }
        guard random.chance(15) else {
            simulation.note("start")
            return try simulation.start()
        }
        let missing = random.one(of: simulation.screens)
        simulation.note("start without \(missing.panel.id)")
        try simulation.start(without: missing)
        for _ in 0..<2 { stream(simulation, &random) }
        simulation.time.advance(by: random.one(of: [0, 5_000, 20_000]))
        simulation.note("\(missing.panel.id) is plugged in")
        try simulation.plug(missing)
    }

    /// Kills and restarts the daemon in the same moment: the state is unchanged.
    private func again(_ simulation: Simulation) throws {
        // A start is activity, and begins a schedule that somebody has ended.
        if simulation.holders != nil { return }
        simulation.runAll()
        simulation.flush()
        simulation.checkAll()
        let isThere =
            simulation.disk.trouble == nil
            && !simulation.screens.contains {
                $0.isMoving || $0.handBehind != nil || $0.isAsleep || !$0.isSettled || $0.isPowerForgotten
                    || $0.isTouched || $0.kept != nil
            }
        guard simulation.daemon.isAlive, simulation.isRight, isThere, simulation.time.namesBoots else { return }
        let before = simulation.facts
        simulation.note("killed and started again")
        simulation.endDaemon()
        try simulation.start()
        let writes = simulation.screens.map(\.panel.writes.count)
        simulation.runAll()
        let isPlain = simulation.screens.allSatisfy { !$0.panel.isVolatile && !$0.rounds }
        if before != simulation.facts || isPlain && writes != simulation.screens.map(\.panel.writes.count) {
            simulation.violate("the second start changes \(before) to \(simulation.facts)")
        }
    }

    /// Heals all faults and waits: then every display must be right.
    private func settle(_ simulation: Simulation) throws {
        var random = SplitMix(seed: seed, step: -3)
        for screen in simulation.screens { screen.handBehind = nil }
        simulation.holders?.isTrusted = true
        simulation.daemon.fuse = nil
        if !simulation.daemon.isAlive { try restart(simulation, &random) }
        simulation.daemon.fuse = nil
        if !simulation.daemon.isAlive { try simulation.start() }
        simulation.setTrouble(nil)
        restoreHalves(simulation)
        for screen in simulation.screens { screen.heal() }
        try allowSwitches(simulation)
        for screen in simulation.screens { simulation.submit(Command(.refresh()), to: screen) }
        simulation.runAll()
        for _ in 0..<3 { wait(simulation) }
        // A lease that ended just now may have switched a monitor on.
        for screen in simulation.screens where screen.isTouched { simulation.submit(Command(.refresh()), to: screen) }
        simulation.runAll()
        simulation.flush()
        simulation.checkAll()
        if !simulation.isRight { simulation.violate("not right in the end: \(simulation.facts)") }
        if random.chance(25) { try again(simulation) }
        simulation.time.advance(by: 3_600_000)
        simulation.tick()
        simulation.runAll()
        simulation.checkAll()
        for screen in simulation.screens { simulation.submit(Command(.restoreAll()), to: screen) }
        simulation.runAll()
        simulation.checkAll()
        for _ in 0..<2 { wait(simulation) }
        simulation.checkAll()
        // A schedule may have begun or ended just now.
        for screen in simulation.screens where screen.isMoving && simulation.holders == nil {
            simulation.violate("\(screen.panel.id) is on its way for ever")
        }
        if !simulation.isRight { simulation.violate("not right without leases: \(simulation.facts)") }
    }

    /// While one device of a pair is unplugged, leases that end change the other one back: nobody is in the dark, and
    /// no screen is raised.
    private func restoreHalves(_ simulation: Simulation) {
        let halves = simulation.screens.filter { $0.isPaired && $0.isSwitchGone != $0.isPanelGone }
        if halves.isEmpty { return }
        for screen in halves {
            let (isPanelGone, isSwitchGone) = (screen.isPanelGone, screen.isSwitchGone)
            screen.heal()
            screen.unplug(isPanelGone: isPanelGone, isSwitchGone: isSwitchGone)
            simulation.submit(Command(.restoreAll()), to: screen)
        }
        for _ in 0..<2 { wait(simulation) }
        simulation.checkAll()
        for screen in halves where !screen.isTouched && !screen.isPowerTouched && simulation.isQuiet(screen) {
            let (panel, expected) = (screen.panel, screen.expected)
            if screen.isPanelGone, panel.isSwitchable, expected.isOn, !panel.isOn {
                simulation.violate("\(panel.id) is dark, and only its brightness is gone")
            }
            if screen.isSwitchGone, panel.isOn, panel.step != screen.rounding(expected.step),
                panel.step != expected.step,
                panel.step != screen.kept
            {
                simulation.violate("\(panel.id) shows \(panel.step), and only its switch is gone: \(words(expected))")
            }
        }
    }

    /// Starts the daemon with the option to switch every panel: whatever an earlier run switched off is lit then.
    private func allowSwitches(_ simulation: Simulation) throws {
        guard simulation.screens.contains(where: { $0.hasSwitch && !$0.panel.isSwitchable }) else { return }
        simulation.runAll()
        simulation.checkAll()
        simulation.note("killed, and started with every permission")
        simulation.endDaemon()
        for screen in simulation.screens where screen.hasSwitch { screen.panel.isSwitchable = true }
        try simulation.start()
    }

    /// Waits for everything that is tried again. A monitor that was off was not read, so it is read first.
    private func wait(_ simulation: Simulation) {
        for screen in simulation.screens { simulation.submit(Command(.refresh()), to: screen) }
        simulation.runAll()
        simulation.time.advance(by: 31_000)
        simulation.tick()
        simulation.runAll()
    }
}
