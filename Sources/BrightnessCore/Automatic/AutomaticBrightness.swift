// SPDX-License-Identifier: Apache-2.0

/// The rules of one display's automatic brightness. Has no clock, sensor or panel.
///
/// - A change by a person is a lesson for the current light, and holds the display for a while.
/// - Small changes of the light do not move the display.
struct AutomaticBrightness: Sendable {
    /// A lesson replaces lessons whose light level is nearer than this, about a factor of two. So there are at most
    /// about twenty.
    private static let sameLight = 0.05

    private let rules: AutomaticRules
    private(set) var record: AutomaticRecord
    /// The operator's curve, adjusted by the lessons.
    private var curve: BrightnessCurve

    /// Continues from an earlier run. Lessons stay valid when the operator's curve changes.
    init(_ rules: AutomaticRules, goingOnFrom record: AutomaticRecord = .none) {
        self.rules = rules
        self.record = record
        curve = record.lessons.reduce(rules.curve) { $0.learning($1) }
    }

    /// Off, for a display that cannot be dimmed.
    static let unavailable = AutomaticBrightness(AutomaticRules())

    var isEnabled: Bool { record.isEnabled ?? rules.isOnByDefault }

    var heldUntil: Moment? { isEnabled ? record.heldUntil : nil }

    /// Whether the light currently sets the display.
    var follows: Bool { isEnabled && record.heldUntil == nil }

    /// Switches automatic brightness on or off. Either ends a hold.
    mutating func setEnabled(_ isEnabled: Bool) {
        record.isEnabled = isEnabled
        record.heldUntil = nil
    }

    mutating func forget() {
        record.lessons = []
        curve = rules.curve
    }

    // MARK: People

    /// Starts a hold without a lesson, for a change that is unrelated to the light.
    mutating func hold(at now: Moment) {
        guard isEnabled else { return }
        record.heldUntil = rules.hold > .zero ? now + rules.hold : nil
    }

    /// Undoes `hold`, because the change was not a person's. A hold that has expired since then stays expired.
    mutating func returnHold(to earlier: Moment?) {
        if record.heldUntil != nil { record.heldUntil = earlier }
    }

    /// Learns that a person chose `brightness` in this light, and starts a hold. `nil` is unknown light: no lesson.
    mutating func learn(_ brightness: Brightness, in light: Illuminance?, at now: Moment) {
        guard isEnabled else { return }
        hold(at: now)
        guard let light else { return }
        record.lessons.removeAll { abs($0.illuminance.level - light.level) < Self.sameLight }
        record.lessons.append(BrightnessCurve.Point(light, brightness))
        curve = record.lessons.reduce(rules.curve) { $0.learning($1) }
    }

    /// Ends the hold if its time is over. Returns whether it did.
    mutating func endHold(at now: Instant) -> Bool {
        guard hasOverdueHold(at: now) else { return false }
        record.heldUntil = nil
        return true
    }

    /// Corrects the hold's wall-clock end after the wall clock was set.
    mutating func correctWallTime(at now: Moment) { record.heldUntil = record.heldUntil?.corrected(at: now) }

    func hasOverdueHold(at now: Instant) -> Bool { record.heldUntil.map { $0.instant <= now } ?? false }

    // MARK: Light

    func brightness(in light: Illuminance) -> Brightness { curve.brightness(in: light) }

    /// Whether the change is large enough to move the display: at least an eighth of the current brightness and a
    /// hundredth of the range. The eye perceives relative changes.
    static func isWorthMoving(from current: Brightness, to wanted: Brightness) -> Bool {
        abs(wanted.fraction - current.fraction) >= max(0.01, current.fraction / 8)
    }

    func transition(from current: Brightness, to wanted: Brightness) -> Duration {
        wanted < current ? rules.down : rules.up
    }
}

/// The operator's settings for automatic brightness, the same for all displays.
package struct AutomaticRules: Sendable {
    /// A week. To hold a display longer, switch its automatic brightness off.
    package static let longestHold: Duration = .seconds(604_800)
    package static let defaultHold: Duration = .seconds(1_800)

    /// Whether automatic brightness is on for displays whose mode was never set.
    package var isOnByDefault = false
    /// How long a display keeps the brightness that a person set.
    package var hold = Self.defaultHold
    package var curve = BrightnessCurve.default
    /// The time a display takes to get brighter, and dimmer. Eyes adapt to the dark more slowly.
    var up = Duration.seconds(1.5)
    var down = Duration.seconds(6)
}
