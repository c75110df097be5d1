// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Posts whether a proximity sensor has somebody near: one of the machine, or of the simulated room while a display is
/// simulated.
struct PresenceUpkeepService: Service {
    /// `false` without `--presence-wake`: then no sensor is read.
    let isNeeded: Bool
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    let finder: SensorFinder
    let source: NotificationSource
    let poster: NotificationPoster
    let displays: DisplayService
    let logger: Logger

    func run() async {
        guard isNeeded else { return }
        let queue = SerialQueue("presence")
        while !Task.isCancelled { await watch(on: queue, isSimulated: isSimulated) }
    }

    private var isSimulated: Bool { displays.hasSimulated }

    /// Runs until a sensor is added, or a real display replaces the last simulated one.
    private func watch(on queue: SerialQueue, isSimulated: Bool) async {
        let all = isSimulated ? room?.sensors ?? [] : finder.sensors
        let sensors = all.filter { $0.kind == .proximity }
        if sensors.isEmpty {
            logger.warning("presence: no proximity sensor with a threshold (in_proximity_nearlevel) was found")
        } else {
            logger.info("presence: \(sensors.map(\.id).joined(separator: ", "))")
        }
        await withTaskGroup(of: Void.self) { group in
            if !sensors.isEmpty {
                let watch = ProximityWatch(sensors, on: queue, poster: poster)
                group.addTask { await watch.run(on: MachineClock()) }
            }
            group.addTask {
                let changes = source.notifications(of: NotificationFilter([.display]))
                if self.isSimulated != isSimulated { return }
                for await _ in changes where self.isSimulated != isSimulated { return }
            }
            if !isSimulated { group.addTask { await finder.awaitOther(than: all) } }
            await group.next()
            group.cancelAll()
        }
    }
}
