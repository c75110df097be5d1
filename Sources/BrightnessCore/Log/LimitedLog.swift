// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A log about what other programs send. It writes at most a few lines of each subject a minute: a line can contain a
/// topic, and a client could choose a new topic for each message.
///
/// It can be used from any thread.
package final class LimitedLog<Subject: LogSubject>: Sendable {
    private let lines = Mutex(RepeatedLines<Subject>(window: .seconds(60)))
    private let now: @Sendable () -> Moment
    private let write: @Sendable (String) -> Void

    package init(now: @escaping @Sendable () -> Moment, _ write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    package func callAsFunction(_ subject: Subject, _ line: @autoclosure () -> String) {
        let now = now().instant
        writeRemainders(at: now)
        if lines.withLock({ $0.count(subject, atMost: subject.limit, at: now) }) { write(line()) }
    }

    /// Writes how many lines were omitted in each time window that has ended.
    package func writeRemainders(at now: Instant) {
        for remainder in lines.withLock({ $0.takeRemainders(at: now) }) {
            if let subject = remainder.line { write("omitted lines about \(subject.rawValue): \(remainder.count)") }
        }
    }
}

/// The subjects of lines, such as `oversized messages`. Their number is fixed.
package protocol LogSubject: RawRepresentable<String>, Hashable, Sendable {
    /// The most lines in a time window.
    var limit: Int { get }
}
