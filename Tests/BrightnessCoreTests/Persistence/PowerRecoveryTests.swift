// SPDX-License-Identifier: Apache-2.0
import Synchronization
import TestSupport
import Testing

@testable import BrightnessCore

/// The power of a panel after a crash: no panel stays dark unless people asked for that.
@Suite struct PowerRecoveryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var baseline = true
        var mayBeDark = false
        var leases: [Lease] = []
        /// The panel's state at the start; `nil` if it cannot be read.
        var found: Bool?
        var isOn: Bool
        var switches: [Bool] = []
    }

    @Test(arguments: [
        Case(testDescription: "on", found: true, isOn: true),
        Case(testDescription: "blanked by others", found: false, isOn: false),
        Case(testDescription: "off by a sleep that ended", mayBeDark: true, found: false, isOn: true, switches: [true]),
        Case(
            testDescription: "off by a sleep that goes on",
            mayBeDark: true,
            leases: [.of("a", .sleep)],
            found: false,
            isOn: false
        ),
        Case(
            testDescription: "killed before the switch",
            mayBeDark: true,
            leases: [.of("a", .sleep)],
            found: true,
            isOn: false,
            switches: [false]
        ),
        Case(testDescription: "off by a command", baseline: false, mayBeDark: true, found: false, isOn: false),
        Case(
            testDescription: "off by a command, on by firmware",
            baseline: false,
            mayBeDark: true,
            found: true,
            isOn: false,
            switches: [false]
        ),
        Case(
            testDescription: "a wake goes on",
            baseline: false,
            mayBeDark: true,
            leases: [.of("a", .wake)],
            found: false,
            isOn: true,
            switches: [true]
        ),
        Case(testDescription: "a monitor that was never switched", isOn: true),
        Case(testDescription: "a monitor that was off by a sleep", mayBeDark: true, isOn: true, switches: [true]),
        Case(
            testDescription: "a monitor that was off by a command",
            baseline: false,
            mayBeDark: true,
            isOn: false,
            switches: [false]
        ),
    ])
    func `a start restores the power, and a second start changes nothing`(example: Case) throws {
        let panel = ScriptedPanel(
            .left,
            range: BrightnessRange(maximum: 1_000)!,
            step: 400,
            isSwitchable: true,
            canReadPower: example.found != nil
        )
        panel.isOn = example.found ?? !example.mayBeDark
        var record = DisplayRecord.of(leases: example.leases)
        (record.powerBaseline, record.mayBeDark) = (example.baseline, example.mayBeDark)
        let keeper = KeptRecords()
        for isFirst in [true, false] {
            let service = try DisplayService(
                [DisplayService.PanelRegistration(panel, on: ImmediateQueue())],
                .init(journal: keeper, earlier: [.left: RecoveredRecord(record, isOfThisBoot: true)]),
                poster: NotificationHub().poster,
                at: .start
            )
            #expect(panel.isOn == example.isOn)
            #expect(service.state(of: .left)?.power.baseline == example.baseline)
            if isFirst { #expect(panel.switches == example.switches) }
            record = keeper.last ?? record
        }
        // Whatever ends it, a lease leaves nothing dark.
        let service = try DisplayService(
            [DisplayService.PanelRegistration(panel, on: ImmediateQueue())],
            .init(journal: keeper, earlier: [.left: RecoveredRecord(record, isOfThisBoot: true)]),
            poster: NotificationHub().poster,
            at: .after(.seconds(61))
        )
        let isBlanked = example.found == false && !example.mayBeDark
        #expect(service.state(of: .left)?.power.isOn == (example.baseline && !isBlanked))
    }
}

/// A start after a crash, for a panel whose power others may have switched, and for one that is off.
@Suite struct DarkRecoveryTests {
    private let keeper = KeptRecords()
    private let panel = ScriptedPanel(
        .left,
        range: BrightnessRange(maximum: 1_000)!,
        step: 400,
        isSwitchable: true
    )

    private let queue = ManualQueue()

    /// Carries the actions out in one batch.
    private func perform(_ actions: Command.Action..., on service: DisplayService) {
        for action in actions { service.submit(Command(action), to: .left, at: .start) { _ in } }
        queue.runAll()
    }

    private func start(isOfThisBoot: Bool = true, from record: DisplayRecord? = nil) throws -> DisplayService {
        let service = try open(panel, isOfThisBoot: isOfThisBoot, from: record)
        queue.runAll()
        return service
    }

    /// A service that has read the panel and has executed nothing.
    private func open(
        _ panel: ScriptedPanel,
        isOfThisBoot: Bool = true,
        from record: DisplayRecord? = nil
    ) throws -> DisplayService {
        let record = try #require(record ?? keeper.last)
        return try DisplayService(
            [DisplayService.PanelRegistration(panel, on: queue)],
            .init(journal: keeper, earlier: [.left: RecoveredRecord(record, isOfThisBoot: isOfThisBoot)]),
            poster: NotificationHub().poster,
            at: .start
        )
    }

