// SPDX-License-Identifier: Apache-2.0
package import Metrics

/// What one shard has now, and what it has done since its start.
///
/// Plain fields, counted on the shard's thread and copied there for other threads.
package struct ShardCounts: Sendable {
    /// Connections that libmicrohttpd holds: requests, and keep-alive between them.
    package internal(set) var connections = 0
    /// Newcomers that were rejected: no room, for them or for any client.
    package internal(set) var refused: UInt64 = 0
    /// Answers by the class of their status. A stream or WebSocket is none.
    package private(set) var successes: UInt64 = 0
    package private(set) var redirections: UInt64 = 0
    package private(set) var clientErrors: UInt64 = 0
    package private(set) var serverErrors: UInt64 = 0
    /// From when a request that changes something, or a WebSocket message, was read to when its answer was there.
    package internal(set) var commands = Histogram(bounds: Histogram.defaultBounds)
    /// How long the thread was busy from one wait to the next, of one turn in `turnsPerSample`. Nobody is answered sooner.
    package internal(set) var turns = Histogram(bounds: Histogram.defaultBounds)
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
