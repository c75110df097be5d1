// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// One simulated display: the panel, which outlives the daemon, its pending commands, and its expected state.
final class Screen: @unchecked Sendable {  // One thread: the test's.
    /// The origin of a step that the daemon has not read yet.
    enum Hand { case daemon, person, firmware }

    /// The maximum number of possible states: more would accept too much.
    static let worldLimit = 512

    /// The step of a volatile panel.
    static let firstStep = 60

    let index: Int
    let panel: ScriptedPanel
    let rounding: @Sendable (Int) -> Int
    /// Whether the panel has a switch. An option or a permission decides at each start whether the daemon may use it.
    let hasSwitch: Bool
    /// Whether the display is removed while its panel is unplugged.
    let comesAndGoes: Bool
    /// Whether another device has the switch.
    let isPaired: Bool
    /// Whether that device, or the one of the brightness, is unplugged.
    private(set) var (isSwitchGone, isPanelGone) = (false, false)
    /// The possible states, the likeliest first, and at least one. A start leaves open what the file contains. Each
    /// observation removes the states that it contradicts.
    var worlds: [Expectation]
    /// The state if the panel had rejected nothing since the display was last idle; `nil` if it has rejected nothing.
    var unrefused: Expectation?
    /// The possible earlier states since the file was last complete, the newest last.
    var past: [Past] = []
    /// The boot in which the daemon was last started.
    private var boot = 0
    /// The possible states before the last command, until its record is stored: it was answered before.
    var beforeEnd: [Past] = []
    /// The possible states before it was plugged in, until the daemon has answered or is idle: the file had them when
    /// the daemon was started, with leases that have ended since.
    var beforePlug: [Past] = []
    /// The events whose effect was not compared yet, in order: first those of the batch that the daemon executes.
    var pending: [Entry] = []
    /// The number of events in that batch.
    private(set) var begun = 0
    /// The time of that batch.
    private(set) var batchAt = 0
    /// Whether the daemon has a waiting tick: a second one adds nothing.
    private(set) var hasTickWaiting = false
    /// The ends of leases that were not compared with the notifications yet.
    var endings: [Expectation.Ending] = []
    /// The last time at which everything due was done.
    var lastAt = 0
    /// The end of the transition; `nil` without one.
    private(set) var arrival: Int?
    /// The panel's step as the daemon knows it or would read it.
    private(set) var known: Int
    private(set) var hand = Hand.daemon {
        didSet { if hand == .daemon { isRebooted = false } }
    }

    /// Since the panel was set, the machine was restarted, or a start has restored the baseline of an earlier boot; or
    /// the daemon has not been idle since.
    private(set) var isRebooted = false
    private var isFresh = false
    /// The steps whose writes failed since the last one that did not. The panel may have stored them.
    private var doubtful: [Int] = []
    /// The steps that the daemon takes for its own.
    private(set) var own: Set<Int>
    /// The highest step written since the panel was last known not to be raised.
    private(set) var highest: Int
    /// The lowest step written since then.
    private(set) var lowest: Int
    /// Whether a read or write has failed since the panel was last known to be right.
    var wasInTrouble = false
    /// Whether the journal may still have the mark of a raised panel.
    private(set) var mayBeMarked = false
    /// Whether the display may have been in a transition since the journal was last complete: then more steps are
    /// marked, and the journal may have an older baseline.
    private(set) var mayBeUnderWay = false
    /// Whether the daemon has found the panel to be gone.
    var isGone = false { didSet { if isGone != oldValue { isPowerGone = isGone } } }
    /// Whether that was so of its power, too: the other device of a pair may be there.
    private(set) var isPowerGone = false
    /// The number of failed reads and writes.
    var faults = 0
    /// How often the panel was found asleep.
    private(set) var sleeps = 0
    /// Whether a person was faster than a waiting command, which may overwrite the change.
    private var isExcused = false
    private var expectsEcho = false
    /// The step that others set right after the next write, before the daemon reads it back.
    var handBehind: Int?
    /// Whether that has happened, and the daemon has not read the panel since.
    private var isOvertaken = false
    private(set) var isAsleep = false
    /// The step that a monitor has kept in place of the one that was written last.
    private(set) var kept: Int? { didSet { isKeptNew = kept != nil } }
    /// Whether that may not be in the file yet.
    private(set) var isKeptNew = false
    /// The changes of this run that may be half a flash, as the daemon knows them, and the furthest step since.
    private var turns: [(at: Int, isOurs: Bool)] = []
    /// Whether the next change may have to wait: three flashes were in the last second, by whomever.
    var mayHaveToWait: Bool { turns.count > 5 && turns[turns.count - 6].at > lastAt - 1_100 }
    private var isRising: Bool?
    private var extreme = 0
    var power = PanelPower()
    /// Whether the daemon executes its last command.
    var isEnding = false
    /// The steps that others changed to a lower one. A dimmer may have saved them.
    private(set) var saved: Set<Int> = []
    /// The saved steps that a dimmer may restore.
    private(set) var restorable: Set<Int> = []
    /// The baselines that may be lost with the daemon, oldest first. Only a volatile panel needs them.
    private(set) var recent: [Expectation.Baseline]
    /// The possible lessons since the journal was last complete.
    private(set) var lessons: [[ExpectedAutomatic.Lesson]] = [[]]
    let log: @Sendable (() -> String) -> Void
    let fault: @Sendable (String) -> Void

