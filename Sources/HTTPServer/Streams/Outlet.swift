// SPDX-License-Identifier: Apache-2.0

/// An adopted socket with what it asked for and its pending output. 56 bytes while it keeps up.
struct Outlet {
    /// -1 while the place is empty.
    var socket: Int32 = -1
    /// Whose it is counted as.
    var client = ClientAddress.loopback
    /// Tells this outlet from earlier ones in its place, in epoll's tokens.
    var generation: UInt32 = 0
    var framing = Framing.chunked
    /// Which of the shard's distinct readerships it is of.
    var readership: UInt32 = 0
    /// When anything was last sent, in the shard's seconds.
    var lastSent: UInt32 = 0
    /// The board's version at its start: up to there it has everything.
    var joined: UInt64 = 0
    /// Only while the client does not keep up.
    var backlog: Backlog?
    /// A WebSocket's `WebSocket`; a stream's whatever the application wants to live as long.
    var companion: AnyObject?

    var isOpen: Bool { socket >= 0 }

    var webSocket: WebSocket? { framing == .webSocket ? companion as? WebSocket : nil }
}
