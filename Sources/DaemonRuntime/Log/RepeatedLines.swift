// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

/// The rate limit of log lines: repeated lines are only counted. Time is an argument.
struct RepeatedLines {
    /// An omitted line and its count; `nil` for lines beyond `limit`.
    struct Remainder: Equatable {
        let line: LogLine?
        let count: Int
    }

    /// The maximum number of repetitions of a line within `window`.
    static let repetitions = 5
    static let window: Duration = .seconds(10)
    /// The maximum number of different lines within `window`, because clients choose texts. Further lines are only
    /// counted, except errors.
    static let limit = 256

    /// The lines beyond `limit`.
    private var others: (since: Instant, count: Int)?
    private var written: [LogLine: (since: Instant, count: Int)] = [:]
    /// No window of a written line is over before.
    private var due: Instant?

    /// Counts a line. Returns whether to write it.
    mutating func count(_ line: LogLine, at now: Instant) -> Bool {
        if let (since, count) = written[line] {
            written[line] = (since, count + 1)
            return count < Self.repetitions
        }
        if written.count < Self.limit {
            written[line] = (now, 1)
            due = due ?? now + Self.window
        } else if line.level < .error {
            others = (others?.since ?? now, (others?.count ?? 0) + 1)
            return false
        }
        return true
    }

    /// Whether omitted lines are not reported yet.
    var hasRemainder: Bool { others != nil || written.values.contains { $0.count > Self.repetitions } }

    /// Returns the omitted lines of windows that are over by `now`, oldest first; `nil` returns every one.
    mutating func takeRemainders(at now: Instant?) -> [Remainder] {
        let remainders = takeWritten(at: now)
        guard let others, now.map({ $0 - others.since >= Self.window }) ?? true else { return remainders }
        self.others = nil
        return remainders + [Remainder(line: nil, count: others.count)]
    }

    /// Looks through the lines only when a window is over: this is called for each line of the log.
    private mutating func takeWritten(at now: Instant?) -> [Remainder] {
        if let now, due.map({ now < $0 }) ?? true { return [] }
        let over = written.filter { _, lately in now.map { $0 - lately.since >= Self.window } ?? true }
        for line in over.keys { written[line] = nil }
        due = written.values.map(\.since).min().map { $0 + Self.window }
        return over.sorted { $0.value.since < $1.value.since }.compactMap { line, lately in
            lately.count > Self.repetitions ? Remainder(line: line, count: lately.count - Self.repetitions) : nil
        }
    }
}
