// SPDX-License-Identifier: Apache-2.0

/// An adopted socket with what it asked for and its pending output. 56 bytes while it keeps up.
struct StreamConnection {
    /// -1 while the place is empty.
    var socket: Int32 = -1
    /// Whose it is counted as.
    var client = ClientAddress.loopback
    /// Distinguishes this stream from earlier ones in its place, in epoll's tokens.
    var generation: UInt32 = 0
    var framing = Framing.chunked
    /// Its end has begun: what its client sends no longer counts.
    var isOver = false
    /// Which of the shard's distinct readerships it is of.
    var readership: UInt32 = 0
    /// When anything was last sent, in the shard's seconds.
    var lastSent: UInt32 = 0
    /// The version of `RetainedEvents` at its start: up to there it has everything.
    var joined: UInt64 = 0
    /// Only while the client does not keep up.
    var pendingOutput: PendingOutput?
    /// What lives as long as the connection: the application's of an event stream, the `StreamInput`'s of a two-way one.
    var companion: AnyObject?

    var isOpen: Bool { socket >= 0 }
}

/// What reads from the two-way connections of a shard. Nothing here is called for an event that a client takes at once.
protocol StreamInput: AnyObject {
    /// The client has taken all or some of its pending output.
    func outputTaken(by index: Int, in streams: inout StreamConnections)

    /// Called about once a second for a connection that keeps up.
    func tick(_ index: Int, in streams: inout StreamConnections)
}
