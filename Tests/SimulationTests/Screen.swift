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
            /// The daemon looked, and found that a person had set the panel.
            case found(Int, wins: Bool)
            /// A holder came back, too late for its lease.
            case late(holder: String)
        }

        var kind: Kind
        var at: Int
        var wall: Int
        /// `faults` when it was asked.
        var faults = 0
        /// Nothing stands in its way.
        var mustHold = false
    }

    /// What a panel shows that forgets.
    static let firstStep = 60

    let index: Int
    let panel: ScriptedPanel
    let rounding: @Sendable (Int) -> Int
    var expected: Expectation
    /// What it may be as well, until the daemon has answered: more than one outcome fits what it began with.
    var alternatives: [Expectation] = []
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
    /// The daemon has found it to be gone.
    private(set) var isGone = false
    /// How many reads and writes failed.
    private(set) var faults = 0
    /// A person was quicker than a command that was on its way, and may be overwritten.
    private var isExcused = false
    private var expectsEcho = false
    /// The baselines that may be lost with the daemon, oldest first. Only a panel that forgets needs them.
    private(set) var recent: [Expectation.Baseline]
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

    /// Somebody has set it since the daemon looked.
    var isTouched: Bool { panel.step != known }

    // MARK: What the daemon does

    func read() throws(DeviceError) -> Int {
        let isEcho = expectsEcho
        expectsEcho = false
        do {
            let step = try panel.read()
            if !isEcho { looked(at: step) }
            return step
        } catch {
            faults += 1
            wasInTrouble = true
            if !isEcho { isGone = true }
            log { "  \(panel.id) cannot be read" }
            throw error
        }
    }

    private func looked(at step: Int) {
        if isGone {
            isGone = false
        } else if step != known {
            log { "  \(panel.id) is found at \(step)" }
            let place = pending.firstIndex { if case .command = $0.kind { true } else { false } } ?? pending.count
            pending.insert(Entry(kind: .found(step, wins: true), at: 0, wall: 0), at: place)
        }
        (known, own, isExcused) = (step, own.union([step]), false)
        (highest, lowest) = (max(highest, known), min(lowest, known))
    }

    /// What the daemon found counts from now on.
    func settle(_ step: Int, wins: Bool) {
        expected.found(step, wins: wins)
        if !isTouched { hand = .daemon }
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
        } catch {
            faults += 1
            wasInTrouble = true
            own.insert(step)
            if case .absent = error { isGone = true }
            // What a person happened to set it to just before cannot be told from that.
            if case .io = error, abs(panel.step - step) <= 2 { taken() }
            if panel.step != before { taken() }
            log { "  \(panel.id) is told \(step), fails, and shows \(panel.step)" }
            throw error
        }
    }

    private func taken() {
        known = panel.step
        own.insert(known)
        (hand, isExcused) = (.daemon, false)
    }

    // MARK: What others do

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
    func begin() {
        possible.removeAll { $0.fraction != expected.baseline }
        known = panel.step
        recent = [expected.asked]
        (highest, lowest) = (max(highest, known), min(lowest, known))
        own = [known]
        (isGone, isExcused, expectsEcho) = (false, false, false)
        arrival = nil
        (lateHolders, busySince) = ([], nil)
    }

    // MARK: On its way

    /// It may be on its way for so long.
    func move(for duration: Int, from now: Int) {
        guard duration > 0 else { return }
        // The last step may have to wait for a frame.
        arrival = max(arrival ?? 0, now + duration + 17)
        mark()
    }

    /// Whether it may show a step on its way; to be asked when nothing waits.
    var isMoving: Bool {
        if let arrival, lastAt >= arrival { self.arrival = nil }
        return arrival != nil
    }

    // MARK: What is written down

    /// Somebody asks for a boost: from now on it may be marked.
    func mark(upTo step: Int? = nil) {
        mayBeMarked = true
        highest = max(highest, step ?? highest)
    }

    /// The daemon has nothing to do.
    func rest() {
        isFresh = false
        if !expected.leases.isEmpty { recent = [expected.asked] }
    }

    /// All of the journal is written, and the panel shows the baseline.
    func unmark() {
        mayBeMarked = false
        (highest, lowest) = (expected.baselineStep, expected.baselineStep)
        hand = .daemon
        recent = [expected.asked]
    }

    func remember(_ refused: Expectation? = nil) {
        if let refused { recent.append(refused.asked) }
        if recent.last != expected.asked { recent.append(expected.asked) }
    }
}
