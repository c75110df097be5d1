// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Holds a wake of `presence` on every display of this machine while a proximity sensor has somebody near, and for a
/// time afterwards.
package final class PresenceService: Sendable {
    static let interval: Duration = .milliseconds(500)

    private let displays: DisplayService
    private let queue: any JobQueue
    private let now: @Sendable () -> Moment
    private let state: Mutex<PresenceTrack>

    /// - Parameters:
    ///   - time: How long the wake lasts after somebody was near.
    ///   - queue: Runs the readings, which may block.
    ///   - now: Reads the clocks.
    package init(
        _ displays: DisplayService,
        wakingFor time: Duration,
        on queue: any JobQueue,
        now: @escaping @Sendable () -> Moment
    ) {
        self.displays = displays
        self.queue = queue
        self.now = now
        state = Mutex(PresenceTrack(wakingFor: time))
    }

    /// Reads the sensors until the task is cancelled.
    package func watch<C: Clock<Duration>>(_ sensors: [any LightSensor], on clock: C) async
    where C.Instant == Instant {
        repeat {
            await withCheckedContinuation { continuation in
                queue.enqueue {
                    self.read(sensors)
                    continuation.resume()
                }
            }
        } while (try? await clock.sleep(until: clock.now + Self.interval, tolerance: nil)) != nil
    }

    /// Reads the sensors, and grants or extends the wake. A sensor that fails has nobody near.
    func read(_ sensors: [any LightSensor]) {
        let isNear = sensors.contains { (try? $0.read()) == .near(true) }
        let now = now()
        guard let time = state.withLock({ $0.take(isNear, at: now.instant) }) else { return }
        let holder = ReservedHolder.presence
        var command = Command(.grant(LeaseRequest(.wake, ttl: time, holder: holder)), by: holder)
        command.channel = .presence
        for state in displays.own {
            displays.submit(command, to: state.id, at: now) { _ in }
        }
    }
}

/// When the wake of somebody who is near is granted and extended.
struct PresenceTrack: Sendable {
    private let time: Duration
    private var wasNear = false
    private var grantedAt: Instant?

    init(wakingFor time: Duration) { self.time = time }

    /// Returns the time limit of the wake to grant or extend now; `nil` for no change.
    ///
    /// Who arrives and who leaves counts at once. While somebody stays, the wake is extended when half of it is over.
    mutating func take(_ isNear: Bool, at now: Instant) -> Duration? {
        defer { wasNear = isNear }
        guard isNear || wasNear else { return nil }
        if isNear == wasNear, let grantedAt, now < grantedAt + time / 2 { return nil }
        grantedAt = now
        return time
    }
}
