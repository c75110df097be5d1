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
            cap: .full,
            goingOnFrom: RecoveredRecord(record, isOfThisBoot: example.isOfThisBoot),
            at: .start
        )
    }
}
