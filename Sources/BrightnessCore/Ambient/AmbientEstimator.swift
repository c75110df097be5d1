// SPDX-License-Identifier: Apache-2.0

/// The ambient light, estimated from all sensors' readings. Has no clock, sensor or lock.
///
/// - The brightest of several sensors wins. One covered sensor does not make the room dark.
/// - A remote sensor counts as one more sensor, but never overrules a trusted sensor of this machine that is darker.
/// - While an object such as a hand is near a proximity sensor, the last estimate holds, but at most for `nearTimeout`:
///   an object that stays near does not cast a passing shadow.
/// - A sensor without a good reading for `LightFilter.timeout` does not count. If no sensor has one, the illuminance is
///   `nil`.
package struct AmbientEstimator: Sendable {
    static let nearTimeout: Duration = .seconds(300)
    /// Below `night` it is night, above `day` it is day; between them the appearance stays. About 10 and 24 lux.
    static let night = 0.21
    static let day = 0.28

    /// The last answer of a proximity sensor.
    private struct Proximity {
        let isNear: Bool
        let answeredAt: Instant
        /// `nil` unless an object is near that may cast a shadow.
        let nearSince: Instant?
    }

    package typealias Sensor = (id: String, kind: Ambient.SensorKind, isRemote: Bool)

    private var sensors: [Sensor] = []
    private var lights: [String: LightFilter] = [:]
    private var proximities: [String: Proximity] = [:]
    private var appearance: Appearance?
    private var began: Instant?
    private var reported: Ambient?

    /// - Parameter sensors: In the order in which they are reported.
    package init(_ sensors: [Sensor] = []) { use(sensors) }

    /// Estimates by these sensors from now on. One that is missing is forgotten.
    ///
    /// - Parameter sensors: In the order in which they are reported.
    mutating func use(_ sensors: [Sensor]) {
        self.sensors = sensors
        let (earlierLights, earlierProximities) = (lights, proximities)
        (lights, proximities) = ([:], [:])
        for (id, kind, isRemote) in sensors {
            switch kind {
            // A driver may report a wrong 0. No driver is between a remote sensor and its report.
            case .illuminance: lights[id] = earlierLights[id] ?? LightFilter(acceptsZero: isRemote)
            case .proximity: proximities[id] = earlierProximities[id]
            }
        }
    }

    /// Forgets all readings, because the sensors were just switched on.
    mutating func restart() {
        for (id, _, isRemote) in sensors {
            lights[id] = lights[id].map { LightFilter(acceptsZero: isRemote, hasWorked: $0.hasWorked) }
        }
        proximities = [:]
    }

    /// Makes the next estimate a change: another light was reported since the last one.
    mutating func forgetReported() { reported = nil }

    /// Adds a sensor's reading. In each round the proximity sensors come first.
    ///
    /// - Parameter reading: `nil` if the sensor did not answer.
    package mutating func receive(_ reading: SensorReading?, of id: String, at now: Instant) {
        began = began ?? now
        switch reading {
        case .near(let isNear):
            // An object at a remote sensor casts no shadow here.
            let castsShadow = isNear && !isRemote(id)
            let since = castsShadow ? (proximities[id]?.nearSince ?? now) : nil
            proximities[id] = Proximity(isNear: isNear, answeredAt: now, nearSince: since)
        case .lux where isShadowed(at: now) && lights[id]?.settled != nil && !isRemote(id):
            lights[id]?.ignoreReading(at: now)
        case .lux(let lux):
            lights[id]?.receive(lux, at: now)
        case nil:
            lights[id]?.receive(nil, at: now)
        }
    }

    private func isRemote(_ id: String) -> Bool { sensors.contains { $0.id == id && $0.isRemote } }

    /// Returns the estimate if it differs from the last one.
    ///
    /// Returns `nil` before the first good reading, until `LightFilter.timeout` is over: then the missing light is
    /// reported.
    package mutating func takeChange(at now: Moment) -> Ambient? {
        let new = estimate(at: now)
        // The time alone is not a change.
        reported?.at = new.at
        guard
            new.illuminance != nil || reported != nil || began.map({ now.instant - $0 > LightFilter.timeout }) ?? false
        else { return nil }
        guard new != reported else { return nil }
        reported = new
        return new
    }

    private mutating func estimate(at now: Moment) -> Ambient {
        let brightest = brightest(at: now.instant)?.illuminance
        let level = brightest?.level
        if let level { appearance = Appearance(level, after: appearance) }
        return Ambient(
            source: .sensor,
            illuminance: brightest,
            level: level,
            appearance: appearance,
            sensors: sensors.map { sensor($0.id, $0.kind, at: now.instant) },
            at: now.wall
        )
    }

    /// A live sensor with a value.
    private struct Candidate {
        let illuminance: Illuminance
        let isErratic: Bool

        init?(_ light: LightFilter, at now: Instant) {
            guard light.condition(at: now) == .live, let settled = light.settled else { return nil }
            (illuminance, isErratic) = (settled, light.isErratic)
        }
    }

    private func brightest(at now: Instant) -> Candidate? {
        let own = candidates(remote: false, at: now)
        let trusted = own.filter { !$0.isErratic }.map(\.illuminance.level).max()
        let limit = trusted.map { $0 + LightFilter.hysteresis } ?? .infinity
        let others = candidates(remote: true, at: now)
        return (own + others.filter { $0.illuminance.level <= limit }).max { $0.illuminance < $1.illuminance }
    }

    private func candidates(remote: Bool, at now: Instant) -> [Candidate] {
        sensors.filter { $0.isRemote == remote }.compactMap { lights[$0.id].flatMap { Candidate($0, at: now) } }
    }

    private func isShadowed(at now: Instant) -> Bool {
        proximities.values.contains { proximity in
            guard isLive(proximity, at: now), let since = proximity.nearSince else { return false }
            return now - since <= Self.nearTimeout
        }
    }

    private func isLive(_ proximity: Proximity, at now: Instant) -> Bool {
        now - proximity.answeredAt <= LightFilter.timeout
    }

    private func sensor(_ id: String, _ kind: Ambient.SensorKind, at now: Instant) -> Ambient.SensorState {
        if let light = lights[id] {
            return .init(id: id, kind: kind, illuminance: light.settled, condition: light.condition(at: now))
        }
        guard let proximity = proximities[id], isLive(proximity, at: now) else {
            return .init(id: id, kind: kind, condition: .stale)
        }
        return .init(id: id, kind: kind, isNear: proximity.isNear, condition: .live)
    }
}

extension Appearance {
    /// - Parameter earlier: The appearance that stays between `night` and `day`; `nil` decides by the middle of the
    ///   two.
    init(
        _ level: Double,
        after earlier: Appearance?,
        night: Double = AmbientEstimator.night,
        day: Double = AmbientEstimator.day
    ) {
        let isDay =
            switch earlier {
            case .day: level >= night
            case .night: level > day
            case nil: level >= (night + day) / 2
            }
        self = isDay ? .day : .night
    }
}
