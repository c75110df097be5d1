// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import LightDevices
import Support

/// Runs the sensors, the simulated room, and the light that is estimated from them. Logs which sensors are in force.
struct LightService: Service {
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    /// The sensors elsewhere that are read by URL.
    let devices: LightDevices
    let sensors: SensorDirectory
    let ambient: AmbientService
    let source: NotificationSource
    let displays: DisplayService
    let logger: Logger

    func run() async {
        do throws(ThreadError) {
            try devices.start()
        } catch {
            logger.error("cannot read the light sensors of --light-sensor: \(error)")
        }
        defer { devices.stop() }
        await withDiscardingTaskGroup { group in
            if let room {
                group.addTask { await report(room) }
                group.addTask { await room.keepAdjusting(on: MachineClock()) }
            }
            group.addTask { await logSensors() }
            group.addTask { await sensors.watch(on: MachineClock()) }
            group.addTask {
                await ambient.poll(on: MachineClock(), now: MachineClock.moment, slept: MachineClock.slept)
            }
        }
    }

    private func report(_ room: SimulatedRoom) async {
        let subscriptions = SubscriptionGroup(
            source,
            [Subscription(to: NotificationFilter([.display])) { _ in endWithLastDisplay(room) }]
        )
        // The last simulated display may already have been removed.
        endWithLastDisplay(room)
        await room.keepReporting(on: MachineClock())
        subscriptions.end()
    }

    private func endWithLastDisplay(_ room: SimulatedRoom) {
        if !displays.hasSimulated { room.end() }
    }

    private func logSensors() async {
        let changes = source.notifications(of: NotificationFilter([.sensors]))
        var logged = ""
        func log() {
            let line = self.line
            if line != logged { logger.info("light sensors: \(line)") }
            logged = line
        }
        log()
        for await _ in changes { log() }
    }

    /// Names no reports: clients choose their names, and how often they come and go.
    private var line: String {
        let all = sensors.sensors(at: MachineClock().now)
        let lasting = all.filter { !($0 is LightReport) }
        if lasting.contains(where: { $0.kind == .illuminance }) { return lasting.map(\.id).joined(separator: ", ") }
        if all.count > lasting.count { return "none; the readings that clients report are used instead" }
        return "none; the brightness that other programs set is used instead. Turn on the automatic brightness of the "
            + "system"
    }
}
