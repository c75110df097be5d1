// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite struct ChangeLogTests {
    @Test(
        arguments: [
            (true, false, "info lobby: set to 10 % outside the daemon"),
            (false, true, "info lobby: set to 10 % (off) outside the daemon"),
            (nil, false, "info lobby: set to 10 % (off) outside the daemon"),
        ] as [(Bool?, Bool, String)]
    )
    func `a line states whether the panel is on`(isOn: Bool?, baseline: Bool, line: String) async {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let changes = ChangeLog(hub.source, since: Moment.start.wall, log.logger)
        hub.poster.post(.state(Self.state(Cause(.external, at: Moment.start.wall), isOn, baseline)))
        #expect(await log.next() == line)
        changes.end()
    }

    @Test(
        arguments: [
            (
                Cause(.api, by: "maria", principal: .anonymous, at: Moment.start.wall),
                "set to 10 % by maria (anonymous)"
            ),
            (Cause(.follow, by: "edp", at: Moment.start.wall), "set to 10 % like edp"),
            (Cause(.recovered, at: Moment.start.wall), "set to 10 % after a restart"),
            (
                Cause(.schedule, by: "schedule:night", principal: .daemon, at: Moment.start.wall),
                "at 10 % by schedule:night (brightnessd)"
            ),
        ] as [(Cause, String)]
    )
    func `a line states who changed it`(cause: Cause, text: String) async {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let changes = ChangeLog(hub.source, since: Moment.start.wall, log.logger)
        hub.poster.post(.state(Self.state(cause, true, true)))
        #expect(await log.next() == "info lobby: \(text)")
        changes.end()
    }

    private static func state(_ cause: Cause, _ isOn: Bool?, _ baseline: Bool) -> DisplayState {
        let level = Brightness(clamping: 0.1)
        return DisplayState(
            id: DisplayID("lobby")!,
            name: "Lobby",
            kind: .provided,
            range: BrightnessRange(maximum: 100)!,
            brightness: level,
            baseline: level,
            step: 10,
            power: DisplayState.Power(isOn: isOn, baseline: baseline, isSwitchable: true),
            automatic: .off,
            cause: cause,
            revision: Revision(1)
        )
    }
}
