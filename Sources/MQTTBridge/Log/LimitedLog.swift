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

/// Which log lines about the broker's messages are written. Their texts name topics and displays that others choose, so
/// lines are limited by kind and not by text. Rules only; time is an argument.
struct LogLimiter {
    /// What a line is about. One enum lists every kind, so their number is fixed.
    enum Kind: CaseIterable {
        /// A display, node or list of leases of another daemon that is not shown.
        case notMirrored
        /// A state or a list of leases of another daemon that cannot be read.
        case unreadable
        /// A retained command, which is ignored.
        case retainedCommand
        /// A response topic to which no answer is published.
        case responseTopic
        /// A command that failed and wants no answer.
        case failedCommand
        /// A message that is too long to be received.
        case oversized
    }

    /// The number of lines of a kind that were left out.
    struct Remainder: Equatable {
        let kind: Kind
        let count: Int
    }

    /// How many lines of a kind are written within `window`.
    static let most = 5
    static let window: Duration = .seconds(60)

    private var windows: [Kind: (since: Instant, count: Int)] = [:]

    /// Counts a line. Returns whether it is written.
    mutating func count(_ kind: Kind, at now: Instant) -> Bool {
        windows[kind, default: (now, 0)].count += 1
        return windows[kind].map { $0.count <= Self.most } ?? true
    }

    /// Returns what was left out in windows that are over.
    mutating func takeRemainders(at now: Instant) -> [Remainder] {
        if windows.isEmpty { return [] }
        return Kind.allCases.compactMap { kind in
            guard let (since, count) = windows[kind], now - since >= Self.window else { return nil }
            windows[kind] = nil
            return count > Self.most ? Remainder(kind: kind, count: count - Self.most) : nil
        }
    }
}
