// SPDX-License-Identifier: Apache-2.0

/// A panel's change from one step to another over time: fast at first, so that it follows a slider, and slow at the
/// end. Its pace is that of the brightness, not of the steps.
///
/// ```
///   from ─┬─┬──┬───┬──────┬ to        the first step at once, the last after `duration`
/// ```
///
/// - No finer than the panel's own steps, and at most one write per `frame`.
/// - The first step is due at once, so that a rejection reaches the client that sent the command.
/// - Has no clock and writes nothing: it computes which step is due when.
struct Transition: Sendable {
    /// The minimum time between two steps: one frame at 60 Hz.
    static let frame: Duration = .nanoseconds(16_666_667)

    let from: Int
    let to: Int
    private let range: BrightnessRange
    private let start: Instant
    private let duration: Duration
    /// The time of the next step.
    private(set) var due: Instant
    /// Whether the panel has shown a step of it.
    var hasBegun: Bool { due > start }
    /// The steps that the panel may show because of the transition.
    private(set) var marked: ClosedRange<Int>

    /// - Parameters:
    ///   - duration: With zero, the panel jumps to its target.
    ///   - range: The panel's steps.
    init(from: Int, to: Int, in duration: Duration, at start: Instant, of range: BrightnessRange) {
        (self.from, self.to, self.duration, self.start, self.range) = (from, to, duration, start, range)
        due = start
        marked = min(from, to)...max(from, to)
    }

    /// Continues from another transition. Its marked steps stay marked. Where this one extends further, `slack` more
    /// steps are marked, so that a dragged slider does not mark new steps at each move.
    mutating func keepMarks(of old: Transition, slack: Int, within steps: ClosedRange<Int>) {
        let lower = marked.lowerBound < old.marked.lowerBound ? marked.lowerBound - slack : old.marked.lowerBound
        let upper = marked.upperBound > old.marked.upperBound ? marked.upperBound + slack : old.marked.upperBound
        marked = (lower...upper).clamped(to: steps)
    }

    /// The first step, which is due at once.
    private var first: Int { from + (to - from).signum() }

    /// How far a step is on the way, from 0 at the first one to 1 at the last one.
    private func progress(of step: Int) -> Double {
        let (begin, end) = (range.position(of: first), range.position(of: to))
        return begin == end ? 1 : (range.position(of: step) - begin) / (end - begin)
    }

    /// The last step that is at most this far on the way.
    private func step(atProgress progress: Double) -> Int {
        let (begin, end) = (range.position(of: first), range.position(of: to))
        let reached = range.step(at: begin + (end - begin) * progress)
        return Int(reached.rounded(to > from ? .down : .up))
    }

    /// The step to show at `now` by a panel that shows `shown`: the same one until the next is due.
    func step(at now: Instant, showing shown: Int) -> Int {
        if now < due { return shown }
        let elapsed = (now - start) / duration
        guard elapsed < 1 else { return to }
        // The remaining distance shrinks with the square of the remaining time.
        let done = 1 - (1 - elapsed) * (1 - elapsed)
        // At least one further, because instants are rounded.
        let next = step(atProgress: done)
        return to > from ? min(max(next, shown + 1), to) : max(min(next, shown - 1), to)
    }

    /// Reports that the panel shows `shown` since `now`. The next step is due when it differs from `shown`, but at
    /// least one frame later.
    mutating func advance(showing shown: Int, at now: Instant) {
        let next = to > from ? min(shown + 1, to) : max(shown - 1, to)
        let done = min(max(progress(of: next), 0), 1)
        let reached = start + duration * (1 - (1 - done).squareRoot())
        due = max(now + Self.frame, reached)
    }
}
