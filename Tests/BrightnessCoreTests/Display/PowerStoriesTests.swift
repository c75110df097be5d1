// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// Random sequences of leases of all kinds, power commands, failures and crashes at every effect.
@Suite struct PowerStoriesTests {
    @Test(arguments: 0..<400)
    func `no crash leaves a panel dark that people want on`(seed: UInt64) throws {
        let story = try PowerStory(seed)
        for _ in 0..<40 { try story.goOn() }
        try story.finish()
    }
}

/// The effects of one process on the journal and the panel, until it is killed.
private final class MortalProcess: DisplayJournal, Panel {
    private let device: ScriptedPanel
    private let fuse: Mutex<Int>
    private let records = Collected<DisplayRecord>()

    init(_ device: ScriptedPanel, killedAfter effects: Int) {
        self.device = device
        fuse = Mutex(effects)
    }

    var isDead: Bool { fuse.withLock { $0 <= 0 } }
    var last: DisplayRecord? { records.all.last }

    /// Counts an effect. Returns whether the process lives to cause it.
    private func burn() -> Bool {
        fuse.withLock { fuse in
            fuse -= 1
            return fuse > 0
        }
    }

    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        guard burn() else { return }
        records.append(record)
        completion()
    }

    func keepSoon(_ record: DisplayRecord) { if burn() { records.append(record) } }

    var id: DisplayID { device.id }
    var name: String { device.name }
    var kind: DisplayKind { device.kind }
    var range: BrightnessRange { device.range }
    var isCheapToRead: Bool { device.isCheapToRead }
    var isVolatile: Bool { false }
    var isSwitchable: Bool { true }
    var switchInterval: Duration { device.switchInterval }
    var changes: AsyncStream<Cause.Kind> { device.changes }

    func read() throws(DeviceError) -> Int { try device.read() }
    func readPower() -> Bool? { device.readPower() }
    func write(_ step: Int) throws(DeviceError) { if burn() { try device.write(step) } }
    func writePower(_ isOn: Bool) throws(DeviceError) { if burn() { try device.writePower(isOn) } }
}

private final class PowerStory {
    private static let holders = ["a", "b"]

    private let device: ScriptedPanel
    private var random: SplitMix
    private var now = Moment.start
    private var process: MortalProcess
    private var service: DisplayService
    /// The record at the start of the process.
    private var record: DisplayRecord?
    /// The power baselines that clients may have set: the confirmed one, and those without an answer.
    private var baselines: Set<Bool> = [true]

    init(_ seed: UInt64) throws {
        random = SplitMix(seed: seed)
        let isMonitor = random.number(0...1) == 0
        device = ScriptedPanel(
            .left,
            range: BrightnessRange(maximum: 100)!,
            step: 30,
            isCheapToRead: !isMonitor,
            isSwitchable: true,
            switchInterval: isMonitor ? .seconds(2) : .zero,
            canReadPower: !isMonitor
        )
        (process, service) = try Self.start(device, nil, killedAfter: .max, at: now)
    }

    private static func start(
        _ device: ScriptedPanel,
        _ record: DisplayRecord?,
        killedAfter effects: Int,
        at now: Moment
    ) throws -> (MortalProcess, DisplayService) {
        let process = MortalProcess(device, killedAfter: effects)
        let earlier = record.map { [DisplayID.left: RecoveredRecord($0, isOfThisBoot: true)] } ?? [:]
        let service = try DisplayService(
            [DisplayService.PanelRegistration(process, on: ImmediateQueue())],
            .init(journal: process, earlier: earlier),
            poster: NotificationHub().poster,
            at: now
        )
        return (process, service)
    }

    func goOn() throws {
        now = now + .milliseconds(random.number(0...3) == 0 ? random.number(0...20_000) : random.number(0...1_500))
        service.tick(at: now)
        switch random.number(0...13) {
        case ..<2: setPower(random.number(0...1) == 0)
        case ..<8: submit(.grant(request))
        case ..<10: submit(.restore(holder: holder, kind: random.number(0...1) == 0 ? nil : .sleep))
        case 10: submit(.set(random.fraction()))
        case 11: device.failSwitches(.refused, times: random.number(1...2), takingPower: random.number(0...1) == 0)
        case 12: device.failWrites(.refused, times: 1)
        default: try restart(killedAfter: random.number(0...2) == 0 ? random.number(0...12) : .max)
        }
        if process.isDead { try restart(killedAfter: .max) }
        check()
    }

    private var holder: String { Self.holders[random.number(0...1)] }

    private var request: LeaseRequest {
        let kind = LeaseKind.allCases[random.number(0...3)]
        let fraction = Brightness.at(random.fraction())
        return LeaseRequest(kind, at: .fraction(fraction), ttl: .seconds(random.number(1...30)), holder: holder)
    }

    private func submit(_ action: Command.Action) { service.submit(Command(action), to: .left, at: now) { _ in } }

    private func setPower(_ isOn: Bool) {
        let answers = Collected<Bool>()
        service.submit(Command(.setPower(isOn)), to: .left, at: now) { result in
            if case .success = result { answers.append(true) } else { answers.append(false) }
        }
        switch answers.all.last {
        case _ where process.isDead, nil: baselines.insert(isOn)
        case true?: baselines = [isOn]
        case false?: break
        }
    }

    /// Ends the process, if it still lives, and starts another one.
    private func restart(killedAfter effects: Int) throws {
        record = process.last ?? record
        (process, service) = try Self.start(device, record, killedAfter: effects, at: now)
        if process.isDead { return try restart(killedAfter: .max) }
    }

    // MARK: Checks

    /// Checks a display without a pending switch or fault.
    private func check() {
        guard !process.isDead, let state = service.state(of: .left), let leases = service.leases(of: .left) else {
            return
        }
        #expect(baselines.contains(state.power.baseline))
        guard state.isAvailable, state.power.isOn == leases.effect.isOn(over: state.power.baseline) else { return }
        #expect(device.isOn == state.power.isOn)
        if device.isOn, device.switchInterval == .zero { #expect(device.step == state.step) }
    }

    /// Heals everything, and ends every lease.
    func finish() throws {
        device.heal()
        if random.number(0...1) == 0 { try restart(killedAfter: .max) }
        for _ in 0..<8 {
            now = now + .seconds(31)
            service.tick(at: now)
            if process.isDead { try restart(killedAfter: .max) }
        }
        if random.number(0...1) == 0 { try restart(killedAfter: .max) }
        let state = try #require(service.state(of: .left))
        #expect(state.isAvailable)
        #expect(service.leases(of: .left)?.isEmpty == true)
        #expect(baselines.contains(state.power.baseline))
        #expect(device.isOn == state.power.baseline)
        #expect(state.power.isOn == device.isOn)
        if device.isOn { #expect(device.step == state.step && state.brightness == state.baseline) }
    }
}
