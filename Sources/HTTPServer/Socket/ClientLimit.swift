// SPDX-License-Identifier: Apache-2.0

/// A limit per client.
package struct ClientLimit: Sendable {
    /// The limit; `Int.max` for none.
    package let count: Int
    /// Whether clients of the same machine are exempt: local pages, and a proxy that stands for many clients.
    package let sparesLoopback: Bool

    package init(_ count: Int, sparesLoopback: Bool = false) {
        self.count = count
        self.sparesLoopback = sparesLoopback
    }

    /// The largest finite limit. Rates are computed with it, so it must not overflow.
    package static let largest = 1_000_000

    /// Event streams and WebSockets per client. One person's tabs, or the machines behind one router, open far fewer.
    package static let defaultStreams = ClientLimit(256, sparesLoopback: true)
    /// New connections per client and second. The machines behind one router, or the users of a proxy on another
    /// machine, connect far less often.
    package static let defaultConnects = ClientLimit(1_000, sparesLoopback: true)

    /// Connections per client that are not streams: at most half of one shard's capacity.
    static func defaultConnections(ofShard connections: Int) -> ClientLimit {
        ClientLimit(max(1, min(1_024, connections / 2)), sparesLoopback: true)
    }

    package func counts(_ client: ClientAddress) -> Bool { count < .max && !(sparesLoopback && client.isLoopback) }
}
