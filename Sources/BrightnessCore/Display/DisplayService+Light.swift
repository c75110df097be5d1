// SPDX-License-Identifier: Apache-2.0

extension DisplayService {
    /// Moves the displays with automatic brightness by the ambient light, until the task is cancelled. Subscribes to
    /// the light only while there is such a display.
    ///
    /// - Parameter now: Reads the clocks; called at each change of the light.
    package func followLight(now: @escaping @Sendable () -> Moment) async {
        guard let source else { return }
        let light = SubscriptionGroup(
            source,
            [
                Subscription(to: NotificationFilter([.ambient]), lifespan: .custom) { [weak self] _ in
                    self?.follow(at: now())
                }
            ]
        )
        await Binding(source.following, to: \.isStarted, of: light).wait()
        light.end()
    }

    private func follow(at now: Moment) {
        for state in own where state.automatic.isEnabled { perform(.follow, on: state.id, at: now) }
    }
}

extension NotificationSource {
    /// The light for automatic brightness; `nil` while no sensor knows it. A display's brightness never substitutes for
    /// a sensor here: the display would follow itself.
    var light: Illuminance? { sensed?.illuminance }

    /// Whether a light sensor exists, even if it currently does not answer.
    package var hasLightSensor: Bool {
        guard let sensed else { return false }
        return sensed.illuminance != nil || sensed.sensors.contains { $0.kind == .illuminance }
    }

    /// Whether it is known that no sensor knows the light.
    var lacksLight: Bool { retained(.ambient) != nil && light == nil }

    private var sensed: Ambient? {
        if case .ambient(let ambient) = retained(.ambient), ambient.source == .sensor { ambient } else { nil }
    }
}
