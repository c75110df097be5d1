// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing

@testable import BrightnessCore

/// A display that can be switched off and on, but not dimmed.
@Suite struct FixedBrightnessTests {
    private let panel = ScriptedPanel(.left, range: .fixed, step: 1, isDimmable: false, isSwitchable: true)
    private let queue = ManualQueue()

    private func service(
        _ automatic: AutomaticRules = AutomaticRules(),
        goingOnFrom earlier: RecoveredRecord? = nil
    ) throws -> DisplayService {
        try DisplayService(
            [DisplayService.PanelRegistration(panel, on: queue)],
            .init(automatic: automatic, earlier: earlier.map { [.left: $0] } ?? [:], makeLeaseID: LeaseID.counting()),
            poster: NotificationHub().poster,
            at: .start
        )
    }

    private func perform(_ action: Command.Action, on service: DisplayService) throws -> CommandSuccess {
        let results = Collected<Result<CommandSuccess, CommandError>>()
        service.submit(Command(action), to: .left, at: .start) { results.append($0) }
        queue.runAll()
        return try results.all[0].get()
    }

    @Test(
        arguments: [
            .set(0.5), .set(.step(1)), .move(delta: -0.1), .lease(.dim, 0.2), .setAutomatic(true),
        ] as [Command.Action]
    )
    func `a brightness, a dim and automatic brightness are rejected`(action: Command.Action) throws {
        let service = try service()
        let before = service.state(of: .left)
        #expect(throws: CommandError.notDimmable) { try perform(action, on: service) }
        #expect(service.state(of: .left) == before)
        #expect(panel.writes == [])
    }

    @Test func `a sleep and a wake switch it, and a boost changes nothing`() throws {
        let service = try service()
        #expect(try perform(.boost(by: "kiosk"), on: service).state.brightness == .full)
        #expect(try perform(.lease(.sleep, by: "night"), on: service).state.power.isOn == false)
        #expect(try perform(.lease(.wake, by: "door"), on: service).state.power.isOn == true)
        #expect(panel.switches == [false, true])
        #expect(panel.writes == [])
    }

    @Test func `automatic brightness is off even where it is on by default`() throws {
        let state = try #require(try service(AutomaticRules(isOnByDefault: true)).state(of: .left))
        #expect(!state.automatic.isEnabled)
        #expect(!state.isDimmable)
    }

    @Test func `the baseline of a display of that name that could be dimmed is not continued`() throws {
        let record = DisplayRecord(
            id: .left,
            maximum: 100,
            baseline: .at(0.4),
            baselineStep: 40,
            ceiling: 100,
            leases: [],
            automatic: AutomaticRecord(isEnabled: true)
        )
        let state = try #require(
            try service(goingOnFrom: RecoveredRecord(record, isOfThisBoot: true)).state(of: .left)
        )
        #expect((state.brightness, state.baseline, state.automatic.isEnabled) == (.full, .full, false))
    }
}
