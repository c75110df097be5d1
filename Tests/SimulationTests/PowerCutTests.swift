// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore
@testable import Journal

/// A monitor, which keeps its brightness and its power mode when the machine loses power, and the real journal, of
/// which a power cut leaves what was synced. Random leases, commands, stops, kills and power cuts.
@Suite struct PowerCutTests {
    @Test(arguments: 0..<20)
    func `no power cut leaves a monitor dark or boosted`(tens: UInt64) throws {
        for seed in tens * 20..<tens * 20 + 20 {
            let machine = try PowerCutMachine(seed)
            for _ in 0..<30 { try machine.goOn() }
            try machine.finish()
        }
    }
}

private final class PowerCutMachine {
    private static let holders = ["a", "b"]

    private let seed: UInt64
    private let disk = ScriptedDisk()
    private let monitor = ScriptedPanel(
        DisplayID("left")!,
        range: BrightnessRange(maximum: 100)!,
        step: 30,
        isCheapToRead: false,
        writesOnce: true,
        keepsStepWithoutPower: true,
        isSwitchable: true,
        switchInterval: .seconds(2),
        canReadPower: false
    )
    private let panelQueue = ManualQueue()
    private let journalQueue = ManualQueue()
    private let hub = NotificationHub()
    private let clock = ManualClock()
    private var random: SplitMix
    private var boots = 0
    private var service: DisplayService?
    private var journal: JournalWriter?

    init(_ seed: UInt64) throws {
        self.seed = seed
        random = SplitMix(seed: seed)
        try start()
        // A small disk: the log is checkpointed often.
        runAll()
        if random.chance(70) { disk.capacity = disk.used + random.number(64...128) << 10 }
    }

    private var now: Moment { clock.moment }

    private func start() throws {
        let bootClock = BootClock(boot: "boot-\(boots)", origin: Instant(sinceBoot: .zero))
        let now: @Sendable () -> Moment = { [clock] in clock.moment }
        let journal = try JournalWriter(
            in: "/state",
            bootClock,
            on: journalQueue,
            disk: disk,
            poster: hub.poster,
            now: now
        )
        self.journal = journal
        service = try DisplayService(
            [DisplayService.PanelRegistration(monitor, on: panelQueue)],
            .init(journal: journal, earlier: journal.recovered),
            poster: hub.poster,
            at: now()
        )
    }

    private func runAll() { while panelQueue.runOne() || journalQueue.runOne() {} }

    private func runSome() {
        for _ in 0..<random.number(0...5) {
            if random.chance(50) { panelQueue.runOne() } else { journalQueue.runOne() }
        }
    }

    private func submit(_ action: Command.Action) {
        service?.submit(Command(action), to: monitor.id, at: now) { _ in }
    }

    private func wait(_ duration: Duration) {
        clock.advance(by: duration)
        service?.tick(at: now)
    }

    func goOn() throws {
        wait(.milliseconds(random.number(0...3_000)))
        switch random.number(0...19) {
        case ..<3: submit(.setPower(random.chance(50)))
        case ..<10: submit(.grant(request))
        case ..<12: submit(.restore(holder: Self.holders[random.number(0...1)]))
        case ..<14: submit(.set(.fraction(Brightness(clamping: 0.2 + 0.2 * random.thousandths()))))
        case 14: submit(.restoreAll())
        case 15: journalQueue.enqueue { [journal] in journal?.write() }
        case 16: try restart(.killed)
        case 17: try restart(.stopped)
        default: try restart(.powerCut)
        }
        if random.chance(70) { runAll() } else { runSome() }
    }

    private var request: LeaseRequest {
        let kind = LeaseKind.allCases[random.number(0...3)]
        // No lease's brightness is one of a baseline.
        let fraction = kind == .dim ? 0.1 * random.thousandths() : 0.6 + 0.4 * random.thousandths()
        return LeaseRequest(
            kind,
            at: .fraction(Brightness(clamping: fraction)),
            ttl: .seconds(random.number(1...60)),
            holder: Self.holders[random.number(0...1)]
        )
    }

    // MARK: Ends

    private enum End { case killed, stopped, powerCut }

    private func restart(_ end: End) throws {
        if end == .stopped, let service {
            _ = service.refuseCommands()
            service.submitLast(Command(.restoreAll()), to: monitor.id, at: now) {}
            runAll()
            journal?.end {}
            runAll()
        }
        disk.kill()
        service?.withdraw(own: monitor.id)
        (service, journal) = (nil, nil)
        panelQueue.removeAll()
        journalQueue.removeAll()
        if end == .powerCut {
            disk.cutPower()
            boots += 1
        }
        try start()
    }

    /// Ends every lease. Then the monitor is as people asked for.
    func finish() throws {
        if random.chance(70) { try restart(random.chance(70) ? .powerCut : .killed) }
        runAll()
        for _ in 0..<4 {
            wait(.seconds(31))
            runAll()
        }
        let state = try #require(service?.state(of: monitor.id))
        #expect(state.isAvailable && state.brightness == state.baseline, "seed \(seed)")
        #expect(service?.leases(of: monitor.id)?.isEmpty == true, "seed \(seed)")
        #expect((0.19...0.41).contains(state.baseline.fraction), "seed \(seed)")
        #expect(monitor.isOn == state.power.baseline, "seed \(seed)")
        if monitor.isOn { #expect(monitor.step == state.step, "seed \(seed)") }
        service?.withdraw(own: monitor.id)
    }
}
