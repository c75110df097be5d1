// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// Reads the light sensors and posts each change of the ambient light.
///
/// Sensors elsewhere that clients report count as soon as they are reported.
///
/// Reads often while a viewer is present or a display follows the light, and rarely otherwise. Pauses for `rest` after
/// the machine has slept, because some drivers report 0 right after a resume.
package final class AmbientService: Sendable {
    static let fast: Duration = .milliseconds(500)
    static let slow: Duration = .seconds(5)
    static let rest: Duration = .seconds(6)

    fileprivate struct State {
        var estimator: AmbientEstimator
        /// The machine's total sleep at the last reading.
        var slept: Duration?
        var readAt: Instant?
        var restsUntil: Instant?
        /// `true` after `poll` has ended: nothing is posted.
        var isOver = false
    }

    private let sensors: [any LightSensor]
    private let reports: LightReports
    private let queue: any JobQueue
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let state: Mutex<State>

    /// - Parameters:
    ///   - sensors: Their ids must be unique.
    ///   - reports: The sensors elsewhere that clients report.
    ///   - queue: Runs the readings, which may block.
    package init(
        _ sensors: [any LightSensor],
        _ reports: LightReports = LightReports(),
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster
    ) {
        // Proximity first: it decides whether the other readings count.
        self.sensors = sensors.filter { $0.kind == .proximity } + sensors.filter { $0.kind != .proximity }
        self.reports = reports
        self.queue = queue
        self.source = source
        self.poster = poster
        let elsewhere = Set(sensors.filter(\.isElsewhere).map(\.id))
        state = Mutex(State(estimator: AmbientEstimator(sensors.map { ($0.id, $0.kind) }, elsewhere: elsewhere)))
    }

    /// Reads the sensors at their intervals until the task is cancelled. Posts nothing afterwards: another light source
    /// may have replaced this one.
    ///
    /// - Parameters:
    ///   - now: Reads the clocks.
    ///   - slept: Returns how long the machine has slept since the daemon was started.
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
                // Runs while a display follows the light.
                Subscription(.custom) { await read(every: Self.fast) },
                Subscription(.lifetime) { await self.readReports(on: clock, now: now) },
            ]
        )
        let following = Binding(source.following, to: \.isStarted, of: often)
        await read(every: Self.slow)
        withExtendedLifetime(following) { often.end() }
        // The other subscriptions may still be reading.
        state.withLock { $0.isOver = true }
    }

    /// Reads the sensors unless the last reading is newer than the interval. Returns when the next reading is due.
    func read(every interval: Duration, at now: Moment, slept: Duration) -> Instant {
        if let next = state.withLock({ $0.wait(interval, at: now.instant, slept: slept) }) { return next }
        for sensor in sensors {
            let reading = try? sensor.read()
            state.withLock { $0.estimator.take(reading, of: sensor.id, at: now.instant) }
        }
        readReports(at: now)
        return now.instant + interval
    }

    /// Reads the reports after each change of them.
    private func readReports<C: Clock<Duration>>(
        on clock: C,
        now: @escaping @Sendable () -> Moment
    ) async where C.Instant == Instant {
        while !Task.isCancelled {
            let version = reports.version
            queue.enqueue {
                let now = now()
                // The sensors of this machine come first.
                if self.state.withLock({ $0.isRead(at: now.instant) }) { self.readReports(at: now) }
            }
            await reports.awaitChange(after: version, on: clock)
        }
    }

    /// Adds the readings of sensors elsewhere, and posts the light if it changed.
    private func readReports(at now: Moment) {
        let current = reports.all(at: now.instant)
        let wakes = state.withLock { state in
            state.estimator.take(current, at: now.instant)
            guard !state.isOver, let news = state.estimator.news(at: now) else { return poster.put([]) }
            return poster.put([.ambient(news)])
        }
        wakes()
    }
}

extension AmbientService.State {
    /// Whether the sensors were read since the machine woke.
    fileprivate func isRead(at now: Instant) -> Bool {
        readAt != nil && restsUntil.map { $0 <= now } ?? true
    }

    /// Returns when the next reading is due; `nil` if it is due now.
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