    init(
        _ index: Int,
        _ panel: ScriptedPanel,
        cap: Double,
        comesAndGoes: Bool,
        isPaired: Bool,
        rounding: @escaping @Sendable (Int) -> Int,
        log: @escaping @Sendable (() -> String) -> Void,
        fault: @escaping @Sendable (String) -> Void
    ) {
        (self.index, self.panel, self.rounding, self.log, self.fault) = (index, panel, rounding, log, fault)
        (self.comesAndGoes, self.isPaired, hasSwitch) = (comesAndGoes, isPaired, panel.isSwitchable)
        let step = panel.step
        let range = panel.range
        let world = Expectation(
            minimum: range.minimum,
            maximum: range.maximum,
            cap: cap,
            showing: step,
            isSwitchable: panel.isSwitchable
        )
        worlds = [world]
        (known, own, highest, lowest, recent) = (step, [step], step, step, [world.asked])
    }

    /// The likeliest state.
    var expected: Expectation { worlds[0] }

    var rounds: Bool { rounding(33) != 33 }

    /// Steps this close to the written one may be the panel's rounding.
    var margin: Int { rounds ? 2 : 0 }

    /// Others have set the panel since the daemon read it.
    var isTouched: Bool { panel.step != known }

    // MARK: The daemon

    func read() throws(DeviceError) -> Int {
        let (isEcho, wasOvertaken) = (expectsEcho, isOvertaken)
        (expectsEcho, isOvertaken) = (false, false)
        do {
            let step = try panel.read()
            if !isEcho || wasOvertaken { looked(at: step, isEcho: isEcho) }
            return step
        } catch {
            if case .asleep = error { sleeps += 1 } else { faults += 1 }
            wasInTrouble = true
            if !isEcho {
                if isPaired { lookedAtPower() }
                isGone = true
                if isPaired { isPowerGone = false }
            }
            log { "  \(panel.id) cannot be read" }
            throw error
        }
    }

