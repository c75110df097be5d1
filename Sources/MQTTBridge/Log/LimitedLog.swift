// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The daemon's log for lines about the broker's messages: a few of each kind a minute, and the number of the others. Any
/// thread.
final class LimitedLog: Sendable {
    private let limiter = Mutex(LogLimiter())
    private let now: @Sendable () -> Moment
    private let write: @Sendable (String) -> Void

    init(now: @escaping @Sendable () -> Moment, _ write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    func callAsFunction(_ kind: LogLimiter.Kind, _ line: @autoclosure () -> String) {
        let now = now().instant
        writeRemainders(at: now)
        if limiter.withLock({ $0.count(kind, at: now) }) { write(line()) }
    }

    /// Writes how many lines were left out in windows that are over.
    func writeRemainders(at now: Instant) {
        for remainder in limiter.withLock({ $0.takeRemainders(at: now) }) { write("\(remainder)") }
    }
}

extension LogLimiter.Remainder: CustomStringConvertible {
    var description: String {
        let subject =
            switch kind {
            case .notMirrored: "displays or nodes that are not mirrored"
            case .unreadable: "messages of other daemons that cannot be read"
            case .retainedCommand: "retained commands"
            case .responseTopic: "response topics that are not allowed"
            case .failedCommand: "failed commands"
            case .oversized: "messages that are too long"
            }
        return "\(count) more lines about \(subject) were left out"
    }
}
