// SPDX-License-Identifier: Apache-2.0

/// A time limit that a pause of the process does not use up.
///
/// After SIGSTOP, a frozen container or a suspend every clock shows that the limit is over, although nothing was done.
/// Therefore one call of `spend` takes at most `step` away. The caller must look at the clock at least once a `step`.
package struct Countdown: Sendable {
    package static let step: Duration = .milliseconds(100)

    /// The time that is left, at least zero.
    package private(set) var left: Duration

    package init(_ limit: Duration) { left = max(limit, .zero) }

    package var isOver: Bool { left == .zero }

    /// How long to wait before the next call of `spend`, at most.
    package var wait: Duration { min(left, Self.step) }

    /// Takes the time since the previous call away.
    package mutating func spend(_ elapsed: Duration) {
        left = max(.zero, left - min(max(elapsed, .zero), Self.step))
    }
}
