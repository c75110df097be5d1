// SPDX-License-Identifier: Apache-2.0
import BrightnessCore

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
