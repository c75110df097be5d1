// SPDX-License-Identifier: Apache-2.0
import Devices
import Synchronization
import Testing

@testable import BrightnessCore
@testable import DaemonRuntime

@Suite struct HealthLogTests {
    @Test(
        arguments: [
            (
                .failure(DisplayID("edp")!, .asleep(path: "", step: nil)),
                "info edp is asleep: commands are carried out once it is awake"
            ),
            (.journal(.durable), "info state file: writable, so that leases survive a crash"),
            (
                .journal(.recreated(setAside: "/old", why: "the file is damaged")),
                "warning state file: recreated, because the file is damaged. The old file is now /old"
            ),
            (
                .journal(.failing("the disk is full")),
                "error state file: the disk is full. Boosts work, but do not survive a crash"
            ),
            (.broker(.connected()), "notice MQTT: connected"),
            (.broker(.connected(limitation: "it is read-only")), "warning MQTT: connected, but it is read-only"),
            (.broker(.away("refused")), "warning MQTT: no connection to the broker: refused"),
            (.notice(.sensor("remote:a", failure: nil)), "info light sensor remote:a: connected"),
            (
                .notice(.sensor("remote:a", failure: "it is silent")),
                "warning light sensor remote:a: no reading, because it is silent"
            ),
            (.notice(.pageRefused("Pages of x may not.")), "notice Pages of x may not."),
            (.notice(.broker("not mirroring a/b")), "info MQTT: not mirroring a/b"),
            (.notice(.homeAssistant("refused ::1")), "info ESPHome: refused ::1"),
        ] as [(Notification, String)]
    )
    func `each failure is logged once`(notification: Notification, line: String) async {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let health = HealthLog(hub.source, log.logger)
        hub.poster.post(notification)
        #expect(await log.next() == line)
        health.end()
    }

    @Test func `each change of a node is one line, and a broker that is away none`() async {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let health = HealthLog(hub.source, log.logger)
        func post(_ name: String, _ version: String?, _ isOnline: Bool?) {
            let node = NodeState(
                name: name,
                topic: name,
                version: version,
                isOnline: isOnline,
                since: .init(milliseconds: 0)
            )
            hub.poster.post(.node(name, node))
        }
        post("lobby", "0.1.0", true)
        #expect(await log.next() == "notice node lobby: online, version 0.1.0")
        post("lobby", "0.1.0", nil)
        post("hall", nil, false)
        #expect(await log.next() == "notice node hall: offline")
        post("lobby", "0.1.0", true)
        post("hall", "0.2.0", true)
        #expect(await log.next() == "notice node hall: online, version 0.2.0")
        post("lobby", "0.1.0", false)
        #expect(await log.next() == "notice node lobby: offline")
        health.end()
    }

    @Test func `refusals over a write budget are logged once a display and day`() async throws {
        let (hub, log) = (NotificationHub(), LogRecorder())
        let day = Mutex(Int64(0))
        let health = HealthLog(hub.source, log.logger) { Timestamp(milliseconds: day.withLock { $0 } * 86_400_000) }
        let refusal = Notification.failure(DisplayID("left")!, .worn(limit: 3))
        let lost = Notification.failure(DisplayID("left")!, .absent(path: "left"))
        hub.poster.post(refusal)
        hub.poster.post(refusal)
        hub.poster.post(lost)
        let line = try #require(await log.next())
        #expect(line.hasPrefix("warning left: "))
        #expect(await log.next() == "warning left: \(DeviceError.absent(path: "left").logText)")
        hub.poster.post(.failure(DisplayID("right")!, .worn(limit: 3)))
        #expect(await log.next()?.hasPrefix("warning right: ") == true)
        day.withLock { $0 += 1 }
        hub.poster.post(refusal)
        #expect(await log.next() == line)
        health.end()
    }

    @Test func `a display that waits for a light sensor is logged once`() async {
        let (hub, log) = (NotificationHub(health: Health()), LogRecorder())
        let health = HealthLog(hub.source, log.logger)
        func post(_ waiting: DisplayState.Automatic.Missing?) {
            let state = DisplayState(
                id: DisplayID("edp")!,
                name: "Panel",
                kind: .backlight,
                range: BrightnessRange(maximum: 100)!,
                brightness: .full,
                baseline: .full,
                step: 100,
                automatic: .init(isEnabled: true, waiting: waiting),
                cause: Cause(.external, at: Timestamp(milliseconds: 0)),
                revision: Revision(1)
            )
            hub.poster.post(.state(state))
        }
        post(.sensor)
        let line =
            "edp: automatic brightness is on, but no light sensor has a reading. The display keeps its brightness; "
            + "brightnessd probe lists the sensors"
        #expect(await log.next() == "warning \(line)")
        post(.sensor)
        hub.poster.post(.journal(.durable))
        #expect(await log.next() == "info state file: writable, so that leases survive a crash")
        post(nil)
        #expect(await log.next() == "info edp: no longer waits for a light sensor")
        health.end()
    }
}
