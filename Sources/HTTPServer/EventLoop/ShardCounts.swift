// SPDX-License-Identifier: Apache-2.0
package import Support

/// The current connections of a shard, and its counters since its start.
///
/// Plain fields, counted on the shard's thread and copied there for other threads.
package struct ShardCounts: Sendable {
    /// Connections of libmicrohttpd: active requests, and keep-alive connections between them.
    package internal(set) var connections = 0
    /// Connections that were rejected because the shard was full or their client over its limit.
    package internal(set) var refused: UInt64 = 0
    /// Responses by the class of their status, without streams and WebSockets.
    package private(set) var successes: UInt64 = 0
    package private(set) var redirections: UInt64 = 0
    package private(set) var clientErrors: UInt64 = 0
    package private(set) var serverErrors: UInt64 = 0
    /// The time from reading a command (a request that changes something, or a WebSocket message) to its response.
    package internal(set) var commands = Histogram(bounds: Histogram.defaultBounds)
    /// The busy time between two waits, sampled in one of `turnsPerSample` turns. It bounds every response time from
    /// below.
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
