// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore
@testable import Journal

/// A machine with a daemon, people and faults, from one seed: the same seed is the same story.
///
/// Everything is real except the panels, the clocks and the order of events.
final class Simulation: @unchecked Sendable {  // One thread: the test's.
    let seed: UInt64
    let screens: [Screen]
    var time: SimulatedTime
    private(set) var daemon: Daemon
    var disk: SimulatedDisk
    let cap: Brightness
    /// Whether the baselines of the last run are in force after a restart of the machine.
    let restoresAtBoot: Bool
    /// The default duration of a change, in milliseconds.
    let defaultTransition: Int
    /// Whether displays can follow the light in the room.
    let hasLight: Bool
    /// The light in the room; `nil` while no sensor knows it.
    private(set) var room: ExpectedAutomatic.Room?
    /// The rules of the schedules and of `idle`; `nil` in a story without them.
    var holders: ExpectedHolders?
    /// Whether the commands of one evaluation of the holders are executed one by one.
    let handsOver: Bool
    /// The levels of each display during such an evaluation, if nothing else changes it.
    var handover: [[Level]]?
    /// The number of streams of each holder.
    private(set) var streams: [String: Int] = [:]
    /// Which holders came or went in this run, and when.
    private(set) var presence: [String: Expectation.Presence] = [:]
    /// The maximum number of clients' commands that wait for a display.
    let queueLimit: Int
    /// Every published lease in the order of the grants.
    var leases: [LeaseID] = []
    private var lastLease = 0
    private(set) var commands = 0
    /// The boot in which the daemon was last started.
    private(set) var bootOfLastStart = 0
    /// When the daemon was last started: it has stored the time left of every lease, also of a display that is plugged
    /// in later.
    private(set) var lastStart = 0
    /// Whether the file could not be written for a while and is still incomplete: its earlier content may come back.
    var isFileBad = false
    /// Whether the last run may have written nothing: then implausible values at its start are still in the file.
    private(set) var isFileAsBefore = false
    /// Whether the disk had a fault since the daemon's start.
    private(set) var hadDiskTrouble = false
    /// The first violated rule.
    private(set) var violation: String?
    /// The events, if they are recorded.
    private(set) var story: [String]?

    init(seed: UInt64, isVerbose: Bool) throws {
        self.seed = seed
        story = isVerbose ? [] : nil
        var random = SplitMix(seed: seed, step: -1)
        time = SimulatedTime(namesBoots: random.chance(90))
        disk = SimulatedDisk(&random)
        let cap = random.chance(70) ? 1 : 0.3 + 0.7 * random.thousandths()
        self.cap = Brightness(clamping: cap)
        let sink = Sink()
        let comesAndGoes = Self.comesAndGoes(in: seed)
        screens = (0..<(random.chance(70) ? 1 : 2)).map { index in
            let panel = Self.panel(index, &random)
            return Screen(
                index,
                panel.panel,
                cap: cap,
                comesAndGoes: comesAndGoes,
                isPaired: panel.panel.isSwitchable && !comesAndGoes && Self.isPaired(in: seed),
                rounding: panel.rounding,
                log: { sink.log($0) },
                fault: { sink.fault($0) }
            )
        }
        defaultTransition = random.chance(75) ? 0 : random.one(of: [40, 700, 20_000])
        hasLight = random.chance(40)
        daemon = Daemon(displays: screens.count, on: disk.files) { sink.fault($0) }
        restoresAtBoot = Self.restoresAtBoot(in: seed)
        holders = Self.holders(of: seed)
        queueLimit = Self.queueLimit(of: seed)
        handsOver = defaultTransition == 0 && random.chance(70)
        sink.simulation = self
        for screen in screens {
            let panel = screen.panel
            var text =
                "\(panel.id): steps \(panel.range.minimum)...\(panel.range.maximum), at \(panel.step), cap \(cap)"
            if panel.isVolatile { text += ", forgets" }
            if panel.writesOnce { text += ", a monitor" }
            if !panel.isCheapToRead { text += ", not cheap to read" }
            if screen.rounds { text += ", rounds" }
            if panel.isSwitchable { text += screen.isPaired ? ", switched by another device" : ", can be switched" }
            if screen.comesAndGoes { text += ", comes and goes" }
            note(text)
        }
        note(disk.words)
        if !time.namesBoots { note("boots have no name") }
        if restoresAtBoot { note("baselines are restored at boot") }
        if let holders, holders.hasIdle {
            let limits = [holders.dimAfter, holders.sleepAfter].map { $0.map { "\($0 / 1_000) s" } ?? "never" }
            note("idle dims after \(limits[0]), and switches off after \(limits[1])")
        }
        if let holders { note("\(holders.zone), wakes of \(holders.wakeTime ?? 0) ms") }
        if queueLimit < 10 { note("at most \(queueLimit) commands wait") }
        if defaultTransition > 0 { note("transitions take \(defaultTransition) ms") }
        try start()
    }

