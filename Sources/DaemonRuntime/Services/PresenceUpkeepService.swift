// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices

/// Posts whether a proximity sensor in force has somebody near.
struct PresenceUpkeepService: Service {
    /// `false` without `--presence-wake`: then no sensor is read.
    let isNeeded: Bool
    let sensors: SensorDirectory
    let source: NotificationSource
    let poster: NotificationPoster
    let logger: Logger

    func run() async {
        guard isNeeded else { return }
        let queue = SerialQueue("presence")
        while !Task.isCancelled { await watch(on: queue) }
    }

    private var proximity: [any LightSensor] {
        sensors.sensors(at: MachineClock().now).filter { $0.kind == .proximity }
    }

    /// Runs until the proximity sensors change.
    private func watch(on queue: SerialQueue) async {
        let changes = source.notifications(of: NotificationFilter([.sensors]))
        let proximity = proximity
        if proximity.isEmpty {
            logger.warning("presence: no proximity sensor with a threshold (in_proximity_nearlevel) was found")
        } else {
            logger.info("presence: \(proximity.map(\.id).joined(separator: ", "))")
        }
        await withTaskGroup(of: Void.self) { group in
            if !proximity.isEmpty {
                let watch = ProximityWatch(proximity, on: queue, poster: poster)
                group.addTask { await watch.run(on: MachineClock()) }
            }
            group.addTask {
                let known = proximity.map(\.id)
                if self.proximity.map(\.id) != known { return }
                for await _ in changes where self.proximity.map(\.id) != known { return }
            }
            await group.next()
            group.cancelAll()
        }
    }
}
