// SPDX-License-Identifier: Apache-2.0

/// How long to wait before the next attempt to reach the broker: longer each time, and never the same for everybody, so
/// that a broker that was started again is not met by all its clients at once.
///
/// Full jitter: a random part of 2, 4, 8, 16, 30 seconds.
package struct Backoff: Sendable {
    package static let longest: Duration = .seconds(30)
    /// A connection that lasted so long was a good one.
    static let probation: Duration = .seconds(5)

    private var span: Duration = .seconds(2)

    package init() {}

    /// - Parameter random: 0…1, drawn by the caller.
    package mutating func next(random: Double) -> Duration {
        defer { span = min(span * 2, Self.longest) }
        return span * max(random, 0.02)
    }

    /// A connection has ended.
    package mutating func ended(after duration: Duration) {
        if duration >= Self.probation { self = Backoff() }
    }
}
