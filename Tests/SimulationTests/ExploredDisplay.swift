// SPDX-License-Identifier: Apache-2.0
import TestSupport

@testable import BrightnessCore

/// One display, its panel, its record in the journal and the state that people expect, as one value. An event makes
/// another one.
///
/// A batch has the order of `DisplayWorker`: read, apply, store, switch, write, store. No device and no disk fails.
struct ExploredDisplay {
    enum Event: Hashable {
        /// A client.
        case set(Int), power(Bool), grant(LeaseKind, holder: String, step: Int?), restore(holder: String), restoreAll
        case preset(step: Int, isOn: Bool, isHeld: Bool)
        /// A person or a program at the panel, whether the daemon runs or not.
        case hand(Int), handPower(Bool)
        /// The daemon reads the panel; half the time of a lease passes; the journal writes what waits.
        case refresh, wait, flush
        /// The daemon stops and restores, or is killed; the machine restarts, and its firmware sets the panel.
        case stop, kill, boot, start
    }

    /// An interruption in the middle of a batch.
    enum Interruption: Hashable {
        /// It is killed after the record is stored, or between the switch and the write.
        case killedStored, killedSwitched
        /// Others set the panel right after the write.
        case hand(Int)
    }

    static let levels = [30, 70]
    static let holders = ["a", "b"]
    private static let ttl = 60_000
    /// Brighter than any level.
    private static let firmwareStep = 100

    static let events: [Event] =
        levels.map { .set($0) } + [.power(true), .power(false)]
        + holders.flatMap { holder in
            [LeaseKind.boost, .dim].flatMap { kind in levels.map { .grant(kind, holder: holder, step: $0) } }
                + [.grant(.wake, holder: holder, step: nil), .grant(.sleep, holder: holder, step: nil)]
                + [.restore(holder: holder)]
        }
        + [.restoreAll, .preset(step: 70, isOn: true, isHeld: true), .preset(step: 30, isOn: false, isHeld: true)]
        + [.preset(step: 30, isOn: true, isHeld: false)] + levels.map { .hand($0) }
        + [.handPower(true), .handPower(false), .refresh, .wait, .flush, .stop, .kill, .boot, .start]
    static let interruptions: [Interruption?] = [nil, .killedStored, .killedSwitched] + levels.map { .hand($0) }

    /// A backlight that is read before each command, or a monitor; each with `--on-boot keep` and `restore`.
    static let first = [true, false].flatMap { isMonitor in
        [true, false].map { ExploredDisplay(isMonitor: isMonitor, restoresAtBoot: $0) }
    }

    private let panel: ScriptedPanel
    private let restoresAtBoot: Bool
    private var now = 0
    private var lastLease = 0
    private var step = 30
    private var isOn = true
    /// The state that the daemon has read or written last.
    private var known = (step: 30, isOn: true)
    private var file: DisplayRecord?
    /// Whether the machine was restarted since the daemon ran.
    private var isBooted = false
    /// Whether the daemon was killed before it had stored everything.
    private var isFileOld = false
    /// Whether it was killed between a record and the write.
    private var isUnwritten = false
    private var model: DisplayModel?
    private var policy = PersistencePolicy(goingOnFrom: nil)
    private var waiting: (record: DisplayRecord, isSafe: Bool)?
    private var expected: Expectation
    private(set) var violation: String?

    private init(isMonitor: Bool, restoresAtBoot: Bool) {
        panel = ScriptedPanel(
            DisplayID("left")!,
            kind: .simulated,
            range: BrightnessRange(minimum: 0, maximum: 100)!,
            step: step,
            isCheapToRead: !isMonitor,
            writesOnce: isMonitor,
            keepsStepWithoutPower: isMonitor,
            isSwitchable: true,
            canReadPower: !isMonitor
        )
        self.restoresAtBoot = restoresAtBoot
        expected = Expectation(minimum: 0, maximum: 100, cap: 1, showing: step, isSwitchable: true)
        start()
    }

