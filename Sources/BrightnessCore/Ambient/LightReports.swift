// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// The remote light sensors that clients report. Any thread.
///
/// A report counts until its end, or until its name is reported again or removed.
package final class LightReports: SensorSource {
    /// The maximum number of names.
    package static let limit = 16

    private struct Entry {
        let illuminance: Illuminance
        let end: Instant
    }

    private let poster: NotificationPoster
    private let entries = Mutex<[SensorName: Entry]>([:])
    /// Fires at the next end.
    private let timer = DeadlineTimer()

    package init(poster: NotificationPoster) { self.poster = poster }

    /// - Parameter ttl: The time for which it counts.
    /// - Returns: `false` if `limit` other names are reported: then it is rejected.
    package func put(
        _ illuminance: Illuminance,
        of name: SensorName,
        for ttl: Duration,
        at now: Instant
    ) -> Bool {
        let isAccepted = entries.withLock { entries in
            entries = entries.filter { $0.value.end > now }
            guard entries[name] != nil || entries.count < Self.limit else { return false }
            entries[name] = Entry(illuminance: illuminance, end: now + ttl)
            return true
        }
        guard isAccepted else { return false }
        timer.set(for: now + ttl)
        poster.post(.sensors)
        return true
    }

    package func remove(_ name: SensorName, at now: Instant) -> Bool {
        let removed = entries.withLock { $0.removeValue(forKey: name) }
        guard let removed, removed.end > now else { return false }
        poster.post(.sensors)
        return true
    }

    /// Returns the current reports in the order of their names.
    package func all(at now: Instant) -> [LightReport] {
        entries.withLock { entries in
            entries.filter { $0.value.end > now }.sorted { $0.key < $1.key }
                .map { LightReport(name: $0.key, illuminance: $0.value.illuminance) }
        }
    }

    package func sensors(at now: Instant) -> [any AmbientSensor]? { all(at: now) }

    package func watch<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        for await _ in timer.firings {
            timer.acknowledge()
            let now = clock.now
            let (hasEnded, next) = entries.withLock { entries in
                let current = entries.filter { $0.value.end > now }
                defer { entries = current }
                return (current.count < entries.count, current.values.map(\.end).min())
            }
            if hasEnded { poster.post(.sensors) }
            timer.arm(for: next, on: clock)
        }
    }
}

/// A remote light sensor, as a client reports it. Its last reading stands for the time until the next one.
package struct LightReport: AmbientSensor, Hashable {
    package let name: SensorName
    package let illuminance: Illuminance

    /// Differs from the id of every sensor of this machine.
    package var id: String { "remote:\(name.text)" }
    package var kind: Ambient.SensorKind { .illuminance }
    package var isRemote: Bool { true }

    package func read() -> SensorReading { .lux(illuminance.lux) }
}

/// The name of a remote sensor: 1 to 64 letters, digits and `_ . -`, one path segment.
package struct SensorName: Hashable, Sendable, Comparable {
    package let text: String

    package init?(_ text: String) {
        guard text.isName() else { return nil }
        self.text = text
    }

    package static func < (left: SensorName, right: SensorName) -> Bool { left.text < right.text }
}
