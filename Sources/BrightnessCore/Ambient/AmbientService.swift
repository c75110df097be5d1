// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Reads the light sensors and posts the light in the room whenever it is something new.
///
/// They are read often while the audience is present or a display follows the light, and rarely otherwise. After the machine
/// has slept they are left alone for a while: there are drivers that say 0 until they have had their rest.
package final class AmbientService: Sendable {
    static let fast: Duration = .milliseconds(500)
    static let slow: Duration = .seconds(5)
    static let rest: Duration = .seconds(6)

    fileprivate struct State {
        var estimator: AmbientEstimator
        /// How long the machine had slept when it was last looked.
        var slept: Duration?
        var readAt: Instant?
        var restsUntil: Instant?
        /// Nothing is posted any more.
        var isOver = false
    }

    private let sensors: [any LightSensor]
    private let queue: any JobQueue
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let state: Mutex<State>

    /// - Parameters:
    ///   - sensors: With ids of their own.
    ///   - queue: Where they are read, since that may block.
    package init(
        _ sensors: [any LightSensor],
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster
    ) {
        // What is near decides whether the others are believed.
        self.sensors = sensors.filter { $0.kind == .proximity } + sensors.filter { $0.kind != .proximity }
        self.queue = queue
        self.source = source
        self.poster = poster
        state = Mutex(State(estimator: AmbientEstimator(sensors.map { ($0.id, $0.kind) })))
    }

    /// Reads in time, until the task is cancelled. After that nothing is posted any more: something else may stand for the light by then.
    ///
    /// - Parameters:
    ///   - now: Reads the clocks.
    ///   - slept: For how long the machine has slept since it was started.
    package func poll<C: Clock<Duration>>(
        on clock: C,
        now: @escaping @Sendable () -> Moment,
        slept: @escaping @Sendable () -> Duration
    ) async where C.Instant == Instant {
        @Sendable func read(every interval: Duration) async {
            var next: Instant
            repeat {
                next = await withCheckedContinuation { continuation in
                    queue.enqueue {
                        continuation.resume(returning: self.read(every: interval, at: now(), slept: slept()))
                    }
                }
            } while (try? await clock.sleep(until: next, tolerance: nil)) != nil
        }
        let often = SubscriptionGroup(
            source,
            [
                Subscription(.visible) { await read(every: Self.fast) },
                // While a display follows the light.
                Subscription(.custom) { await read(every: Self.fast) },
            ]
        )
        let following = Binding(source.following, to: \.isStarted, of: often)
        await read(every: Self.slow)
        withExtendedLifetime(following) { often.end() }
        // The others may be at a reading.
        state.withLock { $0.isOver = true }
    }

    /// Reads the sensors if that was not done for as long as the interval. Returns when it is time again.
    func read(every interval: Duration, at now: Moment, slept: Duration) -> Instant {
        if let next = state.withLock({ $0.wait(interval, at: now.instant, slept: slept) }) { return next }
        for sensor in sensors {
            let reading = try? sensor.read()
            state.withLock { $0.estimator.take(reading, of: sensor.id, at: now.instant) }
        }
        let wakes = state.withLock { state in
            guard !state.isOver, let news = state.estimator.news(at: now) else { return poster.put([]) }
            return poster.put([.ambient(news)])
        }
        wakes()
        return now.instant + interval
    }
}

extension AmbientService.State {
    /// Until when there is nothing to do; `nil` if the sensors are to be read now.
    fileprivate mutating func wait(_ interval: Duration, at now: Instant, slept: Duration) -> Instant? {
        if let before = self.slept, slept - before > .seconds(1) {
            estimator.restart()
            restsUntil = now + AmbientService.rest
        }
        self.slept = slept
        if let until = [readAt.map { $0 + interval }, restsUntil].compactMap({ $0 }).max(), until > now {
            return until
        }
        readAt = now
        return nil
    }
}
