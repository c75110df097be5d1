// SPDX-License-Identifier: Apache-2.0

/// The expected automatic brightness of one display, by the published rules. Shares no code with the core.
///
/// A room is either dark or bright. The two differ so much that a lesson in one changes the other only where more light
/// would be dimmer. Times are the test's, in milliseconds.
struct ExpectedAutomatic: Hashable {
    enum Room: CaseIterable {
        case dark, bright

        var lux: Double { self == .dark ? 0 : 100_000 }
    }

    struct Lesson: Hashable {
        let room: Room
        let fraction: Double
    }

    /// The brightness in each room by the operator's curve, which consists of these two points.
    static let `default`: [Room: Double] = [.dark: 0.2, .bright: 0.8]
    /// The length of a hold.
    static let hold = 90_000

    private(set) var isEnabled = false
    /// The range of times in which the hold began; `nil` without a hold.
    private(set) var heldSince: ClosedRange<Int>?
    private(set) var lessons: [Lesson] = []
    /// The alternative lessons: a start may have lost the newest ones.
    private var otherLessons: [[Lesson]] = []

    /// All possible lessons, the likeliest first.
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

    /// Applies a change by a person.
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

    /// Applies a possible alternative to a person's change.
    mutating func mayLearn(_ fraction: Double, in room: Room?) {
        guard isEnabled, let room else { return }
        mayHaveLearned(possibleLessons.map { Self.adding(Lesson(room: room, fraction: fraction), to: $0) })
    }

    mutating func mayHaveLearned(_ others: [[Lesson]]) {
        otherLessons = (otherLessons + others).unique.filter { $0 != lessons }
    }

    /// Undoes a change against a boost.
    mutating func returnHold(to earlier: ClosedRange<Int>?) {
        if heldSince != nil { heldSince = earlier }
    }

    /// - Returns: Whether a hold ended that must be over.
    mutating func endHold(at now: Int) -> Bool {
        guard let heldSince, heldSince.upperBound + Self.hold <= now else { return false }
        self.heldSince = nil
        return true
    }

    /// Whether the hold may be over. Then the daemon's state decides.
    func mayHaveEndedHold(by now: Int) -> Bool { heldSince.map { $0.lowerBound + Self.hold <= now } ?? false }

    /// The daemon reports the end of the hold.
    mutating func endHold() { heldSince = nil }

    /// Continues in a new run of the daemon, which may have lost the newest lessons and the newest hold.
    ///
    /// - Parameters:
    ///   - end: The reported end of the hold.
    ///   - written: All possible lessons in the journal.
    mutating func goOn(heldUntil end: Int?, written: [[Lesson]]) {
        heldSince = end.map { $0 - Self.hold...$0 - Self.hold }
        mayHaveLearned(written)
    }

    /// The possible brightness in this light, given the possible lessons.
    func others(in room: Room) -> [Double] { otherLessons.map { Self.brightness(in: room, after: $0) } }
}
