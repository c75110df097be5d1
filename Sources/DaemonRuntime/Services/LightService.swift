// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import LightDevices
import Support

/// Posts the ambient light: of the simulated room while a display is simulated, else of the machine's sensors, with the
/// sensors elsewhere that clients report and those that are read by URL; or without a sensor the brightness that other
/// programs set.
struct LightService: Service {
    /// `nil` if no display was simulated at the start.
    let room: SimulatedRoom?
    /// Finds the machine's sensors.
    let finder: SensorFinder
    /// The sensors elsewhere that clients report.
    let reports: LightReports
    /// The sensors elsewhere that are read by URL.
    let devices: LightDevices
    /// The display whose brightness substitutes for a light sensor; `nil` for the first display.
    let standIn: DisplayID?
    let hub: NotificationHub
    let displays: DisplayService
    let logger: Logger

    func run() async {
        do throws(ThreadError) {
            try devices.start()
        } catch {
            logger.error("light sensors by URL are not read: \(error)")
        }
        defer { devices.stop() }
        await withDiscardingTaskGroup { group in
            if let room {
                group.addTask { await report(room) }
                group.addTask { await room.keepAdjusting(on: MachineClock()) }
            }
            while !Task.isCancelled { await observe(at: origin) }
        }
    }

    /// Where the sensors are.
    private enum Origin: Equatable {
        case machine
        /// `false` while the room's sensors are hidden.
        case room(hasSensors: Bool)

        var isSimulated: Bool { if case .room = self { true } else { false } }
    }

    private var origin: Origin { isSimulated ? .room(hasSensors: room?.room.hasSensors ?? false) : .machine }

    private var isSimulated: Bool { displays.hasSimulated }

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

    /// Runs until a real display replaces the last simulated one, or a sensor is added, or the only ones elsewhere come
    /// or go, or the room's sensors are hidden or shown.
    private func observe(at origin: Origin) async {
        let own = origin.isSimulated ? room?.sensors ?? [] : finder.sensors
        let sensors = own + devices.sensors
        // A proximity sensor alone does not measure light.
        let isMeasured = sensors.contains { $0.kind == .illuminance }
        let isReported = hasReports
        await withTaskGroup(of: Bool.self) { group in
            group.addTask {
                await observe(sensors, isMeasured, isReported)
                return false
            }
            group.addTask {
                if isMeasured { return false }
                await awaitReports(!isReported)
                return true
            }
            group.addTask {
                let changes = hub.source.notifications(of: NotificationFilter([.display, .room]))
                if self.origin != origin { return true }
                for await _ in changes where self.origin != origin { return true }
                return true
            }
            group.addTask {
                if origin.isSimulated { return false }
                await finder.awaitOther(than: own)
                return true
            }
            for await isOver in group where isOver { break }
            group.cancelAll()
        }
    }

    private var hasReports: Bool { !reports.all(at: MachineClock().now).isEmpty }

    /// Returns when there is a report, or none.
    private func awaitReports(_ areWanted: Bool) async {
        while !Task.isCancelled {
            let version = reports.version
            if hasReports == areWanted { return }
            await reports.awaitChange(after: version, on: MachineClock())
        }
    }

    private func observe(_ sensors: [any LightSensor], _ isMeasured: Bool, _ isReported: Bool) async {
        guard isMeasured || isReported else {
            logger.info(
                """
                light sensors: none; the brightness that other programs set is used instead. Turn on the automatic \
                brightness of the system
                """
            )
            let display = standIn ?? displays.own.first?.id
            let light = BrightnessAsLightService(display, source: hub.source, poster: hub.poster)
            return await light.run(on: MachineClock(), now: MachineClock.moment)
        }
        let names = sensors.map(\.id).joined(separator: ", ")
        logger.info("light sensors: \(isMeasured ? names : "none; the readings that clients report are used instead")")
        let ambient = AmbientService(
            sensors,
            reports,
            on: SerialQueue("sensors"),
            source: hub.source,
            poster: hub.poster
        )
        await ambient.poll(on: MachineClock(), now: MachineClock.moment, slept: MachineClock.slept)
    }
}
