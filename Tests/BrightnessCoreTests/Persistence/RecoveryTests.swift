// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The initial state of a display, by an earlier run's record and the panel's step.
@Suite struct RecoveryTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var record = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [.of("a")])
        var isVolatile = false
        var isOfThisBoot = true
        var showing: Int
        var baseline: Int
        var target: Int
        var isOverridden = false
    }

    @Test(arguments: [
        Case(testDescription: "raised, and the lease goes on", showing: 1_000, baseline: 400, target: 1_000),
        Case(testDescription: "on its way up", showing: 400, baseline: 400, target: 1_000),
        Case(
            testDescription: "raised, without a lease",
            record: .of(floor: 400, ceiling: 1_000),
            showing: 1_000,
            baseline: 400,
            target: 400
        ),
        Case(testDescription: "a person was here", showing: 200, baseline: 200, target: 200, isOverridden: true),
        Case(
            testDescription: "changed by a person, without a lease",
            record: .of(floor: 400, ceiling: 1_000),
            showing: 200,
            baseline: 200,
            target: 200
        ),
        Case(
            testDescription: "firmware was here",
            isOfThisBoot: false,
            showing: 200,
            baseline: 400,
            target: 1_000
        ),
        Case(
            testDescription: "a set that did not reach the panel, under a lease without effect",
            record: .of(baselineStep: 1_000, floor: 200, ceiling: 1_000, leases: [.of("a")]),
            showing: 200,
            baseline: 1_000,
            target: 1_000
        ),
        Case(testDescription: "never boosted", record: .of(), showing: 700, baseline: 700, target: 700),
        Case(
            testDescription: "never boosted, and forgets",
            record: .of(),
            isVolatile: true,
            showing: 700,
            baseline: 400,
            target: 400
        ),
        Case(
            testDescription: "overridden before",
            record: .of(leases: [.of("a", isOverridden: true)]),
            showing: 400,
            baseline: 400,
            target: 400,
            isOverridden: true
        ),
    ])
    func `a start restores the panel, and a second start changes nothing`(example: Case) {
        let first = start(example, from: example.record, showing: example.showing)
        #expect(first.baseline == Brightness(clamping: Double(example.baseline) / 1_000))
        #expect(
            (first.target, first.leases.effect == LeaseEffect() && !first.leases.isEmpty) == (
                example.target, example.isOverridden
            )
        )

        let second = start(example, from: first.record, showing: example.showing)
        #expect((second.baseline, second.target) == (first.baseline, first.target))
        #expect(second.leases.all == first.leases.all)
    }

    private func start(_ example: Case, from record: DisplayRecord, showing step: Int) -> DisplayModel {
        DisplayModel(
            ScriptedPanel(
                .left,
                range: BrightnessRange(maximum: 1_000)!,
                step: step,
                isVolatile: example.isVolatile
            ),
            showing: step,
            goingOnFrom: RecoveredRecord(record, isOfThisBoot: example.isOfThisBoot),
            at: .start
        )
    }
}

/// A start after a restart of the machine: the firmware or the system has set the panel.
@Suite struct BootRecoveryTests {
    private let keeper = KeptRecords()
    private let panel = ScriptedPanel(.left, range: BrightnessRange(maximum: 1_000)!, step: 1_000)

    private func start(
        from record: DisplayRecord = .of(baselineStep: 300),
        isOfThisBoot: Bool = false,
        restores: Bool = true
    ) throws -> DisplayService {
        try DisplayService(
            [DisplayService.PanelRegistration(panel, on: ImmediateQueue())],
            .init(
                restoresAtBoot: restores,
                journal: keeper,
                earlier: [.left: RecoveredRecord(record, isOfThisBoot: isOfThisBoot)]
            ),
            poster: NotificationHub().poster,
            at: .start
        )
    }

    @Test(arguments: [(false, true, 300), (false, false, 1_000), (true, true, 1_000)])
    func `the recorded baseline is in force after a boot, unless an option keeps the panel`(
        isOfThisBoot: Bool,
        restores: Bool,
        step: Int
    ) throws {
        let state = try #require(try start(isOfThisBoot: isOfThisBoot, restores: restores).state(of: .left))
        #expect((panel.step, state.baseline) == (step, Brightness(clamping: Double(step) / 1_000)))
        #expect(state.cause.kind == (step == 300 ? .recovered : .connected))
        #expect(keeper.last?.baselineStep == step)
    }

    @Test func `others who change the panel after the start win`() throws {
        let service = try start()
        panel.step = 700
        service.submit(Command(.refresh()), to: .left, at: .start) { _ in }
        #expect(service.state(of: .left)?.baseline == .at(0.7))
        #expect(panel.step == 700)
    }

    @Test func `a crash before the panel is written does not forget the baseline`() throws {
        panel.failWrites(.io(path: "left", errno: 5), times: .max)
        _ = try start()
        let record = try #require(keeper.last)
        panel.heal()
        _ = try start(from: record, isOfThisBoot: true)
        #expect(panel.step == 300)
    }

    @Test func `a boost from before goes on over the recorded baseline`() throws {
        let service = try start(from: .of(baselineStep: 300, leases: [.of("a")]))
        #expect(service.state(of: .left)?.baseline == .at(0.3))
        #expect(panel.step == 1_000)
    }
}