    private static func restoresAtBoot(in seed: UInt64) -> Bool {
        var random = SplitMix(seed: seed, step: -8)
        return random.chance(40)
    }

    private static func isPaired(in seed: UInt64) -> Bool {
        var random = SplitMix(seed: seed, step: -9)
        return random.chance(30)
    }

    private static func comesAndGoes(in seed: UInt64) -> Bool {
        var random = SplitMix(seed: seed, step: -6)
        return random.chance(30)
    }

    /// Some queues are so short that clients fill them.
    private static func queueLimit(of seed: UInt64) -> Int {
        var random = SplitMix(seed: seed, step: -5)
        return random.chance(30) ? random.number(1...4) : DisplayService.Configuration.defaultQueueLimit
    }

    /// The holders of some stories. The others are the same as without them.
    private static func holders(of seed: UInt64) -> ExpectedHolders? {
        var random = SplitMix(seed: seed, step: -4)
        guard random.chance(40) else { return nil }
        let dimAfter = random.chance(50) ? random.one(of: [1_000, 60_000, 600_000]) : nil
        let sleepAfter = random.chance(40) ? (dimAfter ?? 0) + random.one(of: [1_000, 60_000, 600_000]) : nil
        let wakeTime = random.chance(40) ? random.one(of: [2_000, 60_000, 1_800_000]) : nil
        return ExpectedHolders(
            dimAfter: dimAfter,
            sleepAfter: sleepAfter,
            wakeTime: wakeTime,
            SimulatedZone(&random)
        )
    }

    private static func panel(
        _ index: Int,
        _ random: inout SplitMix
    ) -> (panel: ScriptedPanel, rounding: @Sendable (Int) -> Int) {
        let rounds = random.chance(25)
        let rounding: @Sendable (Int) -> Int = { step in rounds ? step / 2 * 2 : step }
        let isVolatile = random.chance(25)
        // A panel that keeps its step without power, takes no transitions, and is not read after a write.
        let isMonitor = !isVolatile && random.chance(20)
        let minimum = random.chance(60) ? 0 : random.number(1...10)
        let isCheapToRead = !isMonitor && random.chance(80)
        let isSwitchable = random.chance(60) && !rounds && (isMonitor || isCheapToRead)
        let panel = ScriptedPanel(
            DisplayID(index == 0 ? "left" : "right")!,
            range: BrightnessRange(minimum: minimum, maximum: 100)!,
            step: isVolatile ? Screen.firstStep : rounding(random.number(minimum...100)),
            isCheapToRead: isCheapToRead,
            isVolatile: isVolatile,
            writesOnce: isMonitor,
            isSwitchable: isSwitchable,
            switchInterval: isMonitor && isSwitchable ? .seconds(2) : .zero,
            canReadPower: isSwitchable && !isMonitor,
            rounding: rounds ? rounding : nil
        )
        return (panel, rounding)
    }

    // MARK: Reports

    func note(_ text: @autoclosure () -> String) {
        guard story != nil else { return }
        story?.append("\(seconds(time.now))  \(text())")
    }

    func violate(_ text: @autoclosure () -> String) {
        guard violation == nil else { return }
        violation = "\(seconds(time.now)): \(text())"
    }

