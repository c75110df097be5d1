// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Devices
import Logging
import ServiceLifecycle

/// Finds out what the light in the room is: from sensors, or where there are none from what others set a display to.
struct AmbientKeeper: Service {
    private enum Way {
        case sensors(AmbientService)
        case standIn(DisplayID)
    }

    private let hub: NotificationHub
    private let way: Way

    /// - Parameters:
    ///   - sensors: Where there is none, the brightness of `standIn` is taken for the light.
    ///   - service: Its displays may follow the light.
    init(
        _ sensors: [any LightSensor],
        standIn display: DisplayID,
        _ hub: NotificationHub,
        _ service: DisplayService,
        _ logger: Logger
    ) {
        self.hub = hub
        // Something near is no light.
        guard sensors.contains(where: { $0.kind == .illuminance }) else {
            way = .standIn(display)
            logger.info("light sensors: none, so what other programs set \(display) to stands in for the light")
            return
        }
        logger.info("light sensors: \(sensors.map(\.id).joined(separator: ", "))")
        way = .sensors(
            AmbientService(
                sensors,
                on: SerialQueue("sensors"),
                source: hub.source,
                poster: hub.poster,
                isFollowed: { service.all.states.contains(where: \.automatic.isEnabled) }
            )
        )
    }

    func run() async throws {
        await cancelWhenGracefulShutdown {
            switch way {
            case .sensors(let service):
                await service.keepTime(on: MachineClock(), now: MachineClock.moment, slept: MachineClock.slept)
            case .standIn(let display):
                var standIn = AmbientStandIn()
                for await change in hub.source.notifications(of: Interest([.brightness], of: [display])) {
                    guard case .brightness(let state) = change, let news = standIn.news(of: state) else { continue }
                    hub.poster.post(.ambient(news))
                }
            }
        }
    }
}