    private var moment: Moment { .after(.milliseconds(now)) }
    private var isMonitor: Bool { !panel.isCheapToRead }

    private mutating func violate(_ text: String) { violation = violation ?? text }

    // MARK: Events

    /// The display after an event; `nil` if it cannot happen now, or is not interrupted so.
    func after(_ event: Event, _ interruption: Interruption?) -> ExploredDisplay? {
        var next = self
        return next.happens(event, interruption) ? next : nil
    }

    private mutating func happens(_ event: Event, _ interruption: Interruption?) -> Bool {
        if let command = command(event) {
            return model != nil && execute(command, interruption)
        }
        guard interruption == nil || event == .start || event == .wait else { return false }
        switch event {
        case .hand(let step):
            // A monitor that is off takes nothing.
            guard step != self.step, isOn || !isMonitor else { return false }
            self.step = step
        case .handPower(let isOn):
            guard isOn != self.isOn, !isMonitor else { return false }
            self.isOn = isOn
        case .wait:
            now += Self.ttl / 2
            let isDue = model?.nextDeadline.map { $0 <= moment.instant } ?? false
            return isDue ? execute(Command(.tick), interruption) : interruption == nil
        case .flush:
            guard let record = waiting?.record else { return false }
            flush()
            // A changed panel is changed back.
            let isPlain = expected.leases.isEmpty && expected.isOn && expected.power.baseline
            if isPlain, step == known.step, isOn, record.needsRestore { violate("the journal marks it for ever") }
        case .kill:
            guard model != nil else { return false }
            kill()
        case .boot:
            guard model == nil, !isBooted else { return false }
            isBooted = true
            if !isMonitor { (step, isOn) = (Self.firmwareStep, true) }
        case .start:
            return model == nil && start(interruption)
        default:
            return false
        }
        return true
    }

    private func command(_ event: Event) -> Command? {
        func brightness(_ step: Int) -> Brightness { Brightness(clamping: Double(step) / 100) }
        func by(_ holder: String, _ action: Command.Action) -> Command {
            Command(action, requester: Requester(Principal(holder), isAdmin: false))
        }
        let ttl = Duration.milliseconds(Self.ttl)
        return switch event {
        case .set(let step): by("a", .set(.fraction(brightness(step))))
        case .power(let isOn): by("a", .setPower(isOn))
        case .grant(let kind, let holder, let step):
            by(holder, .grant(LeaseRequest(kind, at: step.map { .fraction(brightness($0)) }, ttl: ttl, holder: holder)))
        case .restore(let holder): by(holder, .restore(holder: holder))
        case .restoreAll: Command(.restoreAll(), requester: Requester(.daemon, isAdmin: true))
        case .preset(let step, let isOn, let isHeld):
            by(
                "a",
                .apply(
                    PresetRequest(
                        .value(PresetValue(brightness: brightness(step), isOn: isOn)!),
                        terms: isHeld ? .init(ttl: ttl, holder: "a") : nil
                    )
                )
            )
        case .refresh: Command(.refresh())
        case .stop: Command(.restoreAll(keepsOverridden: true), transition: .zero)
        default: nil
        }
    }

    // MARK: The daemon

    private mutating func execute(_ command: Command, _ interruption: Interruption?) -> Bool {
        guard var model else { return false }
        read(&model, isAsked: command.refreshCause != nil)
        apply(command, to: &model)
        guard let isAlive = bring(&model, interruption) else { return false }
        guard isAlive else { return true }
        store(model, isBeforeWrite: false)
        self.model = model
        compare(model)
        guard case .restoreAll(nil, keepsOverridden: true) = command.action else { return true }
        // A dimmer that restores right after the last write returns a lease.
        if interruption == nil, expected.isLeased { violate("leases are in force after the stop") }
        flush()
        kill()
        return true
    }

