// SPDX-License-Identifier: Apache-2.0
import Synchronization

/// A log about what other programs send. It writes at most a few lines of each kind a minute.
///
/// It can be used from any thread.
package final class LimitedLog<Kind: LimitedLogKind>: Sendable {
    private let limiter = Mutex(LogLimiter<Kind>())
    private let now: @Sendable () -> Moment
    private let write: @Sendable (String) -> Void

    package init(now: @escaping @Sendable () -> Moment, _ write: @escaping @Sendable (String) -> Void) {
        self.now = now
        self.write = write
    }

    package func callAsFunction(_ kind: Kind, _ line: @autoclosure () -> String) {
        let now = now().instant
        writeRemainders(at: now)
        if limiter.withLock({ $0.count(kind, at: now) }) { write(line()) }
    }

    /// Writes how many lines were omitted in each time window that has ended.
    package func writeRemainders(at now: Instant) {
        for remainder in limiter.withLock({ $0.takeRemainders(at: now) }) { write("\(remainder)") }
    }
}

/// The subjects of lines. Their number is fixed.
package protocol LimitedLogKind: CaseIterable, Hashable, Sendable {
    /// Such as `oversized messages`.
    var subject: String { get }
    /// The most lines in a time window.
    var limit: Int { get }
}

extension LimitedLogKind {
    package static var defaultLimit: Int { 5 }
    package var limit: Int { Self.defaultLimit }
}

/// The rate limit of a `LimitedLog`.
///
/// The limit is per kind of line, not per text: a line can contain a topic, and a client could choose a new topic for
/// each message. The limiter writes nothing and reads no clock; the caller passes the time.
struct LogLimiter<Kind: LimitedLogKind> {
    /// The number of omitted lines of a kind.
    struct Remainder: Equatable, CustomStringConvertible {
        let kind: Kind
        let count: Int

        var description: String { "omitted lines about \(kind.subject): \(count)" }
    }

    private static var window: Duration { .seconds(60) }

    private var windows: [Kind: (since: Instant, count: Int)] = [:]

    /// Counts a line. Returns whether it is written.
    mutating func count(_ kind: Kind, at now: Instant) -> Bool {
        windows[kind, default: (now, 0)].count += 1
        return windows[kind].map { $0.count <= kind.limit } ?? true
    }

    /// Removes the time windows that have ended. Returns how many lines of each kind were omitted in them.
    mutating func takeRemainders(at now: Instant) -> [Remainder] {
        if windows.isEmpty { return [] }
        return Kind.allCases.compactMap { kind in
            guard let (since, count) = windows[kind], now - since >= Self.window else { return nil }
            windows[kind] = nil
            return count > kind.limit ? Remainder(kind: kind, count: count - kind.limit) : nil
        }
    }
}
