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
        let level = Brightness(clamping: 0.1)
        hub.poster.post(
            .brightness(
                DisplayState(
                    id: DisplayID("lobby")!,
                    name: "Lobby",
                    kind: .provided,
                    range: BrightnessRange(maximum: 100)!,
                    brightness: level,
                    baseline: level,
                    step: 10,
                    power: DisplayState.Power(isOn: isOn, baseline: baseline, isSwitchable: true),
                    automatic: .off,
                    cause: Cause(.external, at: Moment.start.wall),
                    revision: Revision(1)
                )
            )
        )
        #expect(await log.next() == line)
        changes.end()
    }
}
