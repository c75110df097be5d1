// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A monitor whose own menu limits it: its driver reads each write back.
@Suite(.timeLimit(.minutes(10)))
struct LimitedDeviceTests {
    private let fixture: DisplayServiceFixture

    init() throws {
        fixture = try DisplayServiceFixture(
            showing: 40,
            isCheapToRead: false,
            writesOnce: true,
            rounding: { $0 }
        )
        fixture.panel.most = 80
    }

    @Test func `a boost shows what the monitor keeps, and ends at the baseline`() throws {
        let answer = try fixture.perform(.boost(by: "qr"))
        #expect(answer.state.brightness == .at(0.8) && answer.state.step == 80)
        #expect(answer.state.limits == [.device])
        // It is polled while a client watches.
        for seconds in [10, 20] { try fixture.perform(.refresh(), at: .after(.seconds(seconds))) }
        #expect(fixture.state == answer.state)
        #expect(fixture.state.boost?.isOverridden == false)
        try fixture.perform(.restore(holder: "qr"))
        #expect(fixture.panel.writes == [100, 40])
        #expect(fixture.state.limits == [])
        #expect(fixture.state.brightness == .at(0.4))
    }

    @Test func `the baseline stays as it was requested, and is written when the limit is gone`() throws {
        try fixture.perform(.set(0.9))
        #expect(fixture.state.baseline == .at(0.9) && fixture.state.brightness == .at(0.8))
        #expect(fixture.state.limits == [.device])
        #expect(fixture.state.cause.kind == .api)
        // The monitor follows by itself.
        fixture.panel.step = 90
        try fixture.perform(.refresh(), at: .after(.seconds(10)))
        #expect(fixture.state.baseline == .at(0.9) && fixture.state.brightness == .at(0.9))
        #expect(fixture.state.limits == [])
    }

    @Test func `a later change by hand is a person's`() throws {
        try fixture.perform(.boost(by: "qr"))
        fixture.panel.step = 60
        try fixture.perform(.refresh(), at: .after(.seconds(10)))
        #expect(fixture.state.baseline == .at(0.6))
        #expect(fixture.state.boost?.isOverridden == true)
        #expect(fixture.state.limits == [])
    }

    @Test func `it is reported once`() throws {
        for level in [0.9, 0.5, 1] { try fixture.perform(.set(level)) }
        let notices = fixture.posted.filter { if case .notice = $0 { true } else { false } }
        #expect(notices == [.notice(.limited(.left, written: 90, kept: 80))])
    }

    @Test func `a start does not take the step that it keeps for a person's change`() throws {
        var model = DisplayModel(fixture.panel, showing: 40, at: .start)
        let command = Command(.set(0.9))
        _ = try model.execute(command, leaseID: { .number(1) }, connectivity: { _, _ in .unknown }, at: .start)
        model.wrote(90, readBack: 80, at: .start)
        let earlier = RecoveredRecord(model.record, isOfThisBoot: true)
        let next = DisplayModel(fixture.panel, showing: 80, goingOnFrom: earlier, at: .start)
        #expect(next.baseline == .at(0.9))
        let touched = DisplayModel(fixture.panel, showing: 60, goingOnFrom: earlier, at: .start)
        #expect(touched.baseline == .at(0.6))
    }
}