    /// - Parameter isEcho: Whether this is a read-back, after the batch's events. Otherwise it comes before them.
    private func looked(at step: Int, isEcho: Bool) {
        let wasDark = power.known == false
        if !isEcho { lookedAtPower() }
        // A pair that was gone has just obeyed a write: another step was set right after that.
        let wasGone = isGone && !isEcho
        isGone = false
        if wasGone {
            // No step is a person's.
        } else if !panel.isCheapToRead, wasDark || power.known == false {
            // A monitor may have lost its step in the dark.
        } else if step != known {
            log { "  \(panel.id) is found at \(step)" }
            let found = Entry(kind: .found(step, from: [known] + doubtful, wins: true), at: batchAt)
            doubtful = []
            // The values that the start found come before it.
            insert(found, afterBatch: isEcho)
            if step < known { saved.insert(known) }
            // A panel that rounds may have been raised or dimmed by less than its rounding.
            if step < known, abs(known - expected.baselineStep) > margin { restorable.insert(known) }
        }
        (known, own, isExcused) = (step, own.union([step]), false)
        (highest, lowest) = (max(highest, known), min(lowest, known))
        showed(power.known == false ? 0 : step, isOurs: false)
    }

    /// The panel shows a step: 0 while it is off. Three flashes, of two changes each, may be in a second; more with a
    /// person's changes among them, right after which the daemon may write a rounding panel twice.
    func showed(_ step: Int, isOurs: Bool) {
        let maximum = panel.range.maximum
        let isTurn =
            isRising != (step > extreme) && abs(step - extreme) * 10 >= maximum
            && min(step, extreme) * 5 < maximum * 4
        if isTurn {
            (turns, isRising) = (turns.suffix(6) + [(batchAt, isOurs)], step > extreme)
            let areOurs = turns.count == 7 && turns.allSatisfy { $0.isOurs }
            if !isEnding, areOurs, turns[0].at > batchAt - 1_000 {
                fault("\(panel.id): flashes a fourth time in a second")
            }
        }
        if isTurn || isRising == (step > extreme) { extreme = step }
    }

    /// Adds what the daemon has found, in the order in which it counts.
    func insert(_ found: Entry, afterBatch isAfter: Bool = false) {
        pending.insert(found, at: isAfter ? begun : pending.firstIndex { !$0.isFound } ?? pending.count)
        begun += 1
    }

    /// The daemon's finding counts from now on.
    func settle(_ step: Int, from: [Int]?, wins: Bool, at time: Int) {
        change { $0.found(step, from: from, wins: wins, margin: margin, at: time) }
        // A dimmer's restored step is the daemon's once the panel is restored.
        if !isTouched, step == expected.step || !expected.hasRestored { hand = .daemon }
    }

    func write(_ step: Int) throws(DeviceError) {
        if isTouched, hand == .person, panel.isCheapToRead, !isExcused, !isGone {
            fault("\(panel.id): written without a read of a person's change")
        }
        if power.known == false { fault("\(panel.id): written while it is off") }
        if !isPaired { checkInterval() }
        (highest, lowest) = (max(highest, step), min(lowest, step))
        let before = panel.step
        do {
            try panel.write(step)
            (own, doubtful) = ([step], [])
            kept = panel.isCheapToRead || panel.step == step ? nil : panel.step
            // As long as the panel does not show the baseline, it is marked.
            if let kept { mark(to: kept) }
            // A pair that is written while it is gone stays so until it is read.
            if !isPaired { isGone = false }
            expectsEcho = panel.isCheapToRead
            taken()
            // A panel that rounds gets a person's step back.
            if rounds, pending.contains(where: { $0.isFound(at: step) }) { hand = .person }
            showed(step, isOurs: true)
            log { "  \(panel.id) gets \(step)" }
            overtake(step)
        } catch .asleep {
            (wasInTrouble, isGone) = (true, true)
            log { "  \(panel.id) gets \(step), and sleeps" }
            throw .asleep(path: "/test")
        } catch {
            faults += 1
            wasInTrouble = true
            own.insert(step)
            if case .absent = error { isGone = true }
            if case .io = error { doubtful.append(step) }
            // A step that a person had set just before looks the same.
            if case .io = error, abs(panel.step - step) <= margin { taken() }
            if panel.step != before { taken() }
            log { "  \(panel.id) gets \(step), fails, and shows \(panel.step)" }
            throw error
        }
    }

