// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Testing

@testable import DaemonRuntime

@Suite struct HealthLogTests {
    @Test(
        arguments: [
            (.failure(DisplayID("edp")!, .asleep(path: "", step: nil)), "info edp is switched off"),
            (.journal(.durable), "info journal: boosts survive a crash"),
            (
                .journal(.recreated(setAside: "/old", why: "the file is damaged")),
                "warning journal: recreated, because the file is damaged. The old file is now /old"
            ),
            (
                .journal(.failing("the disk is full")),
                "error journal: the disk is full. Boosts work, but do not survive a crash"
            ),
            (.broker(.connected()), "notice MQTT: connected"),
            (.broker(.connected(limitation: "it is read-only")), "warning MQTT: connected, but it is read-only"),
            (.broker(.away("refused")), "warning MQTT: no connection to the broker: refused"),
        ] as [(Notification, String)]
    )
    func `each failure is logged once`(notification: Notification, line: String) async {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let health = HealthLog(hub.source, log.logger)
        hub.poster.post(notification)
        #expect(await log.next() == line)
        health.end()
    }
}
