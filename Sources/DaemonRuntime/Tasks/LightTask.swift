// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Support
import Synchronization

/// Runs the sensors, the simulated room, and the light that is estimated from them. Logs which sensors are in force.
struct LightTask: BackgroundTask {
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    /// The remote sensors that are read by URL.
    let devices: LightDevices
    let sensors: SensorDirectory
    let ambient: AmbientService
    /// Whether to log the proximity sensors.
    let needsPresence: Bool
    let source: NotificationSource
    let displays: DisplayService
    let logger: Logger

    func run() async {
        let lines = logSensors()
        defer { lines.end() }
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
            group.addTask { await sensors.watch(on: MachineClock()) }
            group.addTask { await ambient.poll(on: MachineClock(), now: MachineClock.moment) }
        }
    }

    private func report(_ room: SimulatedRoom) async {
        let subscriptions = SubscriptionGroup(
            source,
            Subscription(to: NotificationFilter([.display])) { _ in endOrResume(room) }
        )
        // The last simulated display may already have been removed.
        endOrResume(room)
        await room.keepReporting(on: MachineClock())
        subscriptions.end()
    }

    /// The room ends with the last simulated display. The stand-in may come back.
    private func endOrResume(_ room: SimulatedRoom) {
        if displays.hasSimulated { room.resume() } else { room.end() }
    }

    /// Logs the sensors in force, now and whenever they are others.
    private func logSensors() -> SubscriptionGroup {
        let logged = Mutex((light: "", presence: nil as [String]?))
        let log: @Sendable () -> Void = {
            let (light, presence) = (light, presence)
            let earlier = logged.exchange((light, presence))
            if light != earlier.light { logger.info("light sensors: \(light)") }
            guard let presence, presence != earlier.presence else { return }
            if presence.isEmpty {
                logger.warning(
                    """
                    --presence-wake has no effect: no proximity sensor with a threshold (in_proximity_nearlevel) was \
                    found
                    """
                )
            } else {
                logger.info("presence: \(presence.joined(separator: ", "))")
            }
        }
        let changes = SubscriptionGroup(source, Subscription(to: NotificationFilter([.sensors])) { _ in log() })
        log()
        return changes
    }

    /// The proximity sensors; `nil` if presence does not matter.
    private var presence: [String]? {
        needsPresence ? sensors.sensors(at: MachineClock().now).filter { $0.kind == .proximity }.map(\.id) : nil
    }

    /// Names no reports: clients choose their names, and how often they come and go.
    private var light: String {
        let all = sensors.sensors(at: MachineClock().now)
        let lasting = all.filter { !($0 is LightReport) }
        if lasting.contains(where: { $0.kind == .illuminance }) { return lasting.map(\.id).joined(separator: ", ") }
        if all.count > lasting.count { return "none; the readings that clients report are used instead" }
        return "none; the light is estimated from the brightness that a desktop or a person sets"
    }
}