    @Test(arguments: [true, false])
    func `a run that cannot switch a backlight keeps its mark`(isPaid: Bool) throws {
        perform(.lease(.sleep, by: "a"), on: try start(from: .of()))
        #expect(!panel.isOn)
        panel.isSwitchable = false
        if !isPaid { panel.failSwitches(.permission(path: "/test/bl_power")) }
        let second = try start()
        perform(.restoreAll(), on: second)
        #expect(panel.isOn == isPaid)
        #expect(second.state(of: .left)?.power.isOn == isPaid)
        #expect(keeper.last?.mayBeDark == !isPaid)
        panel.isSwitchable = true
        #expect(try start().state(of: .left)?.power.isOn == true)
        #expect(panel.isOn)
    }

    @Test func `a wake goes on over two starts that cannot switch a panel that the firmware left dark`() throws {
        (panel.isOn, panel.isSwitchable) = (false, false)
        let second = try start(isOfThisBoot: false, from: .of(leases: [.of("a", .wake)]))
        #expect(second.state(of: .left)?.wake?.isOverridden == false)
        #expect(keeper.last?.mayBeDark == true)
        #expect(try start().state(of: .left)?.wake?.isOverridden == false)
        panel.isSwitchable = true
        #expect(try start().state(of: .left)?.wake?.isOverridden == false)
        #expect(panel.isOn)
    }

    @Test func `a panel that the firmware left dark under a wake has a mark until it is lit`() {
        let model = DisplayModel(
            panel,
            showing: 400,
            isOn: false,
            goingOnFrom: RecoveredRecord(.of(leases: [.of("a", .wake)]), isOfThisBoot: false),
            at: .start
        )
        #expect(model.power.target(model.leases.effect) && model.record.mayBeDark)
    }

    @Test func `a panel that others switch off in a run that cannot switch it has no mark`() throws {
        panel.isSwitchable = false
        let service = try start(from: .of())
        panel.isOn = false
        perform(.refresh(), .lease(.boost, by: "a"), on: service)
        #expect(keeper.last?.mayBeDark == false)
    }

    @Test func `a monitor that was off by a command is lit by a run that cannot switch it, and the wish is kept`()
        throws
    {
        let monitor = Self.monitor()
        var record = DisplayRecord.of()
        (record.powerBaseline, record.mayBeDark) = (false, true)
        (monitor.isOn, monitor.isSwitchable) = (false, false)
        let service = try open(monitor, from: record)
        queue.runAll()
        #expect(monitor.switches == [true])
        // It can be neither switched nor read.
        #expect(service.state(of: .left)?.power == .unknown)
        #expect(keeper.last == nil)
        monitor.isSwitchable = true
        let third = try open(monitor, from: record)
        queue.runAll()
        #expect(third.state(of: .left)?.power.baseline == false)
        #expect(!monitor.isOn)
    }

    @Test(arguments: [Command.Action.setPower(true), .lease(.wake, by: "a")])
    func `a monitor that only counts as on is switched on once when somebody asks for that`(
        action: Command.Action
    ) throws {
        let monitor = Self.monitor()
        monitor.isOn = false
        let service = try open(monitor, from: .of())
        queue.runAll()
        #expect(service.state(of: .left)?.power.isOn == true)
        #expect(monitor.switches == [])
        perform(action, on: service)
        #expect(monitor.switches == [true])
        for seconds in [10, 20] {
            service.submit(Command(action), to: .left, at: .after(.seconds(Double(seconds)))) { _ in }
            queue.runAll()
        }
        #expect(monitor.switches == [true])
    }

    @Test func `a monitor that was switched on for a command that failed afterwards is not switched on again`() throws {
        let monitor = Self.monitor(switchInterval: .zero)
        monitor.isOn = false
        let service = try open(monitor, from: .of())
        queue.runAll()
        monitor.failWrites(.io(path: "/test", errno: 5), times: 2)
        var command = Command(.setPower(true))
        command.followers = [.set(.fraction(.at(0.7)))]
        for seconds in [10, 20] {
            service.submit(command, to: .left, at: .after(.seconds(Double(seconds)))) { _ in }
            queue.runAll()
        }
        #expect(monitor.switches == [true])
        #expect(monitor.step == 700)
    }

    private static func monitor(switchInterval: Duration = .seconds(2)) -> ScriptedPanel {
        ScriptedPanel(
            .left,
            range: BrightnessRange(maximum: 1_000)!,
            step: 400,
            isCheapToRead: false,
            writesOnce: true,
            isSwitchable: true,
            switchInterval: switchInterval,
            canReadPower: false
        )
    }

    @Test func `a baseline that was set together with the power is shown after a crash`() throws {
        perform(.setPower(false), .set(0.7), on: try start(from: .of()))
        let next = try start()
        #expect(next.state(of: .left)?.baseline == .at(0.7))
        perform(.setPower(true), on: next)
        #expect(panel.step == 700)
    }

