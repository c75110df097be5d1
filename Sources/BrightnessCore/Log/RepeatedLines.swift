// SPDX-License-Identifier: Apache-2.0

/// The rate limit of equal lines of a log, or of lines about one subject: beyond it they are only counted. Time is an
/// argument.
package struct RepeatedLines<Line: Hashable & Sendable>: Sendable {
    /// An omitted line and its count; `nil` for lines beyond `limit`.
    package struct Remainder: Equatable, Sendable {
        package let line: Line?
        package let count: Int
    }

    /// The maximum number of repetitions of a line within the window.
    package static var repetitions: Int { 5 }
    /// The maximum number of different lines within the window, because clients choose texts. Further lines are only
    /// counted, except urgent ones.
    static var limit: Int { 256 }

    package let window: Duration
    /// The lines beyond `limit`.
    private var others: (since: Instant, count: Int)?
    private var written: [Line: (since: Instant, count: Int, omitted: Int)] = [:]
    /// No window of a written line is over before.
    private var due: Instant?

    package init(window: Duration) { self.window = window }

    /// Counts a line. Returns whether to write it.
    package mutating func count(
        _ line: Line,
        atMost repetitions: Int = Self.repetitions,
        isUrgent: Bool = false,
        at now: Instant
    ) -> Bool {
        if let (since, count, omitted) = written[line] {
            written[line] = (since, count + 1, count < repetitions ? 0 : omitted + 1)
            return count < repetitions
        }
        if written.count < Self.limit {
            written[line] = (now, 1, 0)
            due = due ?? now + window
        } else if !isUrgent {
            others = (others?.since ?? now, (others?.count ?? 0) + 1)
            return false
        }
        return true
    }

    /// Whether omitted lines are not reported yet.
    package var hasRemainder: Bool { others != nil || written.values.contains { $0.omitted > 0 } }

    /// Returns the omitted lines of windows that are over by `now`, oldest first; `nil` returns every one.
    package mutating func takeRemainders(at now: Instant?) -> [Remainder] {
        let remainders = takeWritten(at: now)
        guard let others, now.map({ $0 - others.since >= window }) ?? true else { return remainders }
        self.others = nil
        return remainders + [Remainder(line: nil, count: others.count)]
    }

    /// Looks through the lines only when a window is over: this is called for each line of the log.
    private mutating func takeWritten(at now: Instant?) -> [Remainder] {
        if let now, due.map({ now < $0 }) ?? true { return [] }
        let over = written.filter { _, lately in now.map { $0 - lately.since >= window } ?? true }
        for line in over.keys { written[line] = nil }
        due = written.values.map(\.since).min().map { $0 + window }
        return over.sorted { $0.value.since < $1.value.since }.compactMap { line, lately in
            lately.omitted > 0 ? Remainder(line: line, count: lately.omitted) : nil
        }
    }
}
