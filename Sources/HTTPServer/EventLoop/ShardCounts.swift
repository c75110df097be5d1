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
    /// The number of responses with each status, without streams and WebSockets.
    package private(set) var responses = [UInt64](repeating: 0, count: 600)
    /// The time from reading a command (a request that changes something, or a WebSocket message) to its response.
    package internal(set) var commands = Histogram(bounds: Histogram.defaultBounds)
    /// The busy time between two waits, sampled in one of `turnsPerSample` turns. It bounds every response time from
    /// below.
    package internal(set) var turns = Histogram(bounds: Histogram.defaultBounds)
    package internal(set) var streams = StreamCounts()

    static let turnsPerSample: UInt64 = 64

    mutating func answered(_ status: Int) { responses[status] += 1 }
}
