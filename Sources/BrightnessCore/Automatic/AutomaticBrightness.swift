// SPDX-License-Identifier: Apache-2.0

/// One display's automatic brightness: the rules, without a clock, a sensor or a panel.
///
/// - What a person does is a lesson for this much light, and holds the display for a while.
/// - The light moves the display only when that is worth it: a small change of it is nobody's wish.
struct AutomaticBrightness: Sendable {
    /// A lesson replaces those whose light is nearer than this in its level, about a factor of two: so there are some
    /// twenty at most.
    private static let sameLight = 0.05

    private let rules: AutomaticRules
    private(set) var record: AutomaticRecord
    /// The operator's, with the lessons in it.
    private var curve: BrightnessCurve

    /// Goes on where an earlier run ended. What it learned holds for another curve, too.
    init(_ rules: AutomaticRules, goingOnFrom record: AutomaticRecord = .none) {
        self.rules = rules
        self.record = record
        curve = record.lessons.reduce(rules.curve) { $0.learning($1) }
    }

    var isEnabled: Bool { record.isEnabled ?? rules.isDefault }

    var heldUntil: Moment? { isEnabled ? record.heldUntil : nil }

    /// Whether the light sets the display now.
    var follows: Bool { isEnabled && record.heldUntil == nil }

    /// Somebody switches it. Either way a hold is over.
    mutating func setEnabled(_ isEnabled: Bool) {
        record.isEnabled = isEnabled
        record.heldUntil = nil
    }

    /// Everything that was learned is forgotten.
    mutating func forget() {
        record.lessons = []
        curve = rules.curve
    }

    // MARK: What people do

    /// A person has set the display, for a reason that has nothing to do with the light.
    mutating func hold(at now: Moment) {
        guard isEnabled else { return }
        record.heldUntil = rules.hold > .zero ? now + rules.hold : nil
    }

    /// What `hold` did since is undone: nobody's wish was behind it. A hold that ended meanwhile stays ended.
    mutating func returnHold(to earlier: Moment?) {
        if record.heldUntil != nil { record.heldUntil = earlier }
    }

    /// A person has set the display to `brightness` in this light, if it is known.
    mutating func learn(_ brightness: Brightness, in light: Illuminance?, at now: Moment) {
        guard isEnabled else { return }
        hold(at: now)
        guard let light else { return }
        record.lessons.removeAll { abs($0.illuminance.level - light.level) < Self.sameLight }
        record.lessons.append(BrightnessCurve.Point(light, brightness))
        curve = record.lessons.reduce(rules.curve) { $0.learning($1) }
    }

    /// Returns whether a hold ended.
    mutating func endHold(at now: Instant) -> Bool {
        guard hasOverdueHold(at: now) else { return false }
        record.heldUntil = nil
        return true
    }

    /// The wall clock was set.
    mutating func correctWallTime(at now: Moment) { record.heldUntil = record.heldUntil?.corrected(at: now) }

    func hasOverdueHold(at now: Instant) -> Bool { record.heldUntil.map { $0.instant <= now } ?? false }

    // MARK: What the light does

    func brightness(in light: Illuminance) -> Brightness { curve.brightness(in: light) }

    /// Whether a display ought to move from `now` to `wanted`: by an eighth of what it shows, and at least by a hundredth
    /// of its range. The eye sees steps as parts of what is there.
    static func isWorthMoving(from now: Brightness, to wanted: Brightness) -> Bool {
        abs(wanted.fraction - now.fraction) >= max(0.01, now.fraction / 8)
    }

    /// How long the way takes.
    func transition(from now: Brightness, to wanted: Brightness) -> Duration { wanted < now ? rules.down : rules.up }
}
