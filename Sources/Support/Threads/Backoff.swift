// SPDX-License-Identifier: Apache-2.0

/// The delay before the next attempt to reach a server: longer each time, and random.
///
/// So a restarted server does not receive all its clients at once. Full jitter: a random part of 2, 4, 8, 16, 30
/// seconds.
package struct Backoff: Sendable {
    package static let longest: Duration = .seconds(30)
    /// The duration after which a connection resets the delay.
    static let probation: Duration = .seconds(5)

    private var span: Duration = .seconds(2)

    package init() {}

    /// - Parameter random: A random number in 0…1, drawn by the caller.
    package mutating func next(random: Double) -> Duration {
        defer { span = min(span * 2, Self.longest) }
        return span * max(random, 0.02)
    }

    /// Notes the end of a connection that lasted this long.
    package mutating func ended(after duration: Duration) {
        if duration >= Self.probation { self = Backoff() }
    }
}
