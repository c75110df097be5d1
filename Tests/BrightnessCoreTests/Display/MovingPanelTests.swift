// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// The writes, notifications and records of a display in a transition.
@Suite(.timeLimit(.minutes(10)))
struct MovingPanelTests {
    private let fixture: DisplayServiceFixture

    init() throws { fixture = try DisplayServiceFixture(showing: 30) }

    private func tick(_ seconds: Double, on fixture: DisplayServiceFixture? = nil) throws {
        try (fixture ?? self.fixture).perform(.tick, at: .after(.seconds(seconds)))
    }

    @Test func `the target is published once`() throws {
        let answer = try fixture.perform(.set(0.8), in: .seconds(1))
        #expect(answer.state.brightness == .at(0.8))
        #expect(answer.state.step == 80)
        #expect(fixture.panel.writes == [31])
        for tenth in 1...10 { try tick(Double(tenth) / 10) }
        #expect(fixture.panel.step == 80)
        #expect(fixture.panel.writes.count == 11)
        #expect(fixture.posted == [.state(answer.state)])
        try tick(11)
        #expect(fixture.panel.writes.count == 11)
    }

    @Test func `a command without a transition uses the default one`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, transition: .seconds(1))
        try fixture.perform(.boost(by: "a", for: .seconds(60)))
        #expect(fixture.panel.step == 31)
        try tick(1, on: fixture)
        #expect(fixture.panel.step == 100)
        try tick(60, on: fixture)
        #expect(fixture.panel.step == 99)
        #expect(fixture.state.brightness == .at(0.3))
        try tick(61, on: fixture)
        #expect(fixture.panel.step == 30)
        try fixture.perform(.set(0.5), in: .zero, at: .after(.seconds(62)))
        #expect(fixture.panel.step == 50)
    }

    @Test func `a newer command starts from the current step`() throws {
        try fixture.perform(.set(0.8), in: .seconds(1))
        try tick(0.5)
        let half = fixture.panel.step
        #expect((60..<80).contains(half))
        try fixture.perform(.set(0.2), in: .seconds(1), at: .after(.seconds(0.5)))
        #expect(fixture.panel.step == half - 1)
        try fixture.perform(.set(0.1), at: .after(.seconds(0.6)))
        #expect(fixture.panel.step == 10)
        let writes = fixture.panel.writes.count
        try tick(5)
        #expect(fixture.panel.writes.count == writes)
    }

    @Test(arguments: [Command.Action.set(0.8), .boost(0.8, by: "a")])
    func `the same command with a zero transition ends the running one`(action: Command.Action) throws {
        try fixture.perform(action, in: .seconds(10))
        #expect(fixture.panel.step == 31)
        try fixture.perform(action)
        #expect(fixture.panel.step == 80)
    }

    @Test(arguments: [Command.Action.set(0.2), .boost(0.5, by: "b"), .refresh(), .tick, .restore(holder: "b")])
    func `a command that does not concern the panel does not stop the transition`(action: Command.Action) throws {
        try fixture.perform(.boost(0.8, by: "a"), in: .seconds(1))
        try tick(0.5)
        let half = fixture.panel.step
        try fixture.perform(action, at: .after(.seconds(0.5)))
        #expect(fixture.panel.step == half)
        try tick(1)
        #expect(fixture.panel.step == 80)
    }

    @Test func `thousands of commands do not cause thousands of writes`() throws {
        try fixture.perform(.boost(1, by: "a"), in: .seconds(1))
        for millisecond in 1...1_000 { try fixture.perform(.refresh(), at: .after(.milliseconds(millisecond))) }
        #expect(fixture.panel.step == 100)
        #expect(fixture.panel.writes.count <= 62)
    }

    @Test func `a panel with costly writes is written once`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, writesOnce: true, transition: .seconds(5))
        try fixture.perform(.set(0.8), in: .seconds(1))
        try fixture.perform(.boost(by: "a"))
        try tick(100, on: fixture)
        #expect(fixture.panel.writes == [80, 100, 80])
    }

    // MARK: Others

    @Test func `an own step is not a change by others`() throws {
        try fixture.perform(.boost(by: "a"), in: .seconds(1))
        for tenth in 1...9 {
            try tick(Double(tenth) / 10)
            try fixture.perform(.refresh(), at: .after(.seconds(Double(tenth) / 10)))
        }
        #expect(fixture.state.baseline == .at(0.3))
        #expect(fixture.state.boost?.isOverridden == false)
    }

    @Test func `an own step that the panel rounds is not a change by others`() throws {
        let fixture = try DisplayServiceFixture(showing: 30, isCheapToRead: false, rounding: { $0 / 2 * 2 })
        try fixture.perform(.set(0.81), in: .seconds(1))
        for tenth in 1...9 {
            try tick(Double(tenth) / 10, on: fixture)
            try fixture.perform(.refresh(), at: .after(.seconds(Double(tenth) / 10)))
        }
        try tick(1, on: fixture)
        #expect(fixture.state.baseline == .at(0.81))
        #expect(fixture.panel.step == 80)
    }

    @Test func `a person's change ends the transition`() throws {
        try fixture.perform(.set(0.8), in: .seconds(1))
        try tick(0.3)
        fixture.panel.step = 12
        try tick(0.4)
        #expect(fixture.state.baseline == .at(0.12))
        #expect(fixture.state.cause.kind == .external)
        let writes = fixture.panel.writes
        try tick(2)
        #expect(fixture.panel.writes == writes)
        #expect(fixture.panel.step == 12)
    }

    @Test func `a person's change during a boost's transition wins`() throws {
        try fixture.perform(.boost(by: "a"), in: .seconds(1))
        try tick(0.3)
        fixture.panel.step = 12
        try tick(0.4)
        #expect(fixture.state.boost?.isOverridden == true)
        try tick(30)
        #expect(fixture.panel.step == 12)
    }

    // MARK: Faults

    @Test func `the first step's rejection fails the command`() throws {
        fixture.panel.failWrites(.refused, times: .max)
        #expect(throws: CommandError.panel(.refused)) { try fixture.perform(.set(0.8), in: .seconds(1)) }
        #expect(fixture.state.baseline == .at(0.3))
    }

    @Test func `a panel that rejects a step in between gets the target later`() throws {
        try fixture.perform(.set(0.8), in: .seconds(1))
        fixture.panel.failWrites(.refused, times: 1)
        try tick(0.5)
        #expect(!fixture.state.isAvailable)
        #expect(fixture.state.brightness == .at(0.8))
        try tick(1.5)
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.isAvailable)
    }

    @Test func `a panel that is unplugged during the transition gets the target when it is back`() throws {
        try fixture.perform(.set(0.8), in: .seconds(1))
        fixture.panel.failReads(.gone, times: 1)
        try tick(0.5)
        #expect(!fixture.state.isAvailable)
        fixture.panel.step = 5
        try tick(1.5)
        #expect(fixture.panel.step == 80)
        #expect(fixture.state.baseline == .at(0.8))
    }

    @Test func `a command that the panel rejects does not stop the transition`() throws {
        try fixture.perform(.set(0.8), in: .seconds(1))
        try tick(0.5)
        fixture.panel.failWrites(.refused, times: 1)
        #expect(throws: CommandError.panel(.refused)) {
            try fixture.perform(.set(0.1), at: .after(.seconds(0.6)))
        }
        #expect(fixture.state.baseline == .at(0.8))
        try tick(1)
        #expect(fixture.panel.step == 80)
    }

    // MARK: Persistence

    @Test func `the whole range is marked before the transition starts, in one record`() throws {
        var model = DisplayModel(fixture.panel, showing: 30, at: .start)
        #expect(model.record.ceiling == nil)
        try model.apply(.set(0.8), in: .seconds(1), at: .start)
        let record = model.record
        #expect((record.floor, record.ceiling) == (30, 80))
        var now = Moment.start
        while model.step(at: now.instant) != 80 {
            model.wrote(model.step(at: now.instant), readBack: nil, at: now)
            #expect(model.record == record)
            now = now + .milliseconds(50)
        }
        model.wrote(80, readBack: nil, at: now)
        #expect(model.record.ceiling == nil)
    }

    @Test func `a dragged slider marks a tenth more where it exceeds the range`() throws {
        var model = DisplayModel(fixture.panel, showing: 30, at: .start)
        var marks: [ClosedRange<Int>] = []
        for percent in Array(40...60) + [25, 26, 60] {
            try model.apply(.set(Double(percent) / 100), in: .seconds(60), at: .start)
            model.wrote(model.step(at: Moment.start.instant), readBack: nil, at: .start)
            let mark = try #require(model.record.floor)...#require(model.record.ceiling)
            if mark != marks.last { marks.append(mark) }
        }
        #expect(marks == [30...40, 30...51, 30...62, 15...62])
        try model.apply(.set(0.26), in: .zero, at: .start)
        model.wrote(26, readBack: nil, at: .start)
        #expect(model.record.ceiling == nil)
        try model.apply(.set(0.3), in: .seconds(60), at: .start)
        #expect((model.record.floor, model.record.ceiling) == (26, 30))
    }

    /// Otherwise the next start takes a step that a person sets there for one of a transition.
    @Test func `a transition that is replaced before its first step marks nothing`() throws {
        var model = DisplayModel(fixture.panel, showing: 30, at: .start)
        for percent in [90, 5, 45] {
            try model.apply(.set(Double(percent) / 100), in: .seconds(1), at: .start)
        }
        let record = model.record
        #expect((record.floor, record.ceiling) == (30, 45))
        let earlier = RecoveredRecord(record, isOfThisBoot: true)
        let next = DisplayModel(fixture.panel, showing: 76, goingOnFrom: earlier, at: .start)
        #expect(next.baseline == .at(0.76))
    }

    @Test func `the mark stays while the panel may show any step of the transition`() throws {
        var model = DisplayModel(fixture.panel, showing: 30, at: .start)
        try model.apply(.set(0.8), in: .seconds(1), at: .start)
        model.wrote(60, readBack: nil, at: .start)
        var refused = model
        try refused.apply(.set(0.1), at: .start)
        model.markUnconfirmed(targetOf: refused, at: .start)
        model.failed(.refusing, at: .start)
        #expect((model.record.floor, model.record.ceiling) == (10, 80))
        #expect(model.nextDeadline == Moment.after(.seconds(1)).instant)
    }

    @Test func `the next run completes the transition`() throws {
        var model = DisplayModel(fixture.panel, showing: 30, at: .start)
        try model.apply(.set(0.8), in: .seconds(1), at: .start)
        let earlier = RecoveredRecord(model.record, isOfThisBoot: true)
        let next = DisplayModel(fixture.panel, showing: 47, goingOnFrom: earlier, at: .start)
        #expect(next.step(at: Moment.start.instant) == 80)
        let touched = DisplayModel(fixture.panel, showing: 12, goingOnFrom: earlier, at: .start)
        #expect(touched.step(at: Moment.start.instant) == 12)
    }
}

extension DisplayModel {
    fileprivate mutating func apply(_ action: Command.Action, in transition: Duration? = nil, at now: Moment) throws {
        let command = Command(action, transition: transition)
        _ = try execute(command, leaseID: { .number(1) }, connectivity: { _, _ in .unknown }, at: now)
    }
}
