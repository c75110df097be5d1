// SPDX-License-Identifier: Apache-2.0

/// What one display's automatic brightness ought to be, by the rules that clients are told. Shares no code with the core.
///
/// A room is dark or bright and nothing between. The two are so far apart that a lesson in one changes the other only
/// where more light would be dimmer. Times are those of the test, in milliseconds.
struct ExpectedAutomatic: Hashable {
    enum Room: CaseIterable {
        case dark, bright

        var lux: Double { self == .dark ? 0 : 100_000 }
    }

    struct Lesson: Hashable {
        let room: Room
        let fraction: Double
    }

    /// How bright a display is by the operator's curve, which is these two points.
    static let `default`: [Room: Double] = [.dark: 0.2, .bright: 0.8]
    /// How long the light changes nothing after a person has set a display.
    static let hold = 90_000

    private(set) var isEnabled = false
    /// Between which times the hold began; `nil` while the light sets the display.
    private(set) var heldSince: ClosedRange<Int>?
    private(set) var lessons: [Lesson] = []
    /// What it may have learned instead: a start may have lost the newest lessons.
    private var otherLessons: [[Lesson]] = []

    /// All that it may have learned, the likeliest first.
    var possibleLessons: [[Lesson]] { [lessons] + otherLessons }

    var follows: Bool { isEnabled && heldSince == nil }

    func brightness(in room: Room) -> Double { Self.brightness(in: room, after: lessons) }

    private static func brightness(in room: Room, after lessons: [Lesson]) -> Double {
        var brightness = `default`
        for lesson in lessons {
            brightness[lesson.room] = lesson.fraction
            switch lesson.room {
            case .dark: brightness[.bright] = max(brightness[.bright]!, lesson.fraction)
            case .bright: brightness[.dark] = min(brightness[.dark]!, lesson.fraction)
            }
        }
        return brightness[room]!
    }

    mutating func setEnabled(_ isEnabled: Bool) { (self.isEnabled, heldSince) = (isEnabled, nil) }

    mutating func forget() { (lessons, otherLessons) = ([], []) }

    /// A person has set the display.
    mutating func hold(since times: ClosedRange<Int>) {
        if isEnabled { heldSince = times }
    }

    mutating func learn(_ fraction: Double, in room: Room?, at times: ClosedRange<Int>) {
        guard isEnabled else { return }
        hold(since: times)
        guard let room else { return }
        lessons = Self.adding(Lesson(room: room, fraction: fraction), to: lessons)
        otherLessons = otherLessons.map { Self.adding(Lesson(room: room, fraction: fraction), to: $0) }
        mayHaveLearned([])
    }

    private static func adding(_ lesson: Lesson, to lessons: [Lesson]) -> [Lesson] {
        lessons.filter { $0.room != lesson.room } + [lesson]
    }

    /// A person may have set the display to this instead.
    mutating func mayLearn(_ fraction: Double, in room: Room?) {
        guard isEnabled, let room else { return }
        mayHaveLearned(possibleLessons.map { Self.adding(Lesson(room: room, fraction: fraction), to: $0) })
    }

    mutating func mayHaveLearned(_ others: [[Lesson]]) {
        otherLessons = (otherLessons + others).unique.filter { $0 != lessons }
    }

    /// What was done against a boost is undone.
    mutating func returnHold(to earlier: ClosedRange<Int>?) {
        if heldSince != nil { heldSince = earlier }
    }

    /// - Returns: Whether a hold ended that must be over.
    mutating func endHold(at now: Int) -> Bool {
        guard let heldSince, heldSince.upperBound + Self.hold <= now else { return false }
        self.heldSince = nil
        return true
    }

    /// Whether the hold may be over: then the daemon knows.
    func mayHaveEndedHold(by now: Int) -> Bool { heldSince.map { $0.lowerBound + Self.hold <= now } ?? false }

    /// The daemon says that the hold is over.
    mutating func endHold() { heldSince = nil }

    /// A new run of the daemon goes on with it: it may have lost the newest lessons, and the newest hold.
    ///
    /// - Parameters:
    ///   - end: When the daemon says that the hold ends.
    ///   - written: All that it may have learned, as far as the journal may say.
    mutating func goOn(heldUntil end: Int?, written: [[Lesson]]) {
        heldSince = end.map { $0 - Self.hold...$0 - Self.hold }
        mayHaveLearned(written)
    }

    /// What it may show in this light, as far as anybody knows what it has learned.
    func others(in room: Room) -> [Double] { otherLessons.map { Self.brightness(in: room, after: $0) } }
}
