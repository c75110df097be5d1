// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Asks the light sensors, and tells the hub what the light in the room is, whenever that is something new.
///
/// They are asked often while somebody looks or a display follows the light, and rarely otherwise. After the machine
/// has slept they are left alone for a while: there are drivers that say 0 until they have had their rest.
package final class AmbientService: Sendable {
    static let fast: Duration = .milliseconds(500)
    static let slow: Duration = .seconds(5)
    static let rest: Duration = .seconds(6)

    fileprivate struct State {
        var estimator: AmbientEstimator
        var isWatched = false
        /// How long the machine had slept when it was last looked.
        var slept: Duration?
        var next: Instant?
        var restsUntil: Instant?
    }

    private let sensors: [any LightSensor]
    private let queue: any JobQueue
    private let poster: NotificationPoster
    private let isFollowed: @Sendable () -> Bool
    private let alarm: Alarm
    private let audience: Listener
    private let state: Mutex<State>

    /// - Parameters:
    ///   - sensors: With ids of their own.
    ///   - queue: Where they are asked, since that may block.
    ///   - isFollowed: Whether a display's brightness follows the light.
    package init(
        _ sensors: [any LightSensor],
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster,
        isFollowed: @escaping @Sendable () -> Bool
    ) {
        // What is near decides whether the others are believed.
        self.sensors = sensors.filter { $0.kind == .proximity } + sensors.filter { $0.kind != .proximity }
        self.queue = queue
        self.poster = poster
        self.isFollowed = isFollowed
        let alarm = Alarm()
        self.alarm = alarm
        audience = source.listen(to: Interest([.audience])) { alarm.set(for: .atOnce) }
        state = Mutex(State(estimator: AmbientEstimator(sensors.map { ($0.id, $0.kind) })))
        alarm.set(for: .atOnce)
    }

    /// Asks in time, until the task is cancelled.
    ///
    /// - Parameters:
    ///   - now: Reads the clocks.
    ///   - slept: For how long the machine has slept since it was started.
    package func keepTime<C: Clock<Duration>>(
        on clock: C,
        now: @escaping @Sendable () -> Moment,
        slept: @escaping @Sendable () -> Duration
    ) async where C.Instant == Instant {
        for await _ in alarm.rings {
            alarm.answer()
            let next = await withCheckedContinuation { continuation in
                queue.enqueue { continuation.resume(returning: self.look(at: now(), slept: slept())) }
            }
            alarm.sleep(until: next, on: clock)
        }
    }

    /// Asks the sensors if it is time to. Returns when it is time again.
    func look(at now: Moment, slept: Duration) -> Instant {
        if let next = state.withLock({ $0.wait(at: now.instant, slept: slept, news: audience.drain()) }) { return next }
        for sensor in sensors {
            let reading = try? sensor.read()
            state.withLock { $0.estimator.take(reading, of: sensor.id, at: now.instant) }
        }
        let isFollowed = isFollowed()
        let (news, next) = state.withLock { state in
            let next = now.instant + (state.isWatched || isFollowed ? Self.fast : Self.slow)
            state.next = next
            return (state.estimator.news(at: now), next)
        }
        if let news { poster.post(.ambient(news)) }
        return next
    }
}

extension AmbientService.State {
    /// Until when there is nothing to do; `nil` if it is time.
    fileprivate mutating func wait(at now: Instant, slept: Duration, news: [Notification]) -> Instant? {
        if case .audience(let isPresent)? = news.last {
            // Whoever comes does not wait for a slow turn.
            if isPresent, !isWatched { next = nil }
            isWatched = isPresent
        }
        if let before = self.slept, slept - before > .seconds(1) {
            estimator.restart()
            restsUntil = now + AmbientService.rest
        }
        self.slept = slept
        guard let until = [next, restsUntil].compactMap({ $0 }).max(), until > now else { return nil }
        return until
    }
}

extension Instant {
    /// Earlier than every deadline.
    fileprivate static let atOnce = Instant(sinceBoot: .zero)
}
