// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// Reads the light sensors in force and posts each change of the ambient light; without one, the brightness that other
/// programs set. Nothing else posts the light.
///
/// - Reads often while a viewer is present or a display follows the light, and rarely otherwise.
/// - A change of the sensors, and a reading that a client reports, count at once.
/// - Pauses for `rest` after the machine has slept, because some drivers report 0 right after a resume.
/// - A sensor that is gone is never the source of the newest light: without any other, unknown light is posted.
package final class AmbientService: Sendable {
    static let fast: Duration = .milliseconds(500)
    static let slow: Duration = .seconds(5)
    static let rest: Duration = .seconds(6)

    private struct State: Sendable {
        var pace = ReadingPace()
        var estimator = AmbientEstimator()
        /// The rules without a light sensor, and the states that they have not taken.
        var standIn: (light: StandInLight, states: Listener)?
    }

    private let directory: SensorDirectory
    private let standIn: DisplayID?
    private let queue: any JobQueue
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let facts: Listener
    private let rings: AsyncStream<Void>
    private let ring: Signal
    private let state = Mutex(State())

    /// - Parameters:
    ///   - standIn: The display whose brightness substitutes for a light sensor; `nil` for the first display.
    ///   - queue: Runs the readings, which may block.
    package init(
        _ directory: SensorDirectory,
        standIn: DisplayID? = nil,
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster
    ) {
        self.directory = directory
        self.standIn = standIn
        self.queue = queue
        self.source = source
        self.poster = poster
        let (rings, ring) = Signal.makeStream()
        (self.rings, self.ring) = (rings, ring)
        facts = source.listen(to: NotificationFilter([.audience, .following, .sensors])) { ring.send() }
        ring.send()
    }

    /// Reads the sensors in time until the task is cancelled. Call it once.
    ///
    /// - Parameters:
    ///   - now: Reads the clocks.
    ///   - slept: Returns how long the machine has slept since the daemon was started.
    package func poll<C: Clock<Duration>>(
        on clock: C,
        now: @escaping @Sendable () -> Moment,
        slept: @escaping @Sendable () -> Duration
    ) async where C.Instant == Instant {
        var sleeper: Task<Void, Never>?
        for await _ in rings {
            sleeper?.cancel()
            let next = await withCheckedContinuation { continuation in
                queue.enqueue { continuation.resume(returning: self.turn(at: now(), slept: slept())) }
            }
            guard let next else { continue }
            sleeper = Task { [ring] in
                if (try? await clock.sleep(until: next, tolerance: nil)) != nil { ring.send() }
            }
        }
        sleeper?.cancel()
    }

    /// Reads the sensors that are due, and posts the light if it changed. One call at a time.
    ///
    /// - Returns: When to call it again without news; `nil` for never.
    func turn(at now: Moment, slept: Duration) -> Instant? {
        // A copy, so that no lock is held while a sensor is read.
        var state = self.state.withLock { $0 }
        defer { self.state.withLock { $0 = state } }
        let sensors = directory.sensors(at: now.instant)
        for fact in facts.drain() { state.pace.take(fact) }
        state.estimator.use(sensors.map { ($0.id, $0.kind, $0.isElsewhere) })
        if state.pace.hasSlept(slept, with: sensors, at: now.instant) { state.estimator.restart() }
        if let end = state.pace.rest(at: now.instant) { return end }
        let isDue = state.pace.isDue(sensors, at: now.instant)
        // Proximity first: it decides whether the other readings count.
        let order = sensors.filter { $0.kind == .proximity } + sensors.filter { $0.kind != .proximity }
        for sensor in order where isDue || sensor.isElsewhere {
            state.estimator.take(try? sensor.read(), of: sensor.id, at: now.instant)
        }
        let isMeasured = sensors.contains { $0.kind == .illuminance }
        if let news = isMeasured ? measured(&state, at: now) : estimated(&state, at: now) {
            poster.post(.ambient(news))
        }
        let round = sensors.isEmpty ? nil : state.pace.next
        return [round, state.standIn?.light.deadline].compactMap { $0 }.min()
    }

    private func measured(_ state: inout State, at now: Moment) -> Ambient? {
        state.standIn = nil
        return state.estimator.news(at: now)
    }

    /// The light without a light sensor.
    private func estimated(_ state: inout State, at now: Moment) -> Ambient? {
        var (light, states) = state.standIn ?? begin()
        for notification in states.drain() {
            if case .brightness(let shown) = notification { light.take(shown, at: now.instant) }
            guard case .display(let id, .removed, _) = notification, id == light.display else { continue }
            // The first of the others takes over.
            (light, states) = begin()
            for case .brightness(let shown) in states.drain() { light.take(shown, at: now.instant) }
        }
        defer { state.standIn = (light, states) }
        // Without a display, what the sensors measured last is over.
        guard light.display != nil else { return state.estimator.news(at: now) }
        let news = light.news(at: now)
        if news != nil { state.estimator.forgetReported() }
        return news
    }

    private func begin() -> (StandInLight, Listener) {
        let filter = NotificationFilter([.brightness, .display], ofThisMachine: true)
        return (StandInLight(standIn), source.listen(to: filter) { [ring] in ring.send() })
    }
}
