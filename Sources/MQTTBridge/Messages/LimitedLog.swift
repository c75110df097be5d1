// SPDX-License-Identifier: Apache-2.0
import BrightnessCore
import Synchronization

/// A log about the messages that the broker delivers. It writes at most a few lines of each kind a minute.
///
/// It can be used from any thread.
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

    /// Writes how many lines were omitted in each time window that has ended.
    func writeRemainders(at now: Instant) {
        for remainder in limiter.withLock({ $0.takeRemainders(at: now) }) { write("\(remainder)") }
    }
}

extension LogLimiter.Remainder: CustomStringConvertible {
    var description: String {
        let subject =
            switch kind {
            case .notMirrored: "displays, nodes or leases that are not mirrored"
            case .unreadable: "invalid states or leases of other daemons"
            case .retainedCommand: "retained commands"
            case .responseTopic: "disallowed response topics"
            case .failedCommand: "failed commands"
            case .oversized: "oversized messages"
            }
        return "omitted lines about \(subject): \(count)"
    }
}

/// The rate limit of a `LimitedLog`.
///
/// The limit is per kind of line, not per text: a line can contain a topic, and a client could choose a new topic for
/// each message. The limiter writes nothing and reads no clock; the caller passes the time.
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

    /// Removes the time windows that have ended. Returns how many lines of each kind were omitted in them.
    mutating func takeRemainders(at now: Instant) -> [Remainder] {
        if windows.isEmpty { return [] }
        return Kind.allCases.compactMap { kind in
            guard let (since, count) = windows[kind], now - since >= Self.window else { return nil }
            windows[kind] = nil
            return count > Self.limit ? Remainder(kind: kind, count: count - Self.limit) : nil
        }
    }
}