    /// Sets the step that waits for this write.
    private func overtake(_ step: Int) {
        guard let hand = handBehind else { return }
        handBehind = nil
        // A step that rounding explains is not a change by others.
        guard abs(hand - step) > margin, hand != known, !isSaved(hand) else { return }
        log { "  \(panel.id): a person sets \(hand) right after that" }
        unbind()
        set(hand, by: .person, isExcused: false)
        isOvertaken = true
    }

    /// The daemon asks whether demands are allowed, and they are not.
    func refuseDemand() {
        faults += 1
        log { "  \(panel.id) is worn" }
    }

    private func taken() {
        known = panel.step
        (highest, lowest) = (max(highest, known), min(lowest, known))
        own.insert(known)
        (hand, isExcused) = (.daemon, false)
    }

    // MARK: Events

    /// The daemon takes all waiting events: they are one batch.
    func beginBatch(present: [String: Expectation.Presence], at now: Int) {
        // A write is read back in its own batch, unless the other device of a pair is gone.
        (hasTickWaiting, expectsEcho) = (false, false)
        if pending.contains(where: { !$0.isFound }) {
            // The panel is read first. What is over by now ends last, before the panel is written.
            insert(Entry(kind: .presence, at: now))
            pending.append(Entry(kind: .tick, at: now))
            (batchAt, lastAt) = (now, max(lastAt, now))
        }
        begun = pending.count
        for index in pending.indices { pending[index].present = present }
    }

    func waitForTick(at now: Int) {
        guard !hasTickWaiting else { return }
        hasTickWaiting = true
        pending.append(Entry(kind: .tick, at: now))
    }

    /// Others change the display: no waiting command must find it at the revision that it names.
    func unbind() {
        for index in pending.indices { pending[index].mustHold = false }
    }

    func removeFirstEntry() -> Entry {
        begun = max(0, begun - 1)
        return pending.removeFirst()
    }

    /// Changes every possible state.
    func change(_ body: (inout Expectation) -> Void) {
        for index in worlds.indices { body(&worlds[index]) }
        worlds = worlds.unique
    }

    // MARK: Others

    /// Whether this step by a person looks like a dimmer's restore, because the panel rounds.
    func isSaved(_ step: Int) -> Bool { rounds && saved.contains { abs($0 - step) <= 3 } }

    func sleep() {
        isAsleep = true
        panel.failReads(.asleep(path: "/test", step: panel.step), times: .max)
        panel.failWrites(.asleep(path: "/test"), times: .max)
    }

    /// Unplugs the panel, the device of its switch, or both.
    func unplug(isPanelGone: Bool = true, isSwitchGone: Bool = true) {
        let absent = DeviceError.absent(path: "/test")
        if isPanelGone {
            panel.failReads(absent, times: .max)
            panel.failWrites(absent, times: .max)
        }
        if isSwitchGone { panel.failSwitches(absent, times: .max) }
        self.isPanelGone = self.isPanelGone || isPanelGone
        self.isSwitchGone = self.isSwitchGone || isPaired && isSwitchGone
    }

    /// The daemon looks for the device of the switch, which is unplugged.
    func missSwitch() {
        (isGone, wasInTrouble) = (true, true)
        isPowerGone = true
        faults += 1
        log { "  the switch of \(panel.id) is gone" }
    }

    func heal() {
        (isAsleep, isSwitchGone, isPanelGone) = (false, false, false)
        panel.heal()
        (panel.demandRefusal, panel.least, panel.most) = (nil, .min, .max)
    }

    func set(_ step: Int, by hand: Hand, isExcused: Bool) {
        self.hand = self.hand == .person ? .person : hand
        if hand == .person, isFresh { isRebooted = true }
        panel.step = step
        self.isExcused = self.isExcused || isExcused
    }

    /// A start with other options: from now on the daemon can switch the panel, or cannot.
    func adoptSwitchable() {
        for index in worlds.indices { worlds[index].power.isSwitchable = panel.isSwitchable }
        for index in past.indices { past[index].expected.power.isSwitchable = panel.isSwitchable }
    }

