// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport

/// One display of the simulation: the panel, which outlives the daemon, what was asked of it, and what it ought to be.
final class Screen: @unchecked Sendable {  // One thread: the test's.
    /// Who made the panel show something that the daemon has not looked at yet.
    enum Hand { case daemon, person, firmware }

    /// Something that changes what the display ought to be, once the daemon has answered for it.
    struct Entry {
        enum Kind {
            case command(Command, number: Int)
            /// The daemon looked, and found that somebody had set the panel, from what it last knew it to show; `nil`
            /// at a start.
            case found(Int, from: Int?, wins: Bool)
            /// A holder came back, too late for its lease.
            case late(holder: String)
        }

        var kind: Kind
        var at: Int
        var wall: Int
        /// `faults` and `sleeps` when it was asked.
        var faults = 0
        var sleeps = 0
        /// Nothing stands in its way.
        var mustHold = false
        /// Found behind a write: leases that were over by then had ended.
        var isEcho = false
        /// Between which times it was found.
        var times = 0...0

        var isCommand: Bool { if case .command = kind { true } else { false } }
    }

    /// What it has been, and the run of the machine in which it may have been written.
    struct Past: Hashable {
        let expected: Expectation
        let boot: Int
    }

    /// What a panel shows that forgets.
    static let firstStep = 60

    let index: Int
    let panel: ScriptedPanel
    let rounding: @Sendable (Int) -> Int
    var expected: Expectation
    /// What it may be as well, until the daemon has answered: more than one outcome fits what it began with.
    var alternatives: [Expectation] = []
    /// What it would be had the panel refused nothing since it last had nothing to do; `nil` if it has not.
    var unrefused: Expectation?
    /// What it has been, or may have been, since all of it was last in the file, the newest last.
    var past: [Past] = []
    /// The run of the machine that the daemon was last started in.
    private var boot = 0
    /// A baseline below the guard is one that was found there, or one that was asked for and cannot be had.
    var possible: [Expectation.Baseline] = []
    /// Not answered yet, in order.
    var pending: [Entry] = []
    /// How leases ended, and not yet compared with what was told.
    var endings: [Expectation.Ending] = []
    /// Since when it has something to do.
    var busySince: Int?
    /// Who came back while it was at work for so long that their leases may be over or not.
    var lateHolders: Set<String?> = []
    /// The time of the newest command.
    var lastAt = 0
    /// When it may last have been given something to do other than a command.
    var otherAt = 0
    /// By when it is where it goes; `nil` when it is there.
    private(set) var arrival: Int?
    /// When it was last looked for what is due while it was at work: what was over by then may be ended or not.
    var askedAt = 0

    /// What the daemon knows the panel to show, or would if it could.
    private(set) var known: Int
    private(set) var hand = Hand.daemon {
        didSet { if hand == .daemon { isRebooted = false } }
    }

    /// The machine has been started since somebody set it, or the daemon has not been at work since.
    private(set) var isRebooted = false
    private var isFresh = false
    /// Steps that the daemon takes for its own doing.
    private(set) var own: Set<Int>
    /// The highest it was told since it was last known not to be raised.
    private(set) var highest: Int
    /// The lowest, likewise.
    private(set) var lowest: Int
    /// A read or write has failed since the panel was last known to be right.
    var wasInTrouble = false
    /// Whether the journal may still say that it is raised.
    private(set) var mayBeMarked = false
    /// Whether it may have been on its way since all of the journal was written: then more steps are marked, and the journal
    /// may have an older baseline.
    private(set) var mayBeUnderWay = false
    /// The daemon has found it to be gone.
    private(set) var isGone = false
    /// How many reads and writes failed.
    private(set) var faults = 0
    /// How often it was found asleep.
    private(set) var sleeps = 0
    /// A person was quicker than a command that was on its way, and may be overwritten.
    private var isExcused = false
    private var expectsEcho = false
    /// What somebody sets right behind the next write, before the daemon reads it back.
    var handBehind: Int?
    /// Somebody has, and the daemon has not looked since.
    private var isOvertaken = false
    /// How many commands the batch has that the daemon took last.
    private var batch = 0
    private(set) var isAsleep = false
    /// Steps that somebody changed to a lower one. A dimmer may have saved them.
    private(set) var saved: Set<Int> = []
    /// Those of them that a dimmer may restore.
    private(set) var restorable: Set<Int> = []
    /// The baselines that may be lost with the daemon, oldest first. Only a panel that forgets needs them.
    private(set) var recent: [Expectation.Baseline]
    /// What it has learned, each time since all of it was last written.
    private(set) var lessons: [[ExpectedAutomatic.Lesson]] = [[]]
    private let log: @Sendable (() -> String) -> Void
    private let fault: @Sendable (String) -> Void

