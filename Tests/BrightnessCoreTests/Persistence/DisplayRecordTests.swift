// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

extension DisplayRecord {
    /// The record of `.left`, a panel of 1,000 steps with its baseline at step 400.
    static func of(
        baselineStep: Int = 400,
        floor: Int? = nil,
        ceiling: Int? = nil,
        leases: [Lease] = []
    ) -> DisplayRecord {
        DisplayRecord(
            id: .left,
            maximum: 1_000,
            baseline: Brightness(clamping: Double(baselineStep) / 1_000),
            baselineStep: baselineStep,
            floor: floor,
            ceiling: ceiling,
            leases: leases
        )
    }
}

@Suite struct DisplayRecordTests {
    @Test(arguments: [
        (DisplayRecord.of(floor: 400, ceiling: 1_000), 1_000, true),
        (.of(floor: 400, ceiling: 1_000), 400, true),
        (.of(floor: 400, ceiling: 1_000), 700, true),
        // Two of a hundred: some panels round.
        (.of(floor: 400, ceiling: 900), 920, true),
        (.of(floor: 400, ceiling: 900), 380, true),
        (.of(floor: 400, ceiling: 900), 921, false),
        (.of(floor: 400, ceiling: 900), 379, false),
        (.of(floor: 100, ceiling: 900), 100, true),
        (.of(), 400, true),
        (.of(), 700, false),
    ])
    func `a record explains the steps of a boost and no others`(record: DisplayRecord, step: Int, isOurs: Bool) {
        #expect(record.explains(step, rounding: true) == isOurs)
    }

    @Test(arguments: [(380, false), (399, false), (400, true), (900, true), (901, false)])
    func `a panel that does not round explains no step outside of the mark`(step: Int, isOurs: Bool) {
        #expect(DisplayRecord.of(floor: 400, ceiling: 900).explains(step, rounding: false) == isOurs)
    }

    @Test func `a panel whose steps changed gets the same brightness`() {
        let scaled = DisplayRecord.of(floor: 400, ceiling: 1_000).scaled(to: 255)
        #expect((scaled.maximum, scaled.baselineStep, scaled.floor, scaled.ceiling) == (255, 102, 102, 255))
        #expect(scaled.baseline == DisplayRecord.of().baseline)
    }
}

@Suite struct PersistencePolicyTests {
    private let lease = Lease.of("a")

    private func policy(_ earlier: DisplayRecord? = nil, isOfThisBoot: Bool = true) -> PersistencePolicy {
        PersistencePolicy(goingOnFrom: earlier.map { RecoveredRecord($0, isOfThisBoot: isOfThisBoot) })
    }

    @Test func `without a lease a new record is stored soon`() {
        var policy = policy()
        #expect(policy.accept(.of()) == .soon)
        #expect(policy.accept(.of()) == .none)
        #expect(policy.accept(.of(baselineStep: 700)) == .soon)
        var moved = DisplayRecord.of(baselineStep: 700)
        moved.device.address = "ddc:DP-1@5"
        #expect(policy.accept(moved) == .soon)
    }

