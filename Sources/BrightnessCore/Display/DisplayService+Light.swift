// SPDX-License-Identifier: Apache-2.0

extension DisplayService {
    /// Lets the light in the room set the displays that follow it, until the task is cancelled. Listens to the light only
    /// while there is such a display.
    ///
    /// - Parameter now: Reads the clocks; called whenever the light has changed.
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
        for await isFollowing in source.following { light.isStarted = isFollowing }
    }

    private func follow(at now: Moment) {
        for state in all.states where state.automatic.isEnabled && state.kind != .remote {
            submit(Command(.follow), to: state.id, at: now) { _ in }
        }
    }
}

extension NotificationSource {
    /// The light that automatic brightness follows; `nil` while no sensor knows it. A display's brightness that stands in
    /// for a sensor is none: a display would follow itself.
    package var light: Illuminance? { sensed?.illuminance }

    /// Whether there is light to follow, now or when the sensor answers again.
    package var hasLightSensor: Bool { sensed != nil }

    private var sensed: Ambient? {
        if case .ambient(let ambient) = retained(.ambient), ambient.source == .sensor { ambient } else { nil }
    }
}
