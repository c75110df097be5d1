// SPDX-License-Identifier: Apache-2.0
package import Metrics

/// How many streams and WebSockets a shard has now, and what it has done for them since its start.
package struct StreamCounts: Sendable {
    package internal(set) var eventStreams = 0
    package internal(set) var webSockets = 0
    package internal(set) var opened: UInt64 = 0
    /// Closed because they took nothing for too long.
    package internal(set) var givenUp: UInt64 = 0
    /// Events handed to the kernel, one for each stream that got it.
    package internal(set) var deliveries: UInt64 = 0
    /// Events that a slow client was told to have missed.
    package internal(set) var skipped: UInt64 = 0
    /// From when the shard began to send an event to when all had it that keep up.
    package internal(set) var fanOut = Histogram(bounds: Histogram.usualBounds)
}
