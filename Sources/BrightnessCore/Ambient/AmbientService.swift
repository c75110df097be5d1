// SPDX-License-Identifier: Apache-2.0
internal import Support
import Synchronization

/// Reads the sensors in force, and posts each change of the ambient light and whether somebody is near. Without a light
/// sensor, the light is the brightness that other programs set. Nothing else reads a sensor or posts the light.
///
/// - Reads often while a viewer is present, a display follows the light, or presence matters, and rarely otherwise.
/// - A change of the sensors, and a reading that a client reports, count at once.
/// - Posts no light for `rest` after the machine has slept.
/// - A sensor that is gone is never the source of the newest light: without any other, unknown light is posted.
package final class AmbientService: Sendable {
    static let fast: Duration = .milliseconds(500)
    static let slow: Duration = .seconds(5)
    /// The time after the machine's sleep in which drivers may report a wrong 0.
    static let rest: Duration = .seconds(6)

    private struct State: Sendable {
        var pace: ReadingPace
        /// Whether the last round found somebody near.
        var isNear = false
        var estimator = AmbientEstimator()
        /// The estimate without a light sensor, and its unread notifications.
        var fallback: (light: BrightnessAsLightSensor, displays: Listener)?
    }

    private let directory: SensorDirectory
    private let fallbackDisplay: DisplayID?
    private let resumes: ResumeDetector
    private let queue: any JobQueue
    private let source: NotificationSource
    private let poster: NotificationPoster
    private let listener: Listener
    /// Wakes `poll` after a notification, and when the next reading is due.
    private let wake: WakeSignal
    private let wakes: AsyncStream<Void>
    private let state: Mutex<State>

    /// - Parameters:
    ///   - fallbackDisplay: The display whose brightness substitutes for a light sensor; `nil` for the first display.
    ///   - needsPresence: Whether to post whether somebody is near.
    ///   - resumes: Is asked for a sleep of the machine before each reading.
    ///   - queue: Runs the readings, which may block.
    package init(
        _ directory: SensorDirectory,
        fallbackDisplay: DisplayID? = nil,
        needsPresence: Bool = false,
        resumes: ResumeDetector,
        on queue: any JobQueue,
        source: NotificationSource,
        poster: NotificationPoster
    ) {
        self.directory = directory
        self.fallbackDisplay = fallbackDisplay
        self.resumes = resumes
        state = Mutex(State(pace: ReadingPace(needsPresence: needsPresence)))
        self.queue = queue
        self.source = source
        self.poster = poster
        let (wakes, wake) = WakeSignal.makeStream()
        (self.wakes, self.wake) = (wakes, wake)
        listener = source.listen(to: NotificationFilter([.audience, .following, .sensors, .resumed])) { wake.send() }
        wake.send()
    }

    /// Reads the sensors in time until the task is cancelled. Call it once.
    ///
    /// - Parameter now: Reads the clocks.
    package func poll<C: Clock<Duration>>(
        on clock: C,
        now: @escaping @Sendable () -> Moment
    ) async where C.Instant == Instant {
        var sleeper: Task<Void, Never>?
        for await _ in wakes {
            sleeper?.cancel()
            let next = await withCheckedContinuation { continuation in
                queue.enqueue { continuation.resume(returning: self.readDue(at: now())) }
            }
            guard let next else { continue }
            sleeper = Task { [wake] in
                if (try? await clock.sleep(until: next, tolerance: nil)) != nil { wake.send() }
            }
        }
        sleeper?.cancel()
    }

    /// Reads the sensors that are due, and posts what changed. One call at a time.
    ///
    /// - Returns: When to call it again without a notification; `nil` for never.
    func readDue(at now: Moment) -> Instant? {
        resumes.check()
        // A copy, so that no lock is held while a sensor is read.
        var state = self.state.withLock { $0 }
        defer { self.state.withLock { $0 = state } }
        let sensors = directory.sensors(at: now.instant)
        state.estimator.use(sensors.map { ($0.id, $0.kind, $0.isRemote) })
        for notification in listener.drain() {
            state.pace.receive(notification, at: now.instant)
            // All earlier readings are too old.
            if notification == .resumed { state.estimator.restart() }
        }
        if let restEnd = state.pace.updateRest(sensors, at: now.instant) {
            // Only proximity is read, and no light is posted.
            guard state.pace.needsPresence else { return restEnd }
            read(sensors, &state, isResting: true, at: now)
            return min(state.pace.nextRound ?? restEnd, restEnd)
        }
        read(sensors, &state, isResting: false, at: now)
        let isMeasured = sensors.contains { $0.kind == .illuminance }
        if isMeasured { state.fallback = nil }
        if let ambient = isMeasured ? state.estimator.takeChange(at: now) : estimated(&state, at: now) {
            poster.post(.ambient(ambient))
        }
        let nextRound = sensors.isEmpty ? nil : state.pace.nextRound
        return [nextRound, state.fallback?.light.deadline].compactMap(\.self).min()
    }

    /// Reads the sensors that are due. Proximity first: it decides whether the other readings count.
    ///
    /// - Parameter isResting: Whether to read nothing but proximity.
    private func read(_ sensors: [any AmbientSensor], _ state: inout State, isResting: Bool, at now: Moment) {
        let isDue = state.pace.takeDueRound(sensors, at: now.instant)
        let proximity = sensors.filter { $0.kind == .proximity }
        let lights = isResting ? [] : sensors.filter { $0.kind != .proximity }
        let isLightDue = isDue && !isResting && state.pace.takeDueLight(at: now.instant)
        // Between two rounds it stays what the last one found.
        var isNear = !isDue && state.isNear && !proximity.isEmpty
        // A remote sensor only returns what was reported, which counts at once.
        for sensor in proximity + lights
        where sensor.isRemote || (sensor.kind == .proximity ? isDue : isLightDue) {
            // Nobody is near a sensor that fails.
            let reading = try? sensor.read()
            if reading == .near(true) { isNear = true }
            state.estimator.receive(reading, of: sensor.id, at: now.instant)
        }
        if state.pace.needsPresence, isNear != state.isNear { poster.post(.presence(isNear: isNear)) }
        state.isNear = isNear
    }

    /// The light without a light sensor.
    private func estimated(_ state: inout State, at now: Moment) -> Ambient? {
        var (light, displays) = state.fallback ?? makeFallback()
        for notification in displays.drain() {
            if case .state(let state) = notification { light.receive(state, at: now.instant) }
            guard case .display(let id, .removed, _) = notification, id == light.display else { continue }
            // The first of the others takes over.
            (light, displays) = makeFallback()
            for case .state(let state) in displays.drain() { light.receive(state, at: now.instant) }
        }
        defer { state.fallback = (light, displays) }
        // Without a display, the estimator reports unknown light, since it has no light sensor.
        guard light.display != nil else { return state.estimator.takeChange(at: now) }
        let estimate = light.takeChange(at: now)
        if estimate != nil { state.estimator.forgetReported() }
        return estimate
    }

    private func makeFallback() -> (BrightnessAsLightSensor, Listener) {
        let filter = NotificationFilter([.state, .display], ofThisMachine: true)
        return (BrightnessAsLightSensor(fallbackDisplay), source.listen(to: filter) { [wake] in wake.send() })
    }
}
