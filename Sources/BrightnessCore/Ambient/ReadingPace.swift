// SPDX-License-Identifier: Apache-2.0

/// When the sensors are read. Has no clock and no sensor.
struct ReadingPace: Sendable {
    /// Whether it matters if somebody is near, also while nobody watches.
    let needsPresence: Bool
    private var isWatched = false
    private var isFollowed = false
    /// The sensors of this machine at the last round.
    private var ownSensors: Set<String> = []
    private var readAt: Instant?
    /// When the light sensors were last read: more rarely than the others while only presence matters.
    private var lightReadAt: Instant?
    private var restsUntil: Instant?

    init(needsPresence: Bool) { self.needsPresence = needsPresence }

    private var lightInterval: Duration { isWatched || isFollowed ? AmbientService.fast : AmbientService.slow }
    private var interval: Duration { needsPresence ? AmbientService.fast : lightInterval }

    mutating func receive(_ notification: Notification, at now: Instant) {
        if case .audience(let isPresent) = notification { isWatched = isPresent }
        if case .following(let isFollowing) = notification { isFollowed = isFollowing }
        if notification == .resumed { restsUntil = now + AmbientService.rest }
    }

    /// Ends a rest that is over, after which all sensors are due: only proximity was read since the machine's sleep.
    /// Remote sensors need no rest, because only drivers report a wrong value after a sleep.
    ///
    /// - Returns: The end of the rest while it lasts.
    mutating func updateRest(_ sensors: [any AmbientSensor], at now: Instant) -> Instant? {
        guard let restsUntil else { return nil }
        guard restsUntil <= now else { return sensors.contains { !$0.isRemote } ? restsUntil : nil }
        (self.restsUntil, readAt, lightReadAt) = (nil, nil, nil)
        return nil
    }

    /// Returns whether the sensors of this machine have to be read now: at their interval, and when one is new. Begins
    /// the round then.
    mutating func takeDueRound(_ sensors: [any AmbientSensor], at now: Instant) -> Bool {
        let ids = Set(sensors.lazy.filter { !$0.isRemote }.map(\.id))
        let isDue = readAt.map { $0 + interval <= now } ?? true
        let isNew = !ids.isSubset(of: ownSensors)
        guard isDue || isNew else { return false }
        if isNew { lightReadAt = nil }
        (readAt, ownSensors) = (now, ids)
        return true
    }

    /// Returns whether a round that is due has to read the light sensors, too, and notes that it does.
    mutating func takeDueLight(at now: Instant) -> Bool {
        if let lightReadAt, now < lightReadAt + lightInterval { return false }
        lightReadAt = now
        return true
    }

    var nextRound: Instant? { readAt.map { $0 + interval } }
}
