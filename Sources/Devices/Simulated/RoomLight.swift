// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Glibc

/// The light of the simulated room over time, from the front and the back. No clock.
struct RoomLight: Sendable {
    private struct Course: Sendable {
        let script: RoomScript
        let begin: Instant
        let duration: Duration
        /// Before it began.
        let front: Double
        let back: Double
    }

    /// In lux.
    private(set) var front: Double
    private(set) var back: Double
    private var course: Course?

    init(front: Double, back: Double) {
        self.front = front
        self.back = back
    }

    /// A script that is running, and for how long.
    func script(at now: Instant) -> RoomState.Script? {
        course.map { .init($0.script, duration: $0.duration, elapsed: min(now - $0.begin, $0.duration)) }
    }

    mutating func begin(_ script: RoomScript, for duration: Duration, at now: Instant) {
        advance(to: now)
        course = Course(script: script, begin: now, duration: duration, front: front, back: back)
    }

    /// The light stays as it is.
    mutating func stop(at now: Instant) {
        advance(to: now)
        course = nil
    }

    mutating func set(front: Double?, back: Double?, at now: Instant) {
        stop(at: now)
        self.front = front ?? self.front
        self.back = back ?? self.back
    }

    mutating func advance(to now: Instant) {
        guard let course else { return }
        let progress = min(max((now - course.begin) / course.duration, 0), 1)
        front = Self.light(course.front, in: course.script, at: progress)
        back = Self.light(course.back, in: course.script, at: progress)
        if progress == 1 { self.course = nil }
    }

    /// - Parameter progress: 0…1.
    private static func light(_ lux: Double, in script: RoomScript, at progress: Double) -> Double {
        switch script {
        case .sunset: moving(max(lux, 0.1), to: 0.5, at: progress)
        case .sunrise: moving(max(lux, 0.1), to: 10_000, at: progress)
        case .cloud: lux * pow(0.2, sin(.pi * progress))
        case .shadow: progress < 1 ? lux * 0.05 : lux
        }
    }

    /// By the same ratio in the same time, as the eye sees it.
    private static func moving(_ lux: Double, to end: Double, at progress: Double) -> Double {
        progress == 1 ? end : lux * pow(end / lux, progress)
    }
}

/// Noise that is the same at every run: SplitMix64, and the sum of twelve for a bell curve.
struct RoomNoise: Sendable {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    /// Around 0, with a standard deviation of 1.
    mutating func next() -> Double {
        (0..<12).reduce(-6.0) { sum, _ in sum + uniform() }
    }

    private mutating func uniform() -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((z ^ (z >> 31)) >> 11) * 0x1p-53
    }
}
