// SPDX-License-Identifier: Apache-2.0

/// A time limit that does not expire during a pause of the process.
///
/// After SIGSTOP, a frozen container or a suspend, clocks show that the limit is over although nothing was done.
/// Therefore one call of `spend` subtracts at most `step`. The caller must read the clock at least once per `step`.
package struct Countdown: Sendable {
    package static let step: Duration = .milliseconds(100)

    /// The remaining time, at least zero.
    package private(set) var left: Duration

    package init(_ limit: Duration) { left = max(limit, .zero) }

    package var isOver: Bool { left == .zero }

    /// The maximum time to wait before the next call of `spend`.
    package var wait: Duration { min(left, Self.step) }

    /// Subtracts the time since the previous call.
    package mutating func spend(_ elapsed: Duration) {
        left = max(.zero, left - min(max(elapsed, .zero), Self.step))
    }
}