    /// Restarts the machine; the firmware may set the panel.
    func boot(showing step: Int?) {
        (isRebooted, isFresh) = (hand == .person, true)
        if let step, !panel.isVolatile { set(step, by: .firmware, isExcused: true) }
    }

    /// A start restores the baseline of an earlier boot, also after a kill in the middle of that.
    func overrule() { isRebooted = hand == .person }

    /// A new run of the daemon has read the panel.
    ///
    /// - Parameter mayBeRestored: Whether a later boot restores the baseline that the file has.
    func begin(inBoot boot: Int, mayBeRestored: Bool) {
        self.boot = boot
        known = panel.step
        // The start stores nothing before its first batch.
        recent = mayBeUnderWay || mayBeRestored ? recent + [expected.asked] : [expected.asked]
        past += worlds.map { Past(expected: $0, boot: boot) }
        (highest, lowest) = (max(highest, known), min(lowest, known))
        (own, doubtful) = ([known], [])
        (isGone, isExcused, expectsEcho, isOvertaken) = (isAsleep, false, false, false)
        isEnding = false
        wasInTrouble = wasInTrouble || isAsleep
        (saved, restorable) = ([], [])
        (arrival, unrefused) = (nil, nil)
        (begun, hasTickWaiting) = (0, false)
        (turns, isRising, extreme) = ([], nil, known)
    }

    /// Commands of the last run that were not answered may be in the file, although the panel shows another step.
    func mayRestore(_ baselines: [Expectation.Baseline]) {
        recent += baselines.unique.filter { !recent.contains($0) }
    }

    // MARK: Transitions

    /// The maximum remaining time of the transition.
    func move(for duration: Int, from now: Int) {
        guard duration > 0 else { return }
        // The last step may have to wait for a frame.
        arrival = max(arrival ?? 0, now + duration + 17)
        mark()
        mayBeUnderWay = true
    }

    /// Whether the panel may show a step of a transition. Call it when no command waits.
    var isMoving: Bool {
        if let arrival, lastAt >= arrival { self.arrival = nil }
        return arrival != nil
    }

    // MARK: The journal

    /// The file has the complete state.
    func isWritten() {
        past = worlds.map { Past(expected: $0, boot: boot) }
        beforePlug = []
    }

    /// A lease is requested, or the panel is off: from now on it may be marked.
    func mark(to step: Int? = nil) {
        mayBeMarked = true
        (highest, lowest) = (max(highest, step ?? highest), min(lowest, step ?? lowest))
    }

    /// The display is idle. A panel with a fault may still be without the baseline that its start restores.
    func rest(isWritten: Bool) {
        isFresh = isFresh && wasInTrouble
        if isWritten { isKeptNew = false }
        if isWritten, !expected.leases.isEmpty { recent = [expected.asked] }
    }

    /// The journal is complete, and the panel shows the baseline.
    func unmark() {
        mayBeMarked = false
        mayBeUnderWay = false
        (highest, lowest) = (expected.baselineStep, expected.baselineStep)
        hand = .daemon
        recent = [expected.asked]
    }

    func remember(_ refused: Expectation? = nil) {
        if let refused {
            recent.append(refused.asked)
            past.append(Past(expected: refused, boot: boot))
            mayHaveLearned([refused.automatic.lessons])
        }
        rememberAsked()
        past += worlds.map { Past(expected: $0, boot: boot) }
        mayHaveLearned(worlds.map(\.automatic.lessons))
        // The range up to there is marked before the transition.
        if mayBeMarked { (highest, lowest) = (max(highest, expected.step), min(lowest, expected.step)) }
    }

    /// The light may have set the baseline.
    func rememberAsked() {
        for world in worlds where recent.last != world.asked { recent.append(world.asked) }
    }

    /// The possible lessons of an earlier run, and those in the file.
    func mayHaveLearned(_ others: [[ExpectedAutomatic.Lesson]]) {
        lessons = (lessons + others).unique
    }

    /// The lessons are in the file.
    func lessonsAreWritten() { lessons = worlds.map(\.automatic.lessons).unique }
}
