// SPDX-License-Identifier: Apache-2.0

/// One light sensor's readings, calmed: what it has said for long enough, and by enough, to be a change of the light.
///
/// ```
///   reading ─► believed? ─► upper quartile of the last five ─► differs enough? ─► for long enough? ─► settled
/// ```
///
/// - Not believed: NaN, what is negative or beyond direct sunlight, and an exact 0 from a sensor that has said nothing
///   else since it was switched on: drivers say that before their first conversion. A sensor that goes on saying it for
///   `zeroTimeout` is believed: the room may be dark.
/// - The upper quartile, and not the median: sensors fail downwards. One that alternates between a floor and the truth
///   (0.03 and 1,002 lux have been seen) gives the truth.
/// - A shadow that passes is over before it has lasted `dimDwell`.
struct LightFilter: Sendable {
    /// Direct sunlight is 130,000 lux.
    static let brightest = 200_000.0
    static let window = 5
    /// A reading that is older says nothing about now.
    static let memory: Duration = .seconds(60)
    /// The least change of `Illuminance.level` that counts: some 25 %.
    static let hysteresis = 0.02
    static let brightDwell: Duration = .seconds(1)
    static let dimDwell: Duration = .seconds(4)
    static let zeroTimeout: Duration = .seconds(60)
    /// Without a good reading for so long nothing is known any more.
    static let timeout: Duration = .seconds(15)

    private struct Reading {
        let at: Instant
        let illuminance: Illuminance
    }

    private(set) var settled: Illuminance?
    /// Good ones, the oldest first.
    private var readings: [Reading] = []
    private var lastGood: Instant?
    private var saidNonsense = false
    /// Since when the readings are above, or below, what is settled.
    private var leaving: (isBrighter: Bool, since: Instant)?
    /// Whether it has said anything but 0 since it was switched on, and since when it says 0.
    private var isAwake = false
    private var zeroSince: Instant?

    /// Whether it jumps to and fro, which no light does.
    private(set) var isErratic = false

    func condition(at now: Instant) -> Ambient.SensorCondition {
        if let lastGood, now - lastGood <= Self.timeout { return .live }
        return saidNonsense ? .impossible : .stale
    }

    /// - Parameter lux: `nil` if it did not answer.
    mutating func take(_ lux: Double?, at now: Instant) {
        saidNonsense = false
        if let lux {
            if let illuminance = believed(lux, at: now) {
                lastGood = now
                readings.append(Reading(at: now, illuminance: illuminance))
            } else {
                saidNonsense = true
            }
        }
        readings.removeAll { now - $0.at > Self.memory }
        readings.removeFirst(max(0, readings.count - Self.window))
        settle(at: now)
    }

    /// It answers, but is not to be believed now: what is settled stays.
    mutating func hold(at now: Instant) {
        lastGood = now
        leaving = nil
    }

    private mutating func believed(_ lux: Double, at now: Instant) -> Illuminance? {
        guard let illuminance = Illuminance(lux: lux), lux <= Self.brightest else { return nil }
        guard lux == 0, !isAwake else {
            isAwake = true
            return illuminance
        }
        let since = zeroSince ?? now
        zeroSince = since
        return now - since >= Self.zeroTimeout ? illuminance : nil
    }

    private mutating func settle(at now: Instant) {
        guard condition(at: now) == .live, let newest = upperQuartile else {
            (settled, leaving, isErratic, readings) = (nil, nil, false, [])
            return
        }
        isErratic = jumps >= 3
        guard let old = settled else { return settled = newest.rounded }
        guard abs(newest.level - old.level) >= Self.hysteresis else { return leaving = nil }
        let isBrighter = newest > old
        if leaving?.isBrighter != isBrighter { leaving = (isBrighter, now) }
        guard let leaving, now - leaving.since >= (isBrighter ? Self.brightDwell : Self.dimDwell) else { return }
        settled = newest.rounded
        self.leaving = nil
    }

    private var upperQuartile: Illuminance? {
        let sorted = readings.map(\.illuminance).sorted()
        return sorted.isEmpty ? nil : sorted[sorted.count * 3 / 4]
    }

    /// How often neighbours differ by as much as a room and the dark.
    private var jumps: Int {
        zip(readings, readings.dropFirst()).count { abs($0.illuminance.level - $1.illuminance.level) > 0.3 }
    }
}