    private func seconds(_ milliseconds: Int) -> String {
        let rest = String(milliseconds % 1_000 + 1_000).dropFirst()
        return "\(milliseconds / 1_000).\(rest) s"
    }

    // MARK: Start and stop

    /// Starts the daemon; its initial state must be one of the possible ones.
    ///
    /// - Parameter missing: The display that is plugged in later.
    func start(without missing: Screen? = nil) throws {
        let sink = Sink()
        sink.simulation = self
        isFileBad = isFileBad || daemon.health.isFailing
        isFileAsBefore = !daemon.hasWritten
        daemon = Daemon(displays: screens.count, on: disk.files) { sink.fault($0) }
        disk.serve(daemon)
        lastStart = time.now
        hadDiskTrouble = disk.trouble != nil
        let before = screens.map(\.panel.step)
        try daemon.start(
            screens.filter { $0 !== missing },
            cap: cap,
            transition: .milliseconds(defaultTransition),
            room,
            restoresAtBoot: restoresAtBoot,
            leaseID: { [unowned self] in
                lastLease += 1
                return LeaseID("lease-\(lastLease)")
            },
            time.bootClock,
            queueLimit: queueLimit,
            now: { [unowned self] in time.moment }
        )
        daemon.beginsBatch = { [unowned self] screen in begin(screen) }
        (streams, presence) = ([:], [:])
        for screen in screens where screen !== missing { begin(screen, showing: before[screen.index]) }
        if missing == nil { bootOfLastStart = time.boots }
        startHolders()
    }

    /// Plugs in a display that was not there at the start.
    func plug(_ screen: Screen) throws {
        let step = screen.panel.step
        try daemon.add(screen, at: time.moment)
        begin(screen, showing: step, isPlugged: true)
        bootOfLastStart = time.boots
    }

    private func begin(_ screen: Screen, showing step: Int, isPlugged: Bool = false) {
        recover(screen, showing: step, isPlugged: isPlugged)
        if daemon.isIdle(screen.index) {
            screen.beginBatch(present: presence, at: time.now)
        } else {
            // It restores a panel that an earlier run left raised.
            screen.pending.append(Screen.Entry(kind: .tick, at: time.now))
        }
    }

    /// Kills the process at any point: the contents of its memory are lost.
    func endDaemon() {
        daemon.end()
        for screen in screens where screen.panel.isVolatile {
            screen.panel.step = Screen.firstStep
            screen.turn(true, by: .firmware)
        }
    }

    /// Sets the fault of the disk; `nil` heals it.
    func setTrouble(_ trouble: SimulatedDisk.Trouble?) {
        if let trouble {
            note("the disk: \(trouble)")
            disk.begin(trouble)
            hadDiskTrouble = true
        } else {
            disk.end()
        }
        disk.serve(daemon)
    }

    // MARK: Clients

    private func unlessChosenSince(_ command: Command) -> Int? {
        if case .notChosen(let since)? = command.condition { time.time(of: since) } else { nil }
    }

    func submit(
        _ command: Command,
        to screen: Screen,
        completion: DisplayService.Completion? = nil
    ) {
        guard let service = daemon.service else { return }
        commands += 1
        let number = commands
        let waiting = screen.pending.dropFirst(screen.begun).count(where: \.isOfClient)
        let isClear =
            daemon.isIdle(screen.index) && !screen.isTouched && !screen.isPowerTouched && screen.faults == 0
            && screen.sleeps == 0
            && !screen.isGone
            && screen.pending.isEmpty
            && !screen.worlds.contains { $0.isOverdue(at: time.now) }
        screen.pending.append(
            Screen.Entry(
                kind: .command(command, number: number),
                at: time.now,
                wall: time.wall,
                faults: screen.faults,
                sleeps: screen.sleeps,
                unlessChosenSince: unlessChosenSince(command),
                mustHold: isClear && (command.onlyAt?.contains(service.state(of: screen.panel.id)!.revision) ?? true)
            )
        )
        touch(screen)
        screen.move(for: command.transition.map { milliseconds($0) } ?? 0, from: time.now)
        switch command.action {
        case .grant, .apply: screen.mark()
        default: break
        }
        if !screen.expected.leases.isEmpty || screen.power.known != true || !screen.isSettled { screen.mark() }
        service.submit(command, to: screen.panel.id, at: time.moment) { [unowned self, daemon] result in
            guard daemon.effect() else { return }
            answered(number, result, for: screen)
            completion?(result)
        }
        let isAccepted = daemon.isAlive && screen.pending.contains { $0.isCommand(number: number) }
        if isAccepted, command.requester != nil, waiting >= queueLimit {
            violate("\(screen.panel.id): command \(number) is accepted, and \(waiting) of clients wait")
        }
    }

