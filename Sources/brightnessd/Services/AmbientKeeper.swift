// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Finds out what the light in the room is: from the simulated room while a display is simulated, else from the machine's
/// sensors, or where there are none from what others set a display to.
struct AmbientKeeper {
    let room: SimulatedRoom?
    /// Finds the machine's sensors.
    let finder: SensorFinder
    /// Whose brightness is taken for the light where there is no sensor; `nil` for the first display's.
    let standIn: DisplayID?
    let hub: NotificationHub
    /// Its displays may follow the light.
    let service: DisplayService
    let logger: Logger

    /// Until the task is cancelled.
    func run() async {
        while !Task.isCancelled { await keep(isSimulated: isSimulated) }
    }

    private var isSimulated: Bool { service.all.states.contains { $0.kind == .simulated } }

    /// Until the last simulated display gives way to a real one, or there is a sensor more.
    private func keep(isSimulated: Bool) async {
        let sensors = isSimulated ? room?.sensors ?? [] : finder.sensors
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await watch(sensors)
                return false
            }
            group.addTask {
                let changes = hub.source.notifications(of: Interest([.display]))
                if self.isSimulated != isSimulated { return true }
                for await _ in changes where self.isSimulated != isSimulated { return true }
                return true
            }
            group.addTask {
                if isSimulated { return false }
                await finder.awaitOther(than: sensors)
                return true
            }
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
    }

    private func watch(_ sensors: [any LightSensor]) async {
        // Something near is no light.
        guard sensors.contains(where: { $0.kind == .illuminance }) else {
            logger.info("light sensors: none, so what other programs set a display to stands in for the light")
            return await watch(standIn ?? service.all.states.first { $0.kind != .remote }?.id)
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

    /// - Parameter display: `nil` for the first that comes, where there is none yet.
    private func watch(_ display: DisplayID?) async {
        var light = AmbientStandIn()
        var watched = display
        for await change in hub.source.notifications(of: Interest([.brightness], of: display.map { [$0] })) {
            guard case .brightness(let state) = change, state.kind != .remote, state.id == watched ?? state.id else {
                continue
            }
            watched = state.id
            if let news = light.news(of: state) { hub.poster.post(.ambient(news)) }
        }
    }
}
