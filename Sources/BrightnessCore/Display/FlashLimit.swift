// SPDX-License-Identifier: Apache-2.0

/// Keeps a display from flashing more than three times in a second, however many clients ask.
///
/// A flash is a pair of opposing changes, each by a tenth of the panel's steps or more, whose darker step is below four
/// fifths of them. A change that would begin one flash too many waits; a slider and a fade do not, since they go one
/// way. Has no clock and no panel.
///
/// - SeeAlso: WCAG 2.2, success criterion 2.3.1, and its definition of "general flash"
struct FlashLimit: Sendable {
    /// Longer than the second that counts: a panel shows a step a little later than the time of its write.
    static let window: Duration = .milliseconds(1_100)
    /// Two changes make a flash.
    static let changes = 6

    private let maximum: Int
    /// The times of the last opposing changes, the oldest first; at most `changes`.
    private var reversals: [Instant] = []
    /// Whether the last opposing change was to a brighter step; `nil` before the first.
    private var isRising: Bool?
    /// The furthest step since that change: the next one opposes it if it is a tenth away.
    private var extreme: Int

    /// - Parameters:
    ///   - step: The step that the panel shows.
    ///   - maximum: The panel's highest step.
    init(showing step: Int, of maximum: Int) {
        self.maximum = maximum
        extreme = step
    }

    /// Reports that the panel shows a step since `now`; 0 while it is off.
    mutating func showed(_ step: Int, at now: Instant) {
        if isReversal(to: step) {
            if reversals.count == Self.changes { reversals.removeFirst() }
            reversals.append(now)
            (isRising, extreme) = (step > extreme, step)
        } else if let isRising, isRising ? step > extreme : step < extreme {
            extreme = step
        }
    }

    /// When the panel may begin to change to a step; `nil` for at any time.
    func start(to step: Int) -> Instant? {
        guard isReversal(to: step), reversals.count == Self.changes else { return nil }
        return reversals.first.map { $0 + Self.window }
    }

    /// Forgets the changes, so that the next one is not delayed.
    mutating func lift() { reversals = [] }

    /// Whether a change to `step` opposes the last one, and is large enough for a flash.
    private func isReversal(to step: Int) -> Bool {
        if let isRising, isRising == (step > extreme) { return false }
        let (darker, distance) = (min(step, extreme), abs(step - extreme))
        return distance * 10 >= maximum && darker * 5 < maximum * 4
    }
}

/// The flashes of a display's panel, by brightness and by power.
extension DisplayModel {
    /// Counts a change of what the panel shows.
    mutating func noteShown(at now: Moment) {
        let step = power.isDark ? 0 : shown
        flashes?.showed(step, at: now.instant)
    }

    /// When the panel may be switched to its target, if that would otherwise be a flash too many.
    var switchDue: Instant? { isSwitchPending ? flashes?.start(to: powerTarget ? target : 0) : nil }

    /// Lets switches and writes happen without a pause. For the last command.
    mutating func skipPauses() {
        power.skipPauses()
        flashes?.lift()
    }
}
