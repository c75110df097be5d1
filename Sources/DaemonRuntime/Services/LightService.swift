// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Posts the ambient light: of the simulated room while a display is simulated, else of the machine's sensors, or
/// without a sensor the brightness that other programs set.
struct LightService: Service {
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    /// Finds the machine's sensors.
    let finder: SensorFinder
    /// The display whose brightness substitutes for a light sensor; `nil` for the first display.
    let standIn: DisplayID?
    let hub: NotificationHub
    let displays: DisplayService
    let logger: Logger

    func run() async {
        await withDiscardingTaskGroup { group in
            if let room { group.addTask { await report(room) } }
            while !Task.isCancelled { await observe(isSimulated: isSimulated) }
        }
    }

    private var isSimulated: Bool { displays.own.contains { $0.kind == .simulated } }

    private func report(_ room: SimulatedRoom) async {
        let subscriptions = SubscriptionGroup(
            hub.source,
            [Subscription(to: NotificationFilter([.display])) { _ in endWithLastDisplay(room) }]
        )
        // The last simulated display may already have been removed.
        endWithLastDisplay(room)
        await room.keepReporting(on: MachineClock())
        subscriptions.end()
    }

    private func endWithLastDisplay(_ room: SimulatedRoom) {
        if !isSimulated { room.end() }
    }

    /// Runs until a real display replaces the last simulated one, or a sensor is added.
    private func observe(isSimulated: Bool) async {
        let sensors = isSimulated ? room?.sensors ?? [] : finder.sensors
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await observe(sensors)
                return false
            }
            group.addTask {
                let changes = hub.source.notifications(of: NotificationFilter([.display]))
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

    private func observe(_ sensors: [any LightSensor]) async {
        // A proximity sensor alone does not measure light.
        guard sensors.contains(where: { $0.kind == .illuminance }) else {
            logger.info("light sensors: none; the brightness that other programs set is used instead")
            return await observe(standIn ?? displays.own.first?.id)
        }
        logger.info("light sensors: \(sensors.map(\.id).joined(separator: ", "))")
        let ambient = AmbientService(
            sensors,
            on: SerialQueue("sensors"),
            source: hub.source,
            poster: hub.poster
        )
        await ambient.poll(on: MachineClock(), now: MachineClock.moment, slept: MachineClock.slept)
    }

    /// - Parameter display: `nil` waits for the first display.
    private func observe(_ display: DisplayID?) async {
        var light = BrightnessAsLightSensor()
        var observed = display
        let filter = NotificationFilter([.brightness], of: display.map { [$0] }, ofThisMachine: true)
        for await change in hub.source.notifications(of: filter) {
            guard case .brightness(let state) = change, state.id == observed ?? state.id else { continue }
            observed = state.id
            if let news = light.news(of: state) { hub.poster.post(.ambient(news)) }
        }
    }
}