    private mutating func read(_ model: inout DisplayModel, isAsked: Bool) {
        guard !isMonitor || isAsked else { return }
        if isMonitor, model.power.isDark { return model.endFaultIfDone(at: moment) }
        if !isMonitor, isOn != known.isOn { expected.foundPower(isOn, at: now) }
        if step != known.step { expected.found(step, from: [known.step], wins: true, margin: 0, at: now) }
        model.observe(step, isOn: isMonitor ? nil : isOn, at: moment)
        known = (step, isOn)
    }

    private mutating func apply(_ command: Command, to model: inout DisplayModel) {
        _ = expected.expire(at: now)
        var granted: [LeaseKind: LeaseID] = [:]
        do throws(CommandError) {
            if model.isOverdue(at: moment.instant) { _ = try execute(Command(.tick), &model) }
            for event in try execute(command, &model) where event.change == .granted {
                granted[event.lease.kind] = event.lease.id
            }
        } catch {
            violate("\(words(command)) fails: \(error)")
        }
        let outcome = expected.apply(command.action, at: now, wall: now, present: [:], granting: granted)
        if case .done = outcome { return }
        violate("\(words(command)) is done, expected \(outcome)")
    }

    private mutating func execute(
        _ command: Command,
        _ model: inout DisplayModel
    ) throws(CommandError) -> [LeaseEvent] {
        var last = lastLease
        defer { lastLease = last }
        return try model.execute(
            command,
            leaseID: {
                last += 1
                return LeaseID("\(last)")
            },
            connectivity: { _, _ in .unknown },
            at: moment
        )
    }

    /// Stores the record, and brings the panel to the model's state.
    ///
    /// - Returns: Whether the daemon is alive after that; `nil` if it was not interrupted so.
    private mutating func bring(_ model: inout DisplayModel, _ interruption: Interruption?) -> Bool? {
        let isStored = store(model, isBeforeWrite: true)
        let isKeptLater = policy.submitted?.record != model.record
        if interruption == .killedStored {
            kill(isUnwritten: true)
            return isStored ? false : nil
        }
        let isSwitched = model.needsSwitch(at: moment.instant)
        if isSwitched {
            isOn = model.powerTarget
            known.isOn = isOn
            model.switched(to: isOn, at: moment)
        }
        let isWritten = model.needsWrite(at: moment.instant)
        if interruption == .killedSwitched {
            kill(isUnwritten: true)
            return isSwitched && isWritten ? false : nil
        }
        if isWritten {
            step = model.step(at: moment.instant)
            known.step = step
            if !isOn { violate("written while it is off") }
            model.wrote(step, readBack: isMonitor ? nil : step, at: moment)
        }
        guard case .hand(let hand)? = interruption else {
            if isKeptLater {
                store(model, isBeforeWrite: false)
                flush()
            }
            return true
        }
        guard isWritten, hand != step else { return nil }
        step = hand
        if isMonitor { return true }
        model.observe(hand, at: moment)
        expected.found(hand, from: [known.step], wins: true, margin: 0, at: now)
        known.step = hand
        return bring(&model, nil)
    }

    /// - Returns: Whether the record is in the file now.
    @discardableResult
    private mutating func store(_ model: DisplayModel, isBeforeWrite: Bool) -> Bool {
        let urgency = policy.accept(model.record, isBeforeWrite: isBeforeWrite && !isMonitor)
        switch urgency {
        case .none, .afterWrite: return false
        case .soon: waiting = (model.record, isSafe: false)
        case .beforeWrite, .beforeWriteForPowerCut:
            waiting = (model.record, isSafe: true)
            guard isBeforeWrite else { return false }
            flush()
            return true
        }
        return false
    }

    private mutating func flush() {
        guard let (record, isSafe) = waiting else { return }
        (file, waiting, isFileOld) = (record, nil, false)
        if isSafe { policy.markStored(record) }
    }

    private mutating func kill(isUnwritten: Bool = false) {
        self.isUnwritten = isUnwritten
        if waiting != nil { isFileOld = true }
        (model, waiting) = (nil, nil)
    }

