// SPDX-License-Identifier: Apache-2.0

/// What the light in a room is, from what its sensors say. No clock, no sensor, no lock.
///
/// - The brightest of several sensors wins: one that is covered does not make it dark, all that are do.
/// - While something is near a proximity sensor, such as a hand, the last estimate holds; but not for longer than
///   `nearTimeout`: what is near for so long casts no passing shadow.
/// - What is not known is not invented. A sensor without a good reading for `LightFilter.timeout` has no part in it;
///   without any that has one, the illuminance is `nil`.
package struct AmbientEstimator: Sendable {
    static let nearTimeout: Duration = .seconds(300)
    /// Below it is night, above `day` it is day, between them it stays what it is: some 10 and 24 lux.
    static let night = 0.21
    static let day = 0.28

    private struct Proximity {
        var isNear: Bool?
        var answeredAt: Instant?
        var nearSince: Instant?
    }

    private let sensors: [(id: String, kind: Ambient.SensorKind)]
    private var lights: [String: LightFilter] = [:]
    private var proximities: [String: Proximity] = [:]
    private var appearance: Appearance?
    private var began: Instant?
    private var told: Ambient?

    /// - Parameter sensors: In the order in which they are told of.
    package init(_ sensors: [(id: String, kind: Ambient.SensorKind)]) {
        self.sensors = sensors
        restart()
    }

    /// The sensors were just switched on: nothing they said before counts.
    package mutating func restart() {
        lights = [:]
        proximities = [:]
        for (id, kind) in sensors {
            switch kind {
            case .illuminance: lights[id] = LightFilter()
            case .proximity: proximities[id] = Proximity()
            }
        }
    }

    /// Takes what a sensor says. Of one round the proximity sensors come first.
    ///
    /// - Parameter reading: `nil` if it did not answer.
    package mutating func take(_ reading: SensorReading?, of id: String, at now: Instant) {
        began = began ?? now
        switch reading {
        case .near(let isNear):
            let since = isNear ? proximities[id]?.nearSince ?? now : nil
            proximities[id] = Proximity(isNear: isNear, answeredAt: now, nearSince: since)
        case .lux where isHeld(at: now) && lights[id]?.settled != nil:
            lights[id]?.hold(at: now)
        case .lux(let lux):
            lights[id]?.take(lux, at: now)
        case nil:
            lights[id]?.take(nil, at: now)
        }
    }

    /// The estimate, if it tells something new.
    ///
    /// There is none before the first good reading, unless that takes so long that its absence is worth telling.
    package mutating func news(at now: Moment) -> Ambient? {
        let new = estimate(at: now)
        told?.at = new.at
        guard new.illuminance != nil || told != nil || began.map({ now.instant - $0 > LightFilter.timeout }) ?? false
        else { return nil }
        guard new != told else { return nil }
        told = new
        return new
    }

    private mutating func estimate(at now: Moment) -> Ambient {
        let live = lights.values.filter { $0.condition(at: now.instant) == .live }
        let settled = live.compactMap { light in light.settled.map { (light: light, illuminance: $0) } }
        let brightest = settled.max { $0.illuminance < $1.illuminance }
        let level = brightest?.illuminance.level
        if let level { appearance = Appearance(level, after: appearance) }
        return Ambient(
            source: .sensor,
            illuminance: brightest?.illuminance,
            level: level,
            appearance: appearance,
            confidence: confidence(in: brightest?.light, live.count, at: now.instant),
            sensors: sensors.map { sensor($0.id, $0.kind, at: now.instant) },
            at: now.wall
        )
    }

    /// Less for each sensor that is silent; half of it while a hand is near, and when the sensor is erratic.
    private func confidence(in brightest: LightFilter?, _ live: Int, at now: Instant) -> Double {
        guard let brightest else { return 0 }
        let share = Double(live) / Double(lights.count)
        let doubts = (isHeld(at: now) ? 0.5 : 1) * (brightest.isErratic ? 0.5 : 1)
        return (share * doubts * 100).rounded() / 100
    }

    private func isHeld(at now: Instant) -> Bool {
        proximities.values.contains { proximity in
            guard isLive(proximity, at: now), let since = proximity.nearSince else { return false }
            return now - since <= Self.nearTimeout
        }
    }

    private func isLive(_ proximity: Proximity, at now: Instant) -> Bool {
        proximity.answeredAt.map { now - $0 <= LightFilter.timeout } ?? false
    }

    private func sensor(_ id: String, _ kind: Ambient.SensorKind, at now: Instant) -> Ambient.Sensor {
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
    /// - Parameter earlier: What it is between night and day; where there is none, the middle decides.
    init(_ level: Double, after earlier: Appearance?) {
        let isDay =
            switch earlier {
            case .day: level >= AmbientEstimator.night
            case .night: level > AmbientEstimator.day
            case nil: level >= (AmbientEstimator.night + AmbientEstimator.day) / 2
            }
        self = isDay ? .day : .night
    }
}