    init(
        _ index: Int,
        _ panel: ScriptedPanel,
        cap: Double,
        rounding: @escaping @Sendable (Int) -> Int,
        log: @escaping @Sendable (() -> String) -> Void,
        fault: @escaping @Sendable (String) -> Void
    ) {
        (self.index, self.panel, self.rounding, self.log, self.fault) = (index, panel, rounding, log, fault)
        let step = panel.step
        let range = panel.range
        expected = Expectation(minimum: range.minimum, maximum: range.maximum, cap: cap, showing: step)
        (known, own, highest, lowest, recent) = (step, [step], step, step, [expected.asked])
    }

    var rounds: Bool { rounding(33) != 33 }

    /// Steps this far from what the panel was told may be its own doing.
    var margin: Int { rounds ? 2 : 0 }

    /// Somebody has set it since the daemon looked.
    var isTouched: Bool { panel.step != known }

    // MARK: What the daemon does

    func read() throws(DeviceError) -> Int {
        let isEcho = expectsEcho
        expectsEcho = false
        if !isEcho { batch = pending.count { $0.isCommand } }
        do {
            let step = try panel.read()
            if !isEcho || isOvertaken { looked(at: step, isEcho: isEcho) }
            isOvertaken = false
            return step
        } catch {
            if case .asleep = error { sleeps += 1 } else { faults += 1 }
            wasInTrouble = true
            if !isEcho { isGone = true }
            log { "  \(panel.id) cannot be read" }
            throw error
        }
    }

    /// - Parameter isEcho: After a write: what the batch's commands asked for came before.
    private func looked(at step: Int, isEcho: Bool) {
        if isGone {
            isGone = false
        } else if step != known {
            log { "  \(panel.id) is found at \(step)" }
            let commands = pending.indices.filter { pending[$0].isCommand }
            let place = commands.dropFirst(isEcho ? batch : 0).first ?? pending.count
            var found = Entry(kind: .found(step, from: known, wins: true), at: 0, wall: 0, isEcho: isEcho)
            // A batch is carried out at the time of its newest command.
            let newest = commands.prefix(batch).map { pending[$0].at }.max() ?? otherAt
            found.times = newest...max(newest, otherAt)
            pending.insert(found, at: place)
            if step < known { saved.insert(known) }
            // A panel that rounds may have been raised by no more than that.
            if step < known, known > expected.baselineStep + margin { restorable.insert(known) }
        }
        (known, own, isExcused) = (step, own.union([step]), false)
        (highest, lowest) = (max(highest, known), min(lowest, known))
    }

    /// What the daemon found counts from now on.
    func settle(_ step: Int, from: Int?, wins: Bool, at times: ClosedRange<Int>) {
        expected.found(step, from: from, wins: wins, margin: margin, at: times)
        // What a dimmer restored is the daemon's when it has been put right.
        if !isTouched, step == expected.step || !expected.hasRestored { hand = .daemon }
    }

    func write(_ step: Int) throws(DeviceError) {
        if isTouched, hand == .person, panel.isCheapToRead, !isExcused, !isGone {
            fault("\(panel.id): written without a look at what a person did")
        }
        (highest, lowest) = (max(highest, step), min(lowest, step))
        let before = panel.step
        do {
            try panel.write(step)
            own = [step]
            isGone = false
            expectsEcho = panel.isCheapToRead
            taken()
            log { "  \(panel.id) is told \(step)" }
            overtake(step)
        } catch .asleep {
            (wasInTrouble, isGone) = (true, true)
            log { "  \(panel.id) is told \(step), and sleeps" }
            throw .asleep(path: "/test")
        } catch {
            faults += 1
            wasInTrouble = true
            own.insert(step)
            if case .absent = error { isGone = true }
            // What a person happened to set it to just before cannot be told from that.
            if case .io = error, abs(panel.step - step) <= margin { taken() }
            if panel.step != before { taken() }
            log { "  \(panel.id) is told \(step), fails, and shows \(panel.step)" }
            throw error
        }
    }

