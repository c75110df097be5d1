// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A log about what other programs send. It writes at most a few lines of each subject a minute: a line can contain a
/// topic, and a client could choose a new topic for each message.
///
/// It can be used from any thread.
package final class LimitedLog<Subject: LogSubject>: Sendable {
    private let lines = Mutex(RepeatedLines<String>(window: .seconds(60)))
    private let now: @Sendable () -> Moment
    private let write: @Sendable (String) -> Void

    package init(now: @escaping @Sendable () -> Moment, _ write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    package func callAsFunction(_ subject: Subject, _ line: @autoclosure () -> String) {
        let now = now().instant
        writeRemainders(at: now)
        if lines.withLock({ $0.count(subject.rawValue, atMost: subject.limit, at: now) }) { write(line()) }
    }

    /// Writes how many lines were omitted in each time window that has ended.
    package func writeRemainders(at now: Instant) {
        for remainder in lines.withLock({ $0.takeRemainders(at: now) }) {
            if let subject = remainder.line { write("omitted lines about \(subject): \(remainder.count)") }
        }
    }
}

/// The subjects of lines, such as `oversized messages`. Their number is fixed.
package protocol LogSubject: RawRepresentable<String>, Sendable {
    /// The maximum number of lines in a time window.
    var limit: Int { get }
}

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
