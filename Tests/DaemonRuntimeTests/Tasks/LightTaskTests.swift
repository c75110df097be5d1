// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import TestSupport
import Testing

@testable import DaemonRuntime

@Suite(.timeLimit(.minutes(10))) struct LightTaskTests {
    @Test func `the simulated room lasts as long as a simulated display, and the next source of light takes over`()
        async throws
    {
        let (hub, log, queue) = (NotificationHub(), LogRecorder(), ManualQueue())
        let folder = try TemporaryFolder()
        let simulated = SimulatedPanel()
        let displays = try DisplayService(
            [.init(simulated, on: queue)],
            poster: hub.poster,
            source: hub.source,
            at: MachineClock.moment()
        )
        let room = SimulatedRoom([simulated], poster: hub.poster) { MachineClock().now }
        let finder = SensorFinder(root: folder.path, watch: PanelWatch(), poster: hub.poster)
        let devices = try LightDevices([], version: "0", now: { MachineClock().now }, poster: hub.poster)
        let sensors = SensorDirectory(own: [room, finder], remote: [devices, LightReports(poster: hub.poster)])
        let light = LightTask(
            room: room,
            devices: devices,
            sensors: sensors,
            ambient: AmbientService(
                sensors,
                resumes: ResumeDetector(poster: hub.poster) { .zero },
                on: SerialQueue("sensors"),
                source: hub.source,
                poster: hub.poster
            ),
            needsPresence: true,
            source: hub.source,
            displays: displays,
            logger: log.logger
        )
        let task = Task { await light.run() }
        #expect(await log.next()?.hasPrefix("info light sensors: simulated:front") == true)
        #expect(await log.next() == "info presence: simulated:proximity")

        // Before the end, which is not retained.
        var rooms = hub.source.notifications(of: NotificationFilter([.simulator])).makeAsyncIterator()
        let real = ScriptedPanel(DisplayID("edp")!, range: BrightnessRange(maximum: 100)!, step: 50)
        try displays.add(.init(real, on: queue), at: MachineClock.moment())
        displays.withdraw(own: simulated.id)
        let standIn =
            "info light sensors: none; the light is estimated from the brightness that a desktop or a person sets"
        #expect(await log.next() == standIn)
        let none =
            "warning --presence-wake has no effect: no proximity sensor with a threshold (in_proximity_nearlevel) was "
            + "found"
        #expect(await log.next() == none)
        while let room = await rooms.next(isolation: nil), room != .simulator(nil) {}

        try displays.add(.init(simulated, on: queue), at: MachineClock.moment())
        #expect(await log.next()?.hasPrefix("info light sensors: simulated:front") == true)
        #expect(await log.next() == "info presence: simulated:proximity")
        let back = await rooms.next(isolation: nil)
        #expect(back == .simulator(room.room))
        task.cancel()
        await task.value
    }
}