    /// Submits the last command of a display.
    func end(_ screen: Screen, with command: Command) {
        daemon.isStopping = true
        screen.pending.append(Screen.Entry(kind: .command(command, number: 0), at: time.now, wall: time.wall))
        touch(screen)
        screen.isEnding = true
        screen.beforeEnd = screen.worlds.map { Screen.Past(expected: $0, boot: bootOfLastStart) }
        let worker = daemon.service?.store.owner(of: screen.panel.id)?.worker
        worker?.submitLast(command, at: time.moment) { [unowned self, daemon] result in
            guard daemon.effect() else { return }
            answered(0, result, for: screen)
        }
    }

    /// Changes the light, and displays follow it. Waiting commands are executed in the new light.
    func setRoom(_ room: ExpectedAutomatic.Room?) {
        runAll()
        guard daemon.isAlive else { return }
        checkAll()
        self.room = room
        for screen in screens { screen.change { $0.room = room } }
        daemon.sense(room, at: time.moment)
        for screen in screens { submit(Command(.follow), to: screen) }
    }

    func open(_ holder: String) {
        guard let service = daemon.service else { return }
        streams[holder, default: 0] += 1
        if streams[holder] == 1 { changePresence(of: holder, to: .connected(since: time.now)) }
        service.streamOpened(by: [holder], of: owner(of: holder), at: time.moment)
    }

    func close(_ holder: String) {
        guard let service = daemon.service, let count = streams[holder] else { return }
        streams[holder] = count == 1 ? nil : count - 1
        if count == 1 { changePresence(of: holder, to: .gone(since: time.now)) }
        service.streamClosed(by: [holder], of: owner(of: holder), at: time.moment)
    }

    private func owner(of holder: String) -> Principal { Expectation.Key(kind: .boost, holder: holder).owner }

    /// A display with `visible` leases, or with commands that may grant some, compares them with the holders' streams
    /// when it gets there. Others have nothing to compare.
    private func changePresence(of holder: String, to new: Expectation.Presence) {
        presence[holder] = new
        for screen in screens {
            guard let worker = daemon.service?.store.owner(of: screen.panel.id)?.worker else { continue }
            guard worker.mayHaveVisibleLeases else {
                if screen.pending.isEmpty, screen.worlds.allSatisfy(\.hasVisible) {
                    violate("\(screen.panel.id) has a visible lease, and ignores the streams of \(holder)")
                }
                continue
            }
            screen.unbind()
            screen.waitForTick(at: time.now)
            touch(screen)
        }
    }

    private func touch(_ screen: Screen) {
        screen.lastAt = time.now
        screen.move(for: defaultTransition, from: time.now)
    }

    /// A person, or another program.
    func person(sets step: Int, on screen: Screen) {
        screen.unbind()
        screen.set(step, by: .person, isExcused: !daemon.isIdle(screen.index))
    }

    func person(turns isOn: Bool, _ screen: Screen) {
        screen.unbind()
        screen.turn(isOn, by: .person)
    }
}

extension JournalHealth {
    var isFailing: Bool { if case .failing = self { true } else { false } }
}

/// The interface for reports of a simulation's parts.
private final class Sink: @unchecked Sendable {  // One thread: the test's.
    weak var simulation: Simulation?

    func log(_ text: () -> String) { simulation?.note(text()) }
    func fault(_ text: String) { simulation?.violate(text) }
}