    @Test func `a lease and the end of the last one are stored first`() {
        var policy = policy()
        let held = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [lease])
        #expect(policy.accept(held) == .beforeWrite)
        #expect(policy.accept(held) == .none)
        policy.markStored(held)
        #expect(policy.accept(.of(floor: 400, ceiling: 1_000)) == .beforeWrite)
    }

    @Test func `the end of a lease is stored after the write if the stored record has the same mark`() {
        let held = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [lease])
        let ended = DisplayRecord.of(floor: 400, ceiling: 1_000)
        var policy = policy()
        _ = policy.accept(held)
        var unstored = policy
        #expect(unstored.accept(ended, isBeforeWrite: true) == .beforeWrite)
        policy.markStored(held)
        #expect(policy.accept(ended, isBeforeWrite: true) == .afterWrite)
        #expect(policy.accept(.of(), isBeforeWrite: false) == .beforeWrite)
        policy.markStored(.of())
        // The mark of a boost is stored first.
        #expect(policy.accept(held, isBeforeWrite: true) == .beforeWrite)
        policy.markStored(held)
        #expect(policy.accept(.of(floor: 400, ceiling: 1_200), isBeforeWrite: true) == .beforeWrite)
    }

    /// Otherwise the next start takes a later request's step for the boost's.
    @Test func `while the file has a mark, every change is stored first`() {
        var policy = policy()
        let held = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [lease])
        _ = policy.accept(held)
        policy.markStored(held)
        #expect(policy.accept(.of()) == .beforeWrite)
        #expect(policy.accept(.of(baselineStep: 700)) == .beforeWrite)
        policy.markStored(.of(baselineStep: 700))
        #expect(policy.accept(.of(baselineStep: 800)) == .soon)
    }

    /// A dragged slider with a transition must not cause a commit per move.
    @Test func `during a transition without a lease the target is stored soon`() {
        var policy = policy()
        let way = { DisplayRecord.of(baselineStep: $0, floor: 300, ceiling: 600) }
        #expect(policy.accept(way(500)) == .beforeWrite)
        policy.markStored(way(500))
        for step in [510, 520, 530] { #expect(policy.accept(way(step), isUnderWay: true) == .soon) }
        // The transition is over: the panel shows its baseline.
        #expect(policy.accept(.of(baselineStep: 530)) == .beforeWrite)
        policy.markStored(.of(baselineStep: 530))
        #expect(policy.accept(way(600)) == .beforeWrite)
        policy.markStored(way(600))
        #expect(policy.accept(.of(baselineStep: 650, floor: 300, ceiling: 750)) == .beforeWrite)
        var held = way(600)
        held.leases = [lease]
        #expect(policy.accept(held) == .beforeWrite)
        policy.markStored(held)
        held.baselineStep = 700
        #expect(policy.accept(held) == .beforeWrite)
    }

    /// Otherwise a crash could lose the command that switched the panel on for good.
    @Test func `during a transition the power baseline is stored first`() {
        var policy = policy()
        var record = DisplayRecord.of(baselineStep: 500, floor: 300, ceiling: 600)
        record.powerBaseline = false
        #expect(policy.accept(record, isUnderWay: true) == .beforeWrite)
        policy.markStored(record)
        record.powerBaseline = true
        #expect(policy.accept(record, isUnderWay: true) == .beforeWrite)
    }

    /// Otherwise a baseline that the panel rejected is back after a crash, though the client's command failed.
    @Test func `the target of a panel with unconfirmed steps is stored first, even within the same marks`() {
        var policy = policy()
        let unconfirmed = { DisplayRecord.of(baselineStep: $0, floor: 300, ceiling: 600) }
        #expect(policy.accept(unconfirmed(350)) == .beforeWrite)
        policy.markStored(unconfirmed(350))
        #expect(policy.accept(unconfirmed(500)) == .beforeWrite)
    }

    /// Otherwise a checkpoint in between and a power failure would leave a monitor dark for ever.
    @Test func `a monitor's mark is made safe from power cuts each time it goes off`() {
        var policy = PersistencePolicy(goingOnFrom: nil, keepsStepWithoutPower: true)
        var record = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [lease])
        record.mayBeDark = true
        #expect(policy.accept(record) == .beforeWriteForPowerCut)
        policy.markStored(record)
        record.mayBeDark = false
        #expect(policy.accept(record) == .beforeWrite)
        policy.markStored(record)
        record.mayBeDark = true
        #expect(policy.accept(record) == .beforeWriteForPowerCut)
    }

    /// Otherwise it would show the boost forever: no other record states that it was raised.
    @Test func `the mark of a panel that keeps its step without power survives a power cut`() {
        var policy = PersistencePolicy(goingOnFrom: nil, keepsStepWithoutPower: true)
        var held = DisplayRecord.of(floor: 400, ceiling: 900, leases: [lease])
        #expect(policy.accept(held) == .beforeWriteForPowerCut)
        // Not again for a change that does not concern the panel.
        held.leases.append(.of("b"))
        #expect(policy.accept(held) == .beforeWrite)
        held.ceiling = 1_000
        #expect(policy.accept(held) == .beforeWriteForPowerCut)
        held.baselineStep = 300
        #expect(policy.accept(held) == .beforeWriteForPowerCut)
        #expect(policy.accept(.of()) == .beforeWrite)
        #expect(policy.accept(held) == .beforeWriteForPowerCut)
    }

    @Test func `a switch is stored first, a lesson and a step soon`() {
        var (policy, record) = (policy(), DisplayRecord.of())
        record.automatic.isEnabled = true
        #expect(policy.accept(record) == .beforeWrite)
        record.automatic.heldUntil = .start
        record.automatic.lessons = [BrightnessCurve.Point(Illuminance(lux: 99)!, .full)]
        #expect(policy.accept(record) == .soon)
        record.baselineStep = 700
        #expect(policy.accept(record) == .soon)
        record.automatic.isEnabled = false
        #expect(policy.accept(record) == .beforeWrite)
    }

    /// The file may have a mark, which stays until the first change.
    @Test func `if an earlier record could not be read, every change is stored first until one is stored`() {
        var policy = PersistencePolicy(goingOnFrom: nil, orUnread: .of())
        #expect(policy.accept(.of()) == .none)
        #expect(policy.accept(.of(baselineStep: 700)) == .beforeWrite)
        policy.markStored(.of(baselineStep: 700))
        #expect(policy.accept(.of(baselineStep: 800)) == .soon)
    }

    @Test func `an earlier run's record is rewritten only after a restart of the machine`() {
        let held = DisplayRecord.of(floor: 400, ceiling: 1_000, leases: [lease])
        var same = policy(held)
        #expect(same.accept(held) == .none)
        var other = policy(held, isOfThisBoot: false)
        #expect(other.accept(held) == .beforeWrite)
    }
}