    @discardableResult
    private mutating func start(_ interruption: Interruption? = nil) -> Bool {
        let earlier = file.map { RecoveredRecord($0, isOfThisBoot: !isBooted) }
        let new = DisplayModel(
            panel,
            showing: step,
            isOn: isMonitor ? nil : isOn,
            .init(restoresAtBoot: restoresAtBoot),
            goingOnFrom: earlier,
            at: moment
        )
        policy = PersistencePolicy(goingOnFrom: earlier)
        (model, waiting) = (new, nil)
        recover(new)
        (isBooted, isUnwritten) = (false, false)
        known = (step, isMonitor ? known.isOn : isOn)
        return earlier == nil ? interruption == nil : execute(Command(.tick, transition: .zero), interruption)
    }

    // MARK: Rules

    /// Adopts the state of a new run, which must be one of the possible ones.
    private mutating func recover(_ model: DisplayModel) {
        var base = expected
        base.forgetRun()
        _ = base.expire(at: now)
        var found = base
        found.found(step)
        var possible: [Expectation] = []
        if isBooted {
            // The firmware's step counts only if nothing else is known.
            if restoresAtBoot || base.isLeased || file?.needsRestore == true || step == base.baselineStep {
                possible.append(base)
            }
            if !restoresAtBoot || file == nil, !base.isLeased { possible.append(found) }
            if isFileOld, let file {
                base.takeOver(baseline: file.baseline.fraction)
                possible.append(base)
            }
        } else {
            // A baseline without a mark is read from the panel, which was not written yet.
            if isUnwritten, step == known.step { possible.append(found) }
            found.override(.brightness)
            // A step that the daemon may have set looks like its own.
            let isOwn = step == known.step || file?.explains(step, rounding: false) == true
            possible += (isOwn ? [base] : []) + (step == known.step ? [] : [found])
        }
        possible = possible.flatMap { world in
            powers(world).map { power in
                var world = world
                world.power = power
                world.adoptPower()
                return world
            }
        }
        let fitting = possible.filter { difference(model, $0) == nil }
        guard let first = fitting.first(where: { $0.power.outside == model.power.outside }) ?? fitting.first else {
            let differences = Set(possible.compactMap { difference(model, $0) })
            return violate("after the start at \(step): \(differences.sorted().joined(separator: ", or "))")
        }
        expected = first
    }

    /// The possible power of a new run.
    private func powers(_ world: Expectation) -> [ExpectedPower] {
        var same = world
        let isTouched = isOn != known.isOn || isBooted
        var powers = [world.power]
        for outside in [nil, isOn] as [Bool?] {
            same.power.outside = outside
            if same.isOn == world.isOn { powers.append(same.power) }
        }
        if isTouched, !isMonitor {
            var found = world.power
            found.found = isOn
            powers.append(found)
        }
        return powers
    }

    /// Compares the model, and a panel that nobody has touched, with the expected state.
    private mutating func compare(_ model: DisplayModel) {
        if let difference = difference(model, expected) { return violate(difference) }
        if model.fault != nil { violate("it is not available") }
        guard step == known.step, isOn == known.isOn else { return }
        if isOn != expected.isOn { violate("it is \(isOn ? "on" : "off")") }
        if isOn, step != expected.step { violate("it shows \(step), expected \(expected.step)") }
    }

    private func difference(_ model: DisplayModel, _ expected: Expectation) -> String? {
        if model.baseline.fraction != expected.baseline {
            return "baseline \(model.baseline.fraction), expected \(expected.baseline)"
        }
        if model.effective.fraction != expected.effective {
            return "brightness \(model.effective.fraction), expected \(expected.effective)"
        }
        if model.powerTarget != expected.isOn || model.power.baseline != expected.power.published {
            return "power \(model.powerTarget), baseline \(model.power.baseline), expected \(expected.isOn)"
        }
        let isSame =
            model.leases.all.count == expected.leases.count
            && model.leases.all.allSatisfy { lease in
                guard let wanted = expected.leases[lease.key] else { return false }
                return wanted.brightness == lease.brightness?.fraction && wanted.isOverridden == lease.isOverridden
                    && wanted.end == lease.end.map { milliseconds($0.instant - Moment.start.instant) }
            }
        return isSame ? nil : "\(model.leases.all.map { "\($0.key)" }), expected \(words(expected))"
    }

