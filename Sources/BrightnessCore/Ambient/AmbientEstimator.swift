// SPDX-License-Identifier: Apache-2.0

/// The ambient light, estimated from all sensors' readings. Has no clock, sensor or lock.
///
/// - The brightest of several sensors wins. One covered sensor does not make the room dark.
/// - While an object such as a hand is near a proximity sensor, the last estimate holds, but at most for `nearTimeout`:
///   an object that stays near does not cast a passing shadow.
/// - A sensor without a good reading for `LightFilter.timeout` does not count. If no sensor has one, the illuminance is
///   `nil`.
package struct AmbientEstimator: Sendable {
    static let nearTimeout: Duration = .seconds(300)
    /// Below `night` it is night, above `day` it is day; between them the appearance stays. About 10 and 24 lux.
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
    private var reported: Ambient?

    /// - Parameter sensors: In the order in which they are reported.
    package init(_ sensors: [(id: String, kind: Ambient.SensorKind)]) {
        self.sensors = sensors
        restart()
    }

    /// Forgets all readings, because the sensors were just switched on.
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

    /// Adds a sensor's reading. In each round the proximity sensors come first.
    ///
    /// - Parameter reading: `nil` if the sensor did not answer.
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

    /// Returns the estimate if it differs from the last one.
    ///
    /// Returns `nil` before the first good reading, until `LightFilter.timeout` is over: then the missing light is
    /// reported.
    package mutating func news(at now: Moment) -> Ambient? {
        let new = estimate(at: now)
        reported?.at = new.at
        guard
            new.illuminance != nil || reported != nil || began.map({ now.instant - $0 > LightFilter.timeout }) ?? false
        else { return nil }
        guard new != reported else { return nil }
        reported = new
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

    /// The share of live sensors; halved while an object is near, and halved for an erratic sensor.
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
    /// - Parameter earlier: The appearance that stays between `night` and `day`; `nil` decides by the middle of the
    ///   two.
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
