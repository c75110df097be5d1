// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The light of the simulated room from the front and the back. Time is an argument.
struct RoomLight: Sendable {
    private struct RunningScript: Sendable {
        let script: RoomScript
        let begin: Instant
        let duration: Duration
        /// The illuminance at the start, in lux.
        let front: Double
        let back: Double
    }

    /// In lux.
    private(set) var front: Double
    private(set) var back: Double
    private var running: RunningScript?

    init(front: Double, back: Double) {
        self.front = front
        self.back = back
    }

    /// Returns the running script and its elapsed time.
    func script(at now: Instant) -> RoomState.Script? {
        running.map { .init($0.script, duration: $0.duration, elapsed: min(now - $0.begin, $0.duration)) }
    }

    mutating func begin(_ script: RoomScript, for duration: Duration, at now: Instant) {
        advance(to: now)
        running = RunningScript(script: script, begin: now, duration: duration, front: front, back: back)
    }

    /// Stops the script. The light stays.
    mutating func stop(at now: Instant) {
        advance(to: now)
        running = nil
    }

    mutating func set(front: Double?, back: Double?, at now: Instant) {
        stop(at: now)
        self.front = front ?? self.front
        self.back = back ?? self.back
    }

    mutating func advance(to now: Instant) {
        guard let running else { return }
        let progress = min(max((now - running.begin) / running.duration, 0), 1)
        front = Self.light(running.front, in: running.script, at: progress)
        back = Self.light(running.back, in: running.script, at: progress)
        if progress == 1 { self.running = nil }
    }

    /// - Parameter progress: 0…1.
    private static func light(_ lux: Double, in script: RoomScript, at progress: Double) -> Double {
        switch script {
        case .sunset: moving(max(lux, 0.1), to: 0.5, at: progress)
        case .sunrise: moving(max(lux, 0.1), to: 10_000, at: progress)
        case .cloud: lux * pow(0.2, sin(.pi * progress))
        case .shadow: progress < 1 ? lux * 0.05 : lux
        case .reflection: progress < 1 ? min(lux * 25, Illuminance.brightest) : lux
        }
    }

    /// Moves exponentially, which looks even to the eye.
    private static func moving(_ lux: Double, to end: Double, at progress: Double) -> Double {
        progress == 1 ? end : lux * pow(end / lux, progress)
    }
}
