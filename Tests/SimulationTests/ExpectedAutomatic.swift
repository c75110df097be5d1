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
    /// The time at which the hold began; `nil` without a hold.
    private(set) var heldSince: Int?
    var lessons: [Lesson] = []

    var follows: Bool { isEnabled && heldSince == nil }

    func brightness(in room: Room) -> Double {
        var brightness = Self.default
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

    mutating func forget() { lessons = [] }

    /// Applies a change by a person.
    mutating func hold(since time: Int) {
        if isEnabled { heldSince = time }
    }

    mutating func learn(_ fraction: Double, in room: Room?, at time: Int) {
        guard isEnabled else { return }
        hold(since: time)
        guard let room else { return }
        lessons = lessons.filter { $0.room != room } + [Lesson(room: room, fraction: fraction)]
    }

    /// Undoes a change against a boost.
    mutating func returnHold(to earlier: Int?) {
        if heldSince != nil { heldSince = earlier }
    }

    func isHoldOver(at now: Int) -> Bool { heldSince.map { $0 + Self.hold <= now } ?? false }

    /// - Returns: Whether a hold ended.
    mutating func endHold(at now: Int) -> Bool {
        guard isHoldOver(at: now) else { return false }
        heldSince = nil
        return true
    }

    /// Continues in a new run of the daemon, which may have lost the newest hold and the newest lessons. The file has
    /// six decimals.
    mutating func goOn(heldSince: Int?, with lessons: [Lesson]) {
        self.heldSince = heldSince
        self.lessons = lessons.map { Lesson(room: $0.room, fraction: ($0.fraction * 1e6).rounded() / 1e6) }
    }
}