    /// Somebody was waiting for this write.
    private func overtake(_ step: Int) {
        guard let hand = handBehind else { return }
        handBehind = nil
        // What the panel may make of the step itself is nobody's.
        guard abs(hand - step) > margin, hand != known, !isSaved(hand) else { return }
        log { "  \(panel.id): somebody sets \(hand) right behind that" }
        for index in pending.indices { pending[index].mustHold = false }
        set(hand, by: .person, isExcused: false)
        isOvertaken = true
    }

    /// The daemon asks whether more may be asked of it, and no more may be.
    func refuseDemand() {
        faults += 1
        log { "  \(panel.id) is worn" }
    }

    private func taken() {
        known = panel.step
        own.insert(known)
        (hand, isExcused) = (.daemon, false)
    }

    // MARK: What others do

    /// Whether the daemon cannot tell a person who sets this step from a dimmer that restores it: where the panel rounds.
    func isSaved(_ step: Int) -> Bool { rounds && saved.contains { abs($0 - step) <= 3 } }

    func sleep() {
        isAsleep = true
        panel.failReads(.asleep(path: "/test", step: panel.step), times: .max)
        panel.failWrites(.asleep(path: "/test"), times: .max)
    }

    func heal() {
        isAsleep = false
        panel.heal()
        panel.demandRefusal = nil
    }

    func set(_ step: Int, by hand: Hand, isExcused: Bool) {
        self.hand = self.hand == .person ? .person : hand
        if hand == .person, isFresh { isRebooted = true }
        panel.step = step
        self.isExcused = self.isExcused || isExcused
    }

    /// The machine starts, and firmware may do something to the panel.
    func boot(showing step: Int?) {
        (isRebooted, isFresh) = (hand == .person, true)
        if let step, !panel.isVolatile { set(step, by: .firmware, isExcused: true) }
    }

    /// A new run of the daemon has read it.
    func begin(inBoot boot: Int) {
        self.boot = boot
        possible.removeAll { $0.fraction != expected.baseline }
        known = panel.step
        recent = [expected.asked]
        past.append(Past(expected: expected, boot: boot))
        (highest, lowest) = (max(highest, known), min(lowest, known))
        own = [known]
        (isGone, isExcused, expectsEcho, isOvertaken) = (isAsleep, false, false, false)
        wasInTrouble = wasInTrouble || isAsleep
        (saved, restorable) = ([], [])
        arrival = nil
        (lateHolders, busySince, unrefused) = ([], nil, nil)
    }

    // MARK: On its way

    /// It may be on its way for so long.
    func move(for duration: Int, from now: Int) {
        guard duration > 0 else { return }
        // The last step may have to wait for a frame.
        arrival = max(arrival ?? 0, now + duration + 17)
        mark()
        mayBeUnderWay = true
    }

    /// Whether it may show a step on its way; to be asked when nothing waits.
    var isMoving: Bool {
        if let arrival, lastAt >= arrival { self.arrival = nil }
        return arrival != nil
    }

    // MARK: What is written down

    /// All that it is like is in the file.
    func isWritten() { past = [Past(expected: expected, boot: boot)] }

    /// Somebody asks for a boost: from now on it may be marked.
    func mark(upTo step: Int? = nil) {
        mayBeMarked = true
        highest = max(highest, step ?? highest)
    }

    /// The daemon has nothing to do.
    func rest(isWritten: Bool) {
        isFresh = false
        if isWritten, !expected.leases.isEmpty { recent = [expected.asked] }
    }

    /// All of the journal is written, and the panel shows the baseline.
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
        past.append(Past(expected: expected, boot: boot))
        if lessons.last != expected.automatic.lessons { lessons.append(expected.automatic.lessons) }
        // It is marked up to there before it goes.
        if mayBeMarked { (highest, lowest) = (max(highest, expected.step), min(lowest, expected.step)) }
    }

    /// The light may have set it.
    func rememberAsked() {
        if recent.last != expected.asked { recent.append(expected.asked) }
    }

    /// What it may have learned in an earlier run, and may have in the file.
    func mayHaveLearned(_ others: [[ExpectedAutomatic.Lesson]]) {
        lessons = (lessons + others).unique
    }

    /// What it has learned is in the file.
    func lessonsAreWritten() { lessons = expected.automatic.possibleLessons }
}
