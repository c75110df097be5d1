// SPDX-License-Identifier: Apache-2.0
package import Metrics

/// What one shard has now, and what it has done since its start.
///
/// Plain fields, counted on the shard's thread and copied there for whoever asks.
package struct ShardCounts: Sendable {
    /// Connections that libmicrohttpd holds: requests, and keep-alive between them.
    package internal(set) var connections = 0
    /// Newcomers who were told that there is no room, for them or for anybody.
    package internal(set) var refused: UInt64 = 0
    /// Answers by the class of their status. A stream or WebSocket is none.
    package private(set) var successes: UInt64 = 0
    package private(set) var redirections: UInt64 = 0
    package private(set) var clientErrors: UInt64 = 0
    package private(set) var serverErrors: UInt64 = 0
    /// From when a request that changes something, or a WebSocket message, was read to when its answer was there.
    package internal(set) var commands = Histogram(bounds: Histogram.usualBounds)
    /// How long the thread was busy from one wait to the next, of one turn in `turnsPerSample`. Nobody is answered sooner.
    package internal(set) var turns = Histogram(bounds: Histogram.usualBounds)
    package internal(set) var streams = StreamCounts()

    static let turnsPerSample: UInt64 = 64

    mutating func answered(_ status: Int) {
        switch status {
        case ..<300: successes += 1
        case ..<400: redirections += 1
        case ..<500: clientErrors += 1
        default: serverErrors += 1
        }
    }
}

/// The same of its streams and WebSockets.
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
