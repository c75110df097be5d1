// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging

/// Posts the light in the room: that of the simulated room while a display is simulated, else what the machine's sensors
/// measure, or without a sensor what other programs set a display to.
struct LightService: Service {
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    /// Finds the machine's sensors.
    let finder: SensorFinder
    /// Whose brightness is taken for the light where there is no sensor; `nil` for the first display's.
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

    private var isSimulated: Bool { displays.all.states.contains { $0.kind == .simulated } }

    private func report(_ room: SimulatedRoom) async {
        let subscriptions = SubscriptionGroup(
            hub.source,
            [Subscription(to: NotificationFilter([.display])) { _ in endWithLastDisplay(room) }]
        )
        // The display may have been removed before.
        endWithLastDisplay(room)
        await room.keepReporting(on: MachineClock())
        subscriptions.end()
    }

    private func endWithLastDisplay(_ room: SimulatedRoom) {
        if !isSimulated { room.end() }
    }

    /// Until the last simulated display gives way to a real one, or there is a sensor more.
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
        // Something near is no light.
        guard sensors.contains(where: { $0.kind == .illuminance }) else {
            logger.info("light sensors: none, so what other programs set a display to stands in for the light")
            return await observe(standIn ?? displays.all.states.first { $0.kind != .remote }?.id)
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

    /// - Parameter display: `nil` for the first that comes, where there is none yet.
    private func observe(_ display: DisplayID?) async {
        var light = BrightnessAsLightSensor()
        var observed = display
        for await change in hub.source.notifications(of: NotificationFilter([.brightness], of: display.map { [$0] })) {
            guard case .brightness(let state) = change, state.kind != .remote, state.id == observed ?? state.id else {
                continue
            }
            observed = state.id
            if let news = light.news(of: state) { hub.poster.post(.ambient(news)) }
        }
    }
}
