// SPDX-License-Identifier: Apache-2.0

/// The filter for one light sensor's readings: only large and lasting changes pass.
///
/// ```
///   reading ─► plausible? ─► upper quartile of the last five ─► large change? ─► lasting change? ─► settled
/// ```
///
/// - Rejected readings: NaN, negative values, values beyond direct sunlight, and an exact 0 before the first other
///   value: drivers report it before their first conversion, and dead sensors forever. After a sleep, the 0 of a sensor
///   that has worked is accepted after `zeroTimeout`: the room may be dark.
/// - The upper quartile and not the median, because sensors fail downwards. A sensor that alternates between its floor
///   and the true value (0.03 and 1,002 lux were observed) yields the true value.
/// - A passing shadow ends before `dimDwell` is over.
/// - A reflection ends before `brightDwell` is over. That time counts by the unfiltered readings: the quartile stays
///   bright for another 1.5 s. Readings that alternate between two levels count when the quartile has stayed for
///   `dimDwell`.
struct LightFilter: Sendable {
    static let window = 5
    /// The maximum age of a reading that counts.
    static let memory: Duration = .seconds(60)
    /// The smallest change of `Illuminance.level` that counts: about 25 %.
    static let hysteresis = 0.02
    static let brightDwell: Duration = .seconds(1.5)
    static let dimDwell: Duration = .seconds(4)
    static let zeroTimeout: Duration = .seconds(60)
    /// The maximum time without a good reading. The sensor is stale afterwards.
    static let timeout: Duration = .seconds(15)

    private struct Reading {
        let at: Instant
        let illuminance: Illuminance
    }

    private let acceptsZero: Bool
    private(set) var settled: Illuminance?
    /// The good readings, the oldest first.
    private var readings: [Reading] = []
    private var lastGood: Instant?
    /// Whether the newest reading was rejected.
    private var wasImpossible = false
    /// The direction in which the quartile has left the settled value, and since when.
    private var leaving: (isBrighter: Bool, since: Instant)?
    /// Since when every reading is brighter than the settled value; `nil` if the newest is not.
    private var brighterSince: Instant?
    /// Whether the sensor has reported anything but 0 since it was found.
    private(set) var hasWorked: Bool
    /// Whether it has done so since it was last switched on.
    private var isAwake = false
    /// Since when it reports only 0 after it was switched on.
    private var zeroSince: Instant?

    /// Whether the readings alternate between two levels. Real light does not.
    private(set) var isErratic = false

    /// - Parameters:
    ///   - acceptsZero: Whether an exact 0 counts from the start, because no driver reports it.
    ///   - hasWorked: Whether the sensor reported anything but 0 before it was switched on again.
    init(acceptsZero: Bool = false, hasWorked: Bool = false) {
        (self.acceptsZero, self.hasWorked) = (acceptsZero, hasWorked)
    }

    func condition(at now: Instant) -> Ambient.SensorCondition {
        if let lastGood, now - lastGood <= Self.timeout { return .live }
        return wasImpossible ? .impossible : .stale
    }

    /// - Parameter lux: `nil` if the sensor did not answer.
    mutating func receive(_ lux: Double?, at now: Instant) {
        wasImpossible = false
        if let lux {
            if let illuminance = accepted(lux, at: now) {
                lastGood = now
                readings.append(Reading(at: now, illuminance: illuminance))
            } else {
                wasImpossible = true
            }
        }
        readings.removeAll { now - $0.at > Self.memory }
        readings.removeFirst(max(0, readings.count - Self.window))
        settle(at: now)
    }

    /// Keeps the settled value, whatever was read. The sensor counts as live.
    mutating func ignoreReading(at now: Instant) {
        lastGood = now
        (leaving, brighterSince) = (nil, nil)
    }

    /// Returns the illuminance of a plausible reading.
    private mutating func accepted(_ lux: Double, at now: Instant) -> Illuminance? {
        guard let illuminance = Illuminance(lux: lux), lux <= Illuminance.brightest else { return nil }
        if lux > 0 || isAwake || acceptsZero {
            (isAwake, hasWorked) = (true, true)
            return illuminance
        }
        let since = zeroSince ?? now
        zeroSince = since
        return hasWorked && now - since >= Self.zeroTimeout ? illuminance : nil
    }

    private mutating func settle(at now: Instant) {
        guard condition(at: now) == .live, let newest = readings.last, let quartile = upperQuartile else {
            (settled, leaving, brighterSince, isErratic, readings) = (nil, nil, nil, false, [])
            return
        }
        isErratic = jumps >= 3
        guard let old = settled else { return settled = quartile.rounded }
        let isReadingBrighter = newest.illuminance.level - old.level >= Self.hysteresis
        brighterSince = isReadingBrighter ? (brighterSince ?? newest.at) : nil
        guard abs(quartile.level - old.level) >= Self.hysteresis else { return leaving = nil }
        let isBrighter = quartile > old
        if leaving?.isBrighter != isBrighter { leaving = (isBrighter, now) }
        guard hasLasted(until: newest.at, at: now) else { return }
        settled = quartile.rounded
        (leaving, brighterSince) = (nil, nil)
    }

    /// Whether the quartile has left the settled value for long enough.
    ///
    /// - Parameter newest: The time of the newest reading.
    private func hasLasted(until newest: Instant, at now: Instant) -> Bool {
        guard let leaving else { return false }
        if leaving.isBrighter {
            guard let brighterSince else { return false }
            if newest - brighterSince >= Self.brightDwell { return true }
        }
        return now - leaving.since >= Self.dimDwell
    }

    private var upperQuartile: Illuminance? {
        let sorted = readings.map(\.illuminance).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count * 3 / 4]
    }

    /// The number of neighbouring readings that differ as much as a lit room from a dark one.
    private var jumps: Int {
        zip(readings, readings.dropFirst()).count { abs($0.illuminance.level - $1.illuminance.level) > 0.3 }
    }
}