    @Test(arguments: [true, false])
    func `a baseline that was set in the dark is shown after a crash`(isLeased: Bool) throws {
        let service = try start(from: .of())
        perform(isLeased ? .lease(.sleep, by: "a") : .setPower(false), on: service)
        perform(.set(0.7), on: service)
        let next = try start()
        #expect(next.state(of: .left)?.baseline == .at(0.7))
        #expect(panel.step == 400)
        perform(.restoreAll(), .setPower(true), on: next)
        #expect(panel.step == 700)
    }

    @Test func `a baseline that waits for a monitor that is being switched on is shown after a crash`() throws {
        let monitor = Self.monitor()
        var record = DisplayRecord.of()
        (record.baseline, record.baselineStep, record.mayBeDark) = (.at(0.4), 400, true)
        perform(.set(0.7), on: try open(monitor, from: record))
        #expect(monitor.switches == [true])
        #expect(monitor.writes == [])
        #expect(try open(monitor).state(of: .left)?.baseline == .at(0.7))
    }

    @Test(arguments: [true, false])
    func `a panel that others switched off overrides its wakes, unless the machine was restarted`(
        isOfThisBoot: Bool
    ) throws {
        panel.isOn = false
        let service = try start(isOfThisBoot: isOfThisBoot, from: .of(leases: [.of("a", .wake)]))
        let state = try #require(service.state(of: .left))
        #expect(panel.isOn == !isOfThisBoot)
        #expect(state.wake?.isOverridden == isOfThisBoot)
        #expect(state.power.isOn == !isOfThisBoot)
    }

    @Test(arguments: [true, false])
    func `a panel that others switched on stays on, unless the machine was restarted`(isOfThisBoot: Bool) throws {
        var record = DisplayRecord.of()
        record.powerBaseline = false
        _ = try start(isOfThisBoot: isOfThisBoot, from: record)
        #expect(panel.isOn == isOfThisBoot)
    }

    @Test func `a panel that others switched off stays off after a crash, though a rejected command switched it on`()
        throws
    {
        let service = try start(from: .of())
        panel.isOn = false
        perform(.refresh(), on: service)
        panel.failWrites(.refused)
        perform(.setPower(true), .set(0.7), on: service)
        service.tick(at: .after(.seconds(1)))
        queue.runAll()
        #expect(panel.switches == [true, false])
        #expect(try start().state(of: .left)?.power.isOn == false)
    }

    @Test(
        arguments: [
            [.lease(.sleep, by: "a"), .restoreAll()],
            [.setPower(false), .setPower(true)],
            [.lease(.wake, by: "a")],
        ] as [[Command.Action]]
    )
    func `a panel that others switched off is lit after a crash before the switch that a command asked for`(
        actions: [Command.Action]
    ) throws {
        let service = try start(from: .of())
        panel.isOn = false
        perform(.refresh(), on: service)
        for action in actions.dropLast() { perform(action, on: service) }
        keeper.storesUntilCrash.store(0, ordering: .relaxed)
        perform(actions.last!, on: service)
        #expect(!panel.isOn)
        keeper.storesUntilCrash.store(.max, ordering: .relaxed)
        #expect(try start().state(of: .left)?.power.isOn == true)
    }

    @Test func `a panel that a rejected wake has lit is off after a crash, since nobody wants it on`() throws {
        var record = DisplayRecord.of()
        record.powerBaseline = false
        panel.isOn = false
        let service = try start(from: record)
        perform(.set(0.7), on: service)
        panel.failWrites(.io(path: "brightness", errno: 5))
        // The record of the wake is stored, then that of its rejection.
        keeper.storesUntilCrash.store(1, ordering: .relaxed)
        perform(.lease(.wake, by: "a"), on: service)
        #expect(panel.switches == [true])
        keeper.storesUntilCrash.store(.max, ordering: .relaxed)
        #expect(try start().state(of: .left)?.power.isOn == false)
    }

    @Test func `an earlier run's mark does not light a panel that others have switched off since`() throws {
        var record = DisplayRecord.of()
        record.mayBeDark = true
        let service = try open(panel, from: record)
        panel.isOn = false
        perform(.refresh(), on: service)
        #expect(try start(from: keeper.last ?? record).state(of: .left)?.power.isOn == false)
    }

    @Test func `a panel goes off when the wake that kept it on has ended during a crash`() throws {
        var record = DisplayRecord.of(leases: [.of("a", .wake)])
        record.powerBaseline = false
        let service = try start(from: record)
        #expect(panel.isOn)
        service.tick(at: .after(.seconds(61)))
        queue.runAll()
        #expect(!panel.isOn)
    }
}

/// A journal that stores each record at once.
final class KeptRecords: DisplayJournal {
    private let records = Collected<DisplayRecord>()
    /// The number of stored records after which the daemon crashes: it never continues.
    let storesUntilCrash = Atomic<Int>(.max)

    var last: DisplayRecord? { records.all.last }

    func keep(_ record: DisplayRecord, safeFrom danger: Danger, completion: @escaping @Sendable () -> Void) {
        records.append(record)
        if storesUntilCrash.subtract(1, ordering: .relaxed).oldValue > 0 { completion() }
    }

    func keepSoon(_ record: DisplayRecord) { records.append(record) }
}
