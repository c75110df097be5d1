// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Posts whether a proximity sensor has somebody near.
package final class ProximityWatch: Sendable {
    static let interval: Duration = .milliseconds(500)

    private let sensors: [any LightSensor]
    private let queue: any JobQueue
    private let poster: NotificationPoster
    private let wasNear = Mutex(false)

    /// - Parameter queue: Runs the readings, which may block.
    package init(_ sensors: [any LightSensor], on queue: any JobQueue, poster: NotificationPoster) {
        self.sensors = sensors
        self.queue = queue
        self.poster = poster
    }

    /// Reads the sensors until the task is cancelled. Then nobody is near.
    package func run<C: Clock<Duration>>(on clock: C) async where C.Instant == Instant {
        repeat {
            await withCheckedContinuation { continuation in
                queue.enqueue {
                    self.read()
                    continuation.resume()
                }
            }
        } while (try? await clock.sleep(until: clock.now + Self.interval, tolerance: nil)) != nil
        post(false)
    }

    /// Reads the sensors. One that fails has nobody near.
    func read() { post(sensors.contains { (try? $0.read()) == .near(true) }) }

    private func post(_ isNear: Bool) {
        let isNews = wasNear.withLock { wasNear in
            defer { wasNear = isNear }
            return wasNear != isNear
        }
        if isNews { poster.post(.presence(isNear: isNear)) }
    }
}