    // MARK: Identity

    /// The hash of everything that decides what can happen, with times relative to now. The holders may change places.
    var key: Int { min(key(["a", "b"]), key(["b", "a"])) }

    private func key(_ holders: [String]) -> Int {
        var hasher = Hasher()
        hasher.combine(ObjectIdentifier(panel))
        hasher.combine([step, known.step])
        hasher.combine([isOn, known.isOn, isBooted, isUnwritten, isFileOld, waiting?.isSafe ?? false])
        for record in [file, waiting?.record] { combine(record, holders, into: &hasher) }
        combine(expected.asked, into: &hasher)
        hasher.combine(expected.power)
        combine(expected.dimmed, holders, into: &hasher)
        guard let model else { return hasher.finalize() }
        for record in [policy.submitted?.record, policy.stored?.record] { combine(record, holders, into: &hasher) }
        let (power, shown) = (model.power, model.panelStep)
        hasher.combine([
            power.wantsOn, power.shown, power.outside, power.mayBeDark, power.isDarkAdopted, power.isUnsure,
            power.isAssumed, power.isLost, power.mustConfirmOn, power.isFirstDarkByOthers, model.showsForeignStep,
            shown.awaitsReadBack,
        ])
        hasher.combine([shown.step, shown.readBack, model.baselineStep])
        hasher.combine(model.baseline)
        combine(model.leases.all, holders, into: &hasher)
        if let point = model.restorePoint {
            hasher.combine(point.steps)
            hasher.combine([point.baselineStep])
            let places = model.leases.all.filter { point.overridden.contains($0.id) }.map { place(of: $0, holders) }
            hasher.combine(places.sorted())
        }
        return hasher.finalize()
    }

    private func place(of key: Expectation.Key, _ holders: [String]) -> Int {
        let name = key.holder ?? ""
        let holder = holders.firstIndex { name.hasSuffix($0) } ?? 2
        return (LeaseKind.allCases.firstIndex(of: key.kind)! * 3 + holder) * 2 + (key.isOfPreset ? 1 : 0)
    }

    private func place(of lease: Lease, _ holders: [String]) -> Int { place(of: lease.key, holders) }

    private func combine(_ leases: [Lease], _ holders: [String], into hasher: inout Hasher) {
        let facts = leases.map { lease in
            let left = lease.end.map { milliseconds($0.instant - moment.instant) } ?? -1
            let brightness = Int((lease.brightness?.fraction ?? 0) * 100)
            let place = place(of: lease, holders) * 2 + (lease.isOverridden ? 1 : 0)
            return (place * 128 + brightness) * 128 + left / 1_000
        }
        hasher.combine(facts.sorted())
    }

    private func combine(_ record: DisplayRecord?, _ holders: [String], into hasher: inout Hasher) {
        guard let record else { return hasher.combine(-1) }
        hasher.combine([record.baselineStep, record.floor, record.ceiling])
        hasher.combine([record.powerBaseline, record.mayBeDark])
        combine(record.leases, holders, into: &hasher)
    }

    private func combine(_ baseline: Expectation.Baseline, into hasher: inout Hasher) { hasher.combine(baseline) }

    private func combine(_ dimmed: Expectation.Dimmed?, _ holders: [String], into hasher: inout Hasher) {
        guard let dimmed else { return hasher.combine(false) }
        hasher.combine(dimmed.steps)
        hasher.combine(dimmed.asked)
        hasher.combine(dimmed.overridden.map { place(of: $0, holders) }.sorted())
    }
}

extension ExploredDisplay {
    /// The numbers of properties of what decides.
    var counts: [Int] {
        guard let model else { return [] }
        let parts: [Any] = [model, model.power, model.panelStep, policy, expected.power]
        return parts.map { Mirror(reflecting: $0).children.count }
    }
}
