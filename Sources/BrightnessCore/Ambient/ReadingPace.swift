// SPDX-License-Identifier: Apache-2.0

/// When the sensors are read. Has no clock and no sensor.
struct ReadingPace: Sendable {
    private var isWatched = false
    private var isFollowed = false
    /// The sensors of this machine at the last round.
    private var own: Set<String> = []
    /// The machine's total sleep at the last call; `nil` while there was no sensor.
    private var slept: Duration?
    private var readAt: Instant?
    private var restsUntil: Instant?

    private var interval: Duration { isWatched || isFollowed ? AmbientService.fast : AmbientService.slow }

    mutating func take(_ fact: Notification) {
        if case .audience(let isPresent) = fact { isWatched = isPresent }
        if case .following(let isFollowing) = fact { isFollowed = isFollowing }
    }

    /// Begins to rest if the machine has slept. Returns whether it has: then all earlier readings are too old.
    mutating func hasSlept(_ slept: Duration, with sensors: [any LightSensor], at now: Instant) -> Bool {
        defer { self.slept = sensors.isEmpty ? nil : slept }
        guard let before = self.slept, slept - before > .seconds(1) else { return false }
        // Only drivers report a wrong value after a sleep.
        if sensors.contains(where: { !$0.isElsewhere }) { restsUntil = now + AmbientService.rest }
        return true
    }

    /// The end of the rest; `nil` without one.
    mutating func rest(at now: Instant) -> Instant? {
        if let until = restsUntil, until <= now { restsUntil = nil }
        return restsUntil
    }

    /// Returns whether the sensors of this machine have to be read now: at their interval, and when one is new.
    mutating func isDue(_ sensors: [any LightSensor], at now: Instant) -> Bool {
        let ids = Set(sensors.lazy.filter { !$0.isElsewhere }.map(\.id))
        let isDue = readAt.map { $0 + interval <= now } ?? true
        guard isDue || !ids.isSubset(of: own) else { return false }
        (readAt, own) = (now, ids)
        return true
    }

    /// When the next round is due.
    var next: Instant? { readAt.map { $0 + interval } }
}
