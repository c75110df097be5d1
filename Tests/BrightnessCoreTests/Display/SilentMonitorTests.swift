// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A monitor that the daemon has switched off and that does not answer: it is switched on without being read.
@Suite(.timeLimit(.minutes(10)))
struct SilentMonitorTests {
    private let keeper = KeptRecords()
    private let monitor = ScriptedPanel(
        .left,
        kind: .ddc,
        range: BrightnessRange(maximum: 1_000)!,
        step: 700,
        isCheapToRead: false,
        keepsStepWithoutPower: true,
        isSwitchable: true,
        switchInterval: .seconds(2),
        canReadPower: false
    )

    private func record(leases: [Lease] = []) -> DisplayRecord {
        var record = DisplayRecord.of(leases: leases)
        record.mayBeDark = true
        return record
    }

    /// Starts after a run that has left the monitor dark. It does not answer.
    private func start(from record: DisplayRecord) throws -> DisplayService {
        monitor.isOn = false
        monitor.failReads(.asleep(path: "ddc:left", step: 400), times: .max)
        return try start(earlier: [.left: RecoveredRecord(record, isOfThisBoot: true)])
    }

    private func start(earlier: [DisplayID: RecoveredRecord] = [:]) throws -> DisplayService {
        try DisplayService(
            [DisplayService.PanelRegistration(monitor, on: ImmediateQueue())],
            .init(journal: keeper, earlier: earlier),
            poster: NotificationHub().poster,
            at: .start
        )
    }

    private func perform(_ action: Command.Action, on service: DisplayService, at seconds: Int) {
        service.submit(Command(action), to: .left, at: .after(.seconds(seconds))) { _ in }
    }

    @Test func `a start switches it on at once, and sets its brightness when it answers`() throws {
        let service = try start(from: record())
        #expect((monitor.switches, monitor.reads) == ([true], 1))
        #expect(service.state(of: .left)?.isAvailable == false)
        perform(.tick, on: service, at: 1)
        #expect(monitor.reads == 1)
        monitor.heal()
        perform(.tick, on: service, at: 2)
        #expect((monitor.step, monitor.switches) == (400, [true]))
        #expect(service.state(of: .left)?.isAvailable == true)
        #expect(keeper.last?.needsRestore == false)
    }

    @Test func `a switch that fails at the start is tried again`() throws {
        monitor.failSwitches(.absent(path: "ddc:left"), times: 2)
        let service = try start(from: record())
        for second in [1, 3, 7] { perform(.tick, on: service, at: second) }
        #expect(monitor.switches == [true, true, true])
        #expect(monitor.isOn)
    }

    @Test func `a sleep that goes on leaves it alone, and its end switches it on`() throws {
        let sleep = Lease.of("a", .sleep)
        let service = try start(from: record(leases: [sleep]))
        #expect(service.state(of: .left)?.power.isOn == false)
        #expect(service.state(of: .left)?.isAvailable == true)
        perform(.refresh(), on: service, at: 5)
        #expect((monitor.switches, monitor.reads) == ([], 1))
        monitor.heal()
        perform(.restoreAll(), on: service, at: 6)
        #expect(monitor.switches == [true])
        perform(.tick, on: service, at: 8)
        #expect(monitor.step == 400)
    }

    @Test func `it is not read while it is off, and a failed switch is tried again without a read`() throws {
        let service = try start()
        perform(.grant(LeaseRequest(.sleep, ttl: .seconds(60), holder: "night")), on: service, at: 0)
        #expect(monitor.switches == [false])
        let reads = monitor.reads
        monitor.failReads(.absent(path: "ddc:left"), times: .max)
        monitor.failSwitches(.absent(path: "ddc:left"), times: 2)
        perform(.tick, on: service, at: 60)
        #expect(service.state(of: .left)?.isAvailable == false)
        for second in [61, 63] { perform(.tick, on: service, at: second) }
        #expect(monitor.switches == [false, true, true, true])
        #expect(monitor.reads == reads)
        monitor.heal()
        perform(.tick, on: service, at: 65)
        #expect(service.state(of: .left)?.isAvailable == true)
    }

    @Test func `a failed switch that is no longer needed leaves no try behind`() throws {
        let service = try start()
        perform(.grant(LeaseRequest(.sleep, ttl: .seconds(60), holder: "night")), on: service, at: 0)
        monitor.failSwitches(.absent(path: "ddc:left"), times: 1)
        perform(.tick, on: service, at: 60)
        perform(.grant(LeaseRequest(.sleep, ttl: .seconds(60), holder: "night")), on: service, at: 61)
        perform(.tick, on: service, at: 62)
        #expect(service.state(of: .left)?.isAvailable == true)
        #expect(monitor.switches == [false, true])
    }

    @Test(arguments: [Command.Action.restoreAll(), .grant(LeaseRequest(.wake, ttl: .seconds(60), holder: "a"))])
    func `the last command and a wake switch on one that is gone`(action: Command.Action) throws {
        monitor.failSwitches(.absent(path: "ddc:left"), times: 1)
        let service = try start(from: record())
        perform(action, on: service, at: 0)
        #expect(monitor.switches == [true, true])
        #expect(monitor.reads == 1)
    }
}
