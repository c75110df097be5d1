// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The work that displays have without a command of a client: at a time, after a change of the light, the clock, the
/// streams or the panel.
extension DisplayService {
    /// Reports an opened stream. Its holders' `visible` leases last until their last stream is closed.
    package func streamOpened(by names: Set<String>, of principal: Principal, at now: Moment) {
        if holders.opened(names, of: principal, at: now) { compareVisibleLeases(at: now) }
    }

    /// Reports a closed stream. After the last one, a holder's `visible` leases last for `LeaseTable.grace`.
    package func streamClosed(by names: Set<String>, of principal: Principal, at now: Moment) {
        if holders.closed(names, of: principal, at: now) { compareVisibleLeases(at: now) }
    }

    /// Lets the displays of this machine that may have `visible` leases compare them with the holders' streams. Other
    /// daemons keep the leases of mirrored displays.
    private func compareVisibleLeases(at now: Moment) {
        for (_, worker) in store.workers where worker.mayHaveVisibleLeases { worker.perform(.tick, at: now) }
    }

    /// Corrects the reported ends of leases and holds of this machine's displays after the wall clock was set.
    package func clockWasSet(at now: Moment) {
        for (_, worker) in store.workers { worker.perform(.clockSet, at: now) }
    }

    func perform(_ chore: Chore, on id: DisplayID, at now: Moment) {
        store.owner(of: id)?.worker?.perform(chore, at: now)
    }

    /// Ends expired leases, continues transitions and retries faulty panels, until the task is cancelled.
    ///
    /// - Parameter now: Reads the clocks; called when a deadline may be reached.
    package func runDeadlines<C: Clock<Duration>>(
        on clock: C,
        now: @Sendable () -> Moment
    ) async where C.Instant == Instant {
        let timer = dependencies.timer
        for await _ in timer.firings {
            timer.acknowledge()
            let moment = now()
            tick(at: moment)
            timer.arm(for: store.nextDeadline(after: moment.instant), on: clock)
        }
    }

    /// Does not wait for a panel: a hanging one must not delay the other panels' leases.
    func tick(at now: Moment) {
        for id in store.displays(dueAt: now.instant) { perform(.tick, on: id, at: now) }
    }

    /// Reads a panel whenever it reports a possible change by others. Returns when the panel's reports end, the task is
    /// cancelled, or the display is withdrawn.
    package func watch(_ panel: any Panel, now: @Sendable () -> Moment) async {
        for await kind in panel.changes {
            let result = await perform(Command(.refresh(as: kind)), on: panel.id, at: now())
            if case .failure(.unknownDisplay) = result { return }
        }
    }

    /// Moves the displays with automatic brightness by the ambient light, until the task is cancelled. Subscribes to
    /// the light and to new displays only while there is such a display.
    ///
    /// - Parameter now: Reads the clocks; called at each change of the light and of the displays.
    package func followLight(now: @escaping @Sendable () -> Moment) async {
        guard let source else { return }
        let light = SubscriptionGroup(
            source,
            Subscription(to: NotificationFilter([.ambient, .display]), lifespan: .whileStarted) { [weak self] in
                self?.follow(after: $0, at: now())
            }
        )
        // Starts the subscription while some display follows the light. Returns when the task is cancelled.
        await Binding(source.following, to: \.isStarted, of: light).wait()
        light.end()
    }

    /// Moves every automatic display after a change of the light; after an arrival only the new display.
    private func follow(after notification: Notification, at now: Moment) {
        if case .display(let id, let change, _) = notification {
            if change == .added, state(of: id)?.automatic.isEnabled == true { perform(.follow, on: id, at: now) }
            return
        }
        for state in own where state.automatic.isEnabled { perform(.follow, on: state.id, at: now) }
    }

    /// Longer than any working panel blocks its queue. A monitor may wait for a search of all buses, for other
    /// monitors, and for its own retries: one minute in total.
    static let queueTimeout: Duration = .seconds(120)

    /// Returns the displays whose panel blocks its queue for longer than `queueTimeout`. Call it regularly: each call
    /// pings the queues that answered the previous ping.
    package func stuckDisplays(at now: Instant) -> [DisplayID] {
        let workers = store.workers
        let due = pinged.withLock { pinged in
            // Withdrawn displays cannot be stuck.
            let ids = Set(workers.map(\.id))
            pinged = pinged.filter { ids.contains($0.key) }
            let due = workers.filter { pinged[$0.id] == nil }
            for (id, _) in due { pinged[id] = now }
            return due
        }
        for (id, worker) in due {
            worker.echo { [weak self] in self?.pinged.withLock { $0[id] = nil } }
        }
        let stuck = pinged.withLock { $0.filter { now - $0.value >= Self.queueTimeout } }
        return stuck.keys.sorted { $0.text < $1.text }
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
