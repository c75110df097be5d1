// SPDX-License-Identifier: Apache-2.0

/// A panel's way from one step to another over time: quick at first, so that a slider is followed, and slow at the end.
///
/// ```
///   from ─┬─┬──┬───┬──────┬ to        the first step at once, the last after `duration`
/// ```
///
/// - No finer than the panel's own steps, and no two writes within a `frame`.
/// - The first step is taken at once: a panel that refuses says so to whoever asked.
/// - It has no clock and writes nothing: it says which step is due when.
struct Transition: Sendable {
    /// The least time between two steps; a display shows no more pictures.
    static let frame: Duration = .nanoseconds(16_666_667)

    let from: Int
    let to: Int
    private let start: Instant
    private let duration: Duration
    /// When the next step is due.
    private(set) var due: Instant
    /// The steps that the panel may be taken to show because it is on its way.
    private(set) var marked: ClosedRange<Int>

    /// - Parameter duration: More than zero, or the panel is there at once.
    init(from: Int, to: Int, in duration: Duration, at start: Instant) {
        (self.from, self.to, self.duration, self.start) = (from, to, duration, start)
        due = start
        marked = min(from, to)...max(from, to)
    }

    /// Goes on from another transition: what that marked stays marked. Where this one goes further, so do `slack` steps more,
    /// so that a slider that is dragged does not mark others at each move.
    mutating func goOn(from old: Transition, slack: Int, within steps: ClosedRange<Int>) {
        let lower = marked.lowerBound < old.marked.lowerBound ? marked.lowerBound - slack : old.marked.lowerBound
        let upper = marked.upperBound > old.marked.upperBound ? marked.upperBound + slack : old.marked.upperBound
        marked = (lower...upper).clamped(to: steps)
    }

    /// How many steps there are after the first, which is taken at once.
    private var rest: Int { max(1, abs(to - from)) - 1 }

    /// The step to be shown at `now` by a panel that shows `shown`: that one until the next is due.
    func step(at now: Instant, showing shown: Int) -> Int {
        if now < due { return shown }
        let elapsed = (now - start) / duration
        guard elapsed < 1 else { return to }
        // What is left shrinks with the square of the time that is left.
        let done = 1 - (1 - elapsed) * (1 - elapsed)
        // At least one: an instant is rounded, and what is due is taken.
        let steps = 1 + max(Int(done * Double(rest)), abs(shown - from))
        return to > from ? min(from + steps, to) : max(from - steps, to)
    }

    /// The panel shows `shown` since `now`: the next step is due when the panel has another one to show, a frame later
    /// at the soonest.
    mutating func advance(showing shown: Int, at now: Instant) {
        let done = rest > 0 ? min(1, Double(abs(shown - from)) / Double(rest)) : 1
        let reached = start + duration * (1 - (1 - done).squareRoot())
        due = max(now + Self.frame, reached)
    }
}
