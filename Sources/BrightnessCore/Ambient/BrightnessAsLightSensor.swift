// SPDX-License-Identifier: Apache-2.0

/// A display's brightness as a substitute for a light sensor, on a machine without one. Has no clock or lock.
///
/// ```
///   brightness ─► another program's? ─► large change? ─► lasting change? ─► part of the range in use ─► level
/// ```
///
/// - If another program controls the brightness automatically, its changes follow the light. The daemon cannot know
///   whether there is such a program, so `Ambient.Source.brightness` marks the light as an estimate. Changes by
///   clients, boosts and the daemon itself do not count.
/// - Quick changes back and forth are not light. A fall to less than half within `fade` has to last for `idleDwell`:
///   desktops dim an idle display that far, and either blank or restore it before.
/// - People use a part of the range only. The level is the position within the values that were in use.
struct BrightnessAsLightSensor: Sendable {
    /// Below `night` it is night, above `day` it is day; between them the appearance stays. A level is linear here, and
    /// logarithmic for sensors.
    static let night = 0.3
    static let day = 0.4
    /// The smallest change of the brightness that counts.
    static let hysteresis = 0.04
    static let brightDwell: Duration = .seconds(2)
    static let dimDwell: Duration = .seconds(10)
    static let idleDwell: Duration = .seconds(600)
    /// The longest fade of a program that dims an idle display. The light of a sunset falls more slowly.
    static let fade: Duration = .seconds(3)
    /// The number of values whose range counts as in use.
    private static let memory = 32
    /// The number of values from which the range in use is known. Before, it is widened to that of the display.
    private static let enough = 8.0
    /// A narrower range is not stretched.
    private static let narrowest = 0.2

    private struct Change {
        var brightness: Double
        let isBrighter: Bool
        let since: Instant
        /// The brightness before the last fade, and when that began.
        var fade: (from: Double, since: Instant)
        /// Whether it fell to less than half in one fade.
        var isSudden = false

        init(from old: Double, isBrighter: Bool, since: Instant) {
            (brightness, self.isBrighter, self.since, fade) = (old, isBrighter, since, (old, since))
        }

        mutating func receive(_ brightness: Double, at now: Instant) {
            if now - fade.since > BrightnessAsLightSensor.fade { fade = (self.brightness, now) }
            self.brightness = brightness
            isSudden = isSudden || brightness < fade.from / 2
        }
    }

    private let preferred: DisplayID?
    /// The display whose brightness counts: the preferred one, or until it has a state the first that has one.
    private(set) var display: DisplayID?
    /// The values that lasted, the oldest first.
    private var settled: [Double] = []
    private var change: Change?
    private var appearance: Appearance?
    /// The level of the last estimate.
    private var reported: Double?

    init(_ preferred: DisplayID? = nil) { self.preferred = preferred }

    mutating func receive(_ state: DisplayState, at now: Instant) {
        if display == nil || (state.id == preferred && state.id != display) {
            self = Self(preferred)
            display = state.id
        }
        guard state.id == display else { return }
        let brightness = state.baseline.fraction
        guard let old = settled.last else { return settled.append(brightness) }
        // The brightness of a display that is off does not follow the light, and is the same when it is on again.
        guard state.power.isOn != false else { return change = nil }
        guard state.cause.kind == .external else {
            // A client or the daemon has undone the change.
            if brightness != change?.brightness { change = nil }
            return
        }
        guard abs(brightness - old) >= Self.hysteresis else { return change = nil }
        let isBrighter = brightness > old
        if change?.isBrighter != isBrighter { change = Change(from: old, isBrighter: isBrighter, since: now) }
        change?.receive(brightness, at: now)
    }

    /// When to call `takeChange` again; `nil` if there is no change that has to last.
    var deadline: Instant? { change.map { $0.since + dwell(of: $0) } }

    private func dwell(of change: Change) -> Duration {
        if change.isBrighter { return Self.brightDwell }
        return change.isSudden ? Self.idleDwell : Self.dimDwell
    }

    /// Returns the estimate if it differs from the last one.
    mutating func takeChange(at now: Moment) -> Ambient? {
        if let change, let deadline, deadline <= now.instant {
            settled.append(change.brightness)
            settled.removeFirst(max(0, settled.count - Self.memory))
            self.change = nil
        }
        guard let level, level != reported else { return nil }
        reported = level
        appearance = Appearance(level, after: appearance, night: Self.night, day: Self.day)
        return Ambient(
            source: .brightness,
            illuminance: nil,
            level: level,
            appearance: appearance,
            sensors: [],
            at: now.wall
        )
    }

    /// The position of the newest value within the range in use.
    private var level: Double? {
        guard let newest = settled.last, let least = settled.min(), let most = settled.max() else { return nil }
        // From 0 to 1: with few values, the range is widened to that of the display.
        let certainty = min(1, Double(settled.count - 1) / Self.enough)
        let low = least * certainty
        let high = 1 - (1 - most) * certainty
        guard high - low >= Self.narrowest else { return newest }
        return ((newest - low) / (high - low) * 1_000).rounded() / 1_000
    }
}
