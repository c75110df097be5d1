// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// The log of the broker's messages, limited to a few lines of each kind a minute. Any thread.
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

    /// Writes the numbers of omitted lines of windows that are over.
    func writeRemainders(at now: Instant) {
        for remainder in limiter.withLock({ $0.takeRemainders(at: now) }) { write("\(remainder)") }
    }
}

extension LogLimiter.Remainder: CustomStringConvertible {
    var description: String {
        let subject =
            switch kind {
            case .notMirrored: "displays or nodes that are not mirrored"
            case .unreadable: "invalid messages of other daemons"
            case .retainedCommand: "retained commands"
            case .responseTopic: "disallowed response topics"
            case .failedCommand: "failed commands"
            case .oversized: "oversized messages"
            }
        return "\(count) more lines about \(subject) omitted"
    }
}

/// The rate limit of log lines about the broker's messages. Clients choose the topics in the texts, so lines are
/// limited by kind and not by text. Rules only; time is an argument.
struct LogLimiter {
    /// The subject of a line. The number of kinds is fixed.
    enum Kind: CaseIterable {
        /// A display, node or list of leases that is not mirrored.
        case notMirrored
        /// An invalid state or list of leases of another daemon.
        case unreadable
        /// A retained command, which is ignored.
        case retainedCommand
        /// A response topic that is not allowed.
        case responseTopic
        /// A failed command without a response topic.
        case failedCommand
        /// A message beyond the size limit.
        case oversized
    }

    /// The number of omitted lines of a kind.
    struct Remainder: Equatable {
        let kind: Kind
        let count: Int
    }

    /// The most lines of a kind within `window`.
    static let limit = 5
    static let window: Duration = .seconds(60)

    private var windows: [Kind: (since: Instant, count: Int)] = [:]

    /// Counts a line. Returns whether it is written.
    mutating func count(_ kind: Kind, at now: Instant) -> Bool {
        windows[kind, default: (now, 0)].count += 1
        return windows[kind].map { $0.count <= Self.limit } ?? true
    }

    /// Returns the omitted lines of windows that are over.
    mutating func takeRemainders(at now: Instant) -> [Remainder] {
        if windows.isEmpty { return [] }
        return Kind.allCases.compactMap { kind in
            guard let (since, count) = windows[kind], now - since >= Self.window else { return nil }
            windows[kind] = nil
            return count > Self.limit ? Remainder(kind: kind, count: count - Self.limit) : nil
        }
    }
}
