// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging
import ServiceLifecycle

/// Finds out what the light in the room is: from the simulated room while a display is simulated, else from the machine's
/// sensors, or where there are none from what others set a display to.
struct AmbientKeeper: Service {
    let room: SimulatedRoom?
    let sysfsRoot: String
    /// Whose brightness is taken for the light where there is no sensor; `nil` for the first display's.
    let standIn: DisplayID?
    let hub: NotificationHub
    /// Its displays may follow the light.
    let service: DisplayService
    let logger: Logger

    func run() async throws {
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled { await keep(isSimulated: isSimulated) }
        }
    }

    private var isSimulated: Bool { service.all.states.contains { $0.kind == .simulated } }

    /// Until the last simulated display gives way to a real one.
    private func keep(isSimulated: Bool) async {
        let sensors = isSimulated ? room?.sensors ?? [] : lightSensors(sysfsRoot: sysfsRoot)
        await withTaskGroup { group in
            group.addTask { await watch(sensors) }
            group.addTask {
                let changes = hub.source.notifications(of: Interest([.display]))
                if self.isSimulated != isSimulated { return }
                for await _ in changes where self.isSimulated != isSimulated { return }
            }
            await group.next()
            group.cancelAll()
        }
    }

    private func watch(_ sensors: [any LightSensor]) async {
        // Something near is no light.
        guard sensors.contains(where: { $0.kind == .illuminance }) else {
            logger.info("light sensors: none, so what other programs set a display to stands in for the light")
            return await watch(standIn ?? service.first?.id)
        }
        logger.info("light sensors: \(sensors.map(\.id).joined(separator: ", "))")
        let ambient = AmbientService(
            sensors,
            on: SerialQueue("sensors"),
            source: hub.source,
            poster: hub.poster,
            isFollowed: { service.all.states.contains { $0.automatic.isEnabled && $0.kind != .remote } }
        )
        await ambient.keepTime(on: MachineClock(), now: MachineClock.moment, slept: MachineClock.slept)
    }

    private func watch(_ display: DisplayID?) async {
        guard let display else { return }
        var light = AmbientStandIn()
        for await change in hub.source.notifications(of: Interest([.brightness], of: [display])) {
            guard case .brightness(let state) = change, let news = light.news(of: state) else { continue }
            hub.poster.post(.ambient(news))
        }
    }
}
