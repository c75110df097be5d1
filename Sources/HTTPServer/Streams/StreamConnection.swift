// SPDX-License-Identifier: Apache-2.0

/// An adopted socket with its subscription and pending output. 56 bytes while the client keeps up.
struct StreamConnection {
    /// -1 while the index is vacant.
    var socket: Int32 = -1
    var client = ClientAddress.loopback
    /// Distinguishes this stream from earlier ones at its index, in epoll's tokens.
    var generation: UInt32 = 0
    var framing = Framing.chunked
    /// Whether its end has begun. Then messages of its client are ignored.
    var isEnding = false
    /// The number of its group in `SubscriberGroups`.
    var group: UInt32 = 0
    /// When bytes were last sent, in the shard's seconds.
    var lastSent: UInt32 = 0
    /// The version of `RetainedEvents` at its start. It has everything up to there.
    var joined: UInt64 = 0
    /// Set while the client does not keep up.
    var pendingOutput: PendingOutput?
    /// An object that lives as long as the connection: the application's for an event stream, the `StreamInput`'s for a
    /// two-way connection.
    var companion: AnyObject?

    var isOpen: Bool { socket >= 0 }
}

/// The reader of a shard's two-way connections. Not called for an event that a client reads at once.
protocol StreamInput: AnyObject {
    /// Notes that the client has read all or a part of its pending output.
    func outputTaken(by index: Int, in streams: inout StreamConnections)

    /// Called about once a second for a connection that keeps up.
    func tick(_ index: Int, in streams: inout StreamConnections)
}
