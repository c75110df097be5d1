// SPDX-License-Identifier: Apache-2.0

/// An origin of sensors: the machine, the simulated room, devices that are read by URL, reports of clients.
///
/// Posts `Notification.sensors` after each change of its sensors, and when one of them has a reading that counts at
/// once. A new source is one type, and an entry in the daemon's `SensorDirectory`.
package protocol SensorSource: Sendable {
    /// Returns the current sensors, in the order in which they are reported; `nil` if the source has ended.
    ///
    /// Called before each round of readings, so it must be fast. The ids must be unique among all sources.
    func sensors(at now: Instant) -> [any AmbientSensor]?

    /// Notices changes of the sensors until the task is cancelled.
    func watch<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant
}

extension SensorSource {
    /// For a source that notices its changes by itself, or has none.
    package func watch<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {}
}

/// The sensors that are in force. Nothing else decides it, for the light and for presence.
///
/// - Of the sources of this machine the first that has not ended counts: the simulated room, then the machine.
/// - All remote sources count.
package struct SensorDirectory: Sendable {
    private let own: [any SensorSource]
    private let remote: [any SensorSource]

    /// - Parameter own: The sources whose sensors see the light of this machine's displays, the preferred one first.
    package init(own: [any SensorSource], remote: [any SensorSource] = []) {
        self.own = own
        self.remote = remote
    }

    package func sensors(at now: Instant) -> [any AmbientSensor] {
        let current = own.lazy.compactMap { $0.sensors(at: now) }.first ?? []
        return current + remote.flatMap { $0.sensors(at: now) ?? [] }
    }

    /// Watches all sources until the task is cancelled.
    package func watch<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        await withDiscardingTaskGroup { group in
            for source in own + remote { group.addTask { await source.watch(on: clock) } }
        }
    }
}

/// A sensor of light or proximity. Injected, so that tests pass their own.
package protocol AmbientSensor: Sendable {
    /// Unique on this machine, such as `iio:device0` or `simulated:front`.
    var id: String { get }
    var kind: Ambient.SensorKind { get }
    /// Whether it may see another light than the displays of this machine.
    var isRemote: Bool { get }

    /// Returns the current reading. May block for one conversion; called on the sensors' queue.
    func read() throws(DeviceError) -> SensorReading
}

extension AmbientSensor {
    package var isRemote: Bool { false }
}

/// A sensor's unfiltered reading; `AmbientEstimator` decides whether it counts.
package enum SensorReading: Hashable, Sendable {
    /// Any number that a driver may report.
    case lux(Double)
    case near(Bool)
}
