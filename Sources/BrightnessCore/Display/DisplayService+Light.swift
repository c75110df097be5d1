// SPDX-License-Identifier: Apache-2.0

extension DisplayService {
    /// Moves the displays with automatic brightness by the ambient light, until the task is cancelled. Subscribes to
    /// the light and to new displays only while there is such a display.
    ///
    /// - Parameter now: Reads the clocks; called at each change of the light and of the displays.
    package func followLight(now: @escaping @Sendable () -> Moment) async {
        guard let source else { return }
        let light = SubscriptionGroup(
            source,
            Subscription(to: NotificationFilter([.ambient, .display]), lifespan: .custom) { [weak self] in
                self?.follow(after: $0, at: now())
            }
        )
        await Binding(source.following, to: \.isStarted, of: light).wait()
        light.end()
    }

    /// Moves every automatic display after a change of the light, and a display that was added on its own.
    private func follow(after news: Notification, at now: Moment) {
        if case .display(let id, let change, _) = news {
            if change == .added, state(of: id)?.automatic.isEnabled == true { perform(.follow, on: id, at: now) }
            return
        }
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
